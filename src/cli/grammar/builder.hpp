// What adds options to a command of the grammar, and the commands that are described in files of their own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "grammar.hpp"
#include "onefold/dynamic.hpp"

namespace onefold::cli {

inline std::vector<std::string> as_strings(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

/// Adds options to a command, under the group that was named last.
class builder {
 public:
  builder(CLI::App& command, choice_lists& choices) : command_(command), choices_(choices) {}

  void group(const char* name) { group_ = name; }

  /// An option with one value, a word; given twice it is an error.
  CLI::Option* word(const std::string& names, std::optional<std::string>& word, const std::string& help,
                    const std::string& value);

  /// The same where it is one of these words, or several: value ends with ",..".
  void choice(const std::string& names, std::optional<std::string>& chosen, const std::string& help,
              const std::string& value, std::span<const std::string_view> words);

  void flag(const std::string& name, bool& given, const std::string& help);

  /// What stands without an option's name, and the words that it is one of, if it is.
  template <class Value>
  CLI::Option* argument(const std::string& name, Value& value, const std::string& help, word_choices words = {}) {
    CLI::Option* option = command_.add_option(name, value, help)->type_name("");
    if (!words.words.empty()) choices_[option] = std::move(words);
    return option;
  }

  /// Two files.
  void pair(const std::string& name, std::vector<std::string>& files, const std::string& help,
            const std::string& value);

  /// How files are read.
  void reading(arguments& a);

  /// The files of a command, how they are read, and the types that their elements may have.
  void files(arguments& a, std::span<const std::string_view> types = dtype_names());

  /// The axes that are reduced.
  void axes(arguments& a);

  /// An axis.
  CLI::Option* axis(arguments& a, const char* help);

  /// The form of what is written to standard output.
  void format(std::string& word, std::vector<std::string> words = {"text", "json"},
              const char* help = "Format of the output (default: text)");

 private:
  CLI::App& command_;
  choice_lists& choices_;
  std::string group_ = "Options";
};

// The options of each command: of those that compute from files,
void add_reduce(builder& b, arguments& a, std::string& format);
void add_join(builder& b, arguments& a, std::string& format);
void add_summary(builder& b, arguments& a, std::string& format);
void add_quantile(builder& b, arguments& a, std::string& format);
void add_statistic(builder& b, arguments& a, std::string& format);
void add_histogram(builder& b, arguments& a, std::string& format);
void add_scan(builder& b, arguments& a, std::string& format);
void add_rows(builder& b, arguments& a, std::string& format);
// and of those that measure.
void add_accuracy(builder& b, arguments& a, std::string& format);
void add_bench(builder& b, arguments& a, std::string& format);
void add_report(builder& b, arguments& a, std::string& format);
void add_calibrate(builder& b, arguments& a, std::string& format);

}  // namespace onefold::cli
