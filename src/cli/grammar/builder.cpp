#include "grammar/builder.hpp"

#include "choices.hpp"

namespace onefold::cli {

CLI::Option* builder::word(const std::string& names, std::optional<std::string>& word, const std::string& help,
                           const std::string& value) {
  return command_
      .add_option_function<std::string>(
          names, [&word](const std::string& w) { word = unmarked(w); }, help)
      ->type_name(value)
      ->group(group_);
}

void builder::choice(const std::string& names, std::optional<std::string>& chosen, const std::string& help,
                     const std::string& value, std::span<const std::string_view> words) {
  choices_[word(names, chosen, help, value)] = {as_strings(words), value.ends_with(",..")};
}

void builder::flag(const std::string& name, bool& given, const std::string& help) {
  command_.add_flag(name, given, help)->group(group_);
}

void builder::pair(const std::string& name, std::vector<std::string>& files, const std::string& help,
                   const std::string& value) {
  command_.add_option(name, files, help)->expected(2)->type_name(value)->group(group_);
}

void builder::reading(arguments& a) {
  std::vector<std::string_view> separators;
  for (const named_separator& s : named_separators) separators.push_back(s.name);
  choice("--input", a.input, "Kind of all files", "KIND", asked_format_names);
  const char* const several = takes_several_columns(command_.get_name()) ? "; several of text: K,.." : "";
  word("--column", a.column,
       std::string("Column to read, by position (from 1) or name, of text, Parquet or Arrow") + several, "K");
  choice("--separator", a.separator, "Column separator: a character or a name (default: found in the first line)",
         "NAME", separators);
  flag("--header", a.header, "The first line of text holds names");
  choice("--missing", a.missing, "What to do with missing values in text (default: error)", "RULE", missing_rule_names);
  choice("--integers", a.integers,
         "What to do with integers in text that the type cannot hold (default: exact, an error)", "RULE",
         integer_rule_names);
}

void builder::files(arguments& a, std::span<const std::string_view> types) {
  argument("FILE", a.files, "Files, read as one array in this order; - or no file means standard input");
  group("Input");
  choice("--dtype", a.dtype, "Type of raw elements or of numbers in text", "TYPE", types);
  reading(a);
}

void builder::axes(arguments& a) {
  axis(a, "Axis to reduce over, from 0, or -1 for the last; for several, repeat it or give 0,2")
      ->type_name("N,..")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* builder::axis(arguments& a, const char* help) {
  return command_.add_option("--axis", a.axes, help)
      ->type_name("N")
      ->expected(1)
      ->allow_extra_args(false)
      ->group(group_);
}

void builder::format(std::string& word, std::vector<std::string> words, const char* help) {
  choices_[command_.add_option("--format", word, help)->type_name("FORMAT")->group(group_)] = {std::move(words)};
}

}  // namespace onefold::cli
