// Lists and ranges of numbers on the command line: 1e3,1e6 or 2^10..2^20 or 1..1e24:100.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace onefold::cli {

/// The parts of a word between its commas.
std::vector<std::string> split_at_commas(const std::string& word);

/// The choices of a list, each as `parse` reads it; or what `all` returns if the list is missing or is the word
/// all. Finding out what there is may take long (backends), so a list of names does not ask.
template <class Parse, class All>
auto chosen_list(const std::optional<std::string>& words, Parse parse, All all) {
  if (!words || *words == "all") return all();
  decltype(all()) out;
  for (const std::string& word : split_at_commas(*words)) out.push_back(parse(word));
  return out;
}

/// The number that the word is, from `low` to `high`. Throws failure (wrong usage), naming the option.
double chosen_number(std::string_view option, const std::string& word, double low, double high);

/// The numbers that the word lists, each at least `low`; the steps of a range LOW..HIGH multiply by `factor`, or by
/// what stands after a colon. Throws failure (wrong usage), naming the option.
std::vector<double> chosen_numbers(std::string_view option, const std::string& word, double low, double factor);

/// As above, integers from 1 to 2^53; those of a range are rounded.
std::vector<std::int64_t> chosen_counts(std::string_view option, const std::string& word, double factor);

}  // namespace onefold::cli
