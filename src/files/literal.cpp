// Reading literals: no recursion, no allocation beyond the strings.
#include "files/literal.hpp"

#include <charconv>
#include <system_error>

#include "ascii.hpp"
#include "files/unexpected.hpp"

namespace onefold::detail {

void literal_reader::skip_space() {
  while (position_ < text_.size() && std::string_view(" \t\r\n\f").find(text_[position_]) != std::string_view::npos)
    ++position_;
}

bool literal_reader::at(char c) {
  skip_space();
  return position_ < text_.size() && text_[position_] == c;
}

bool literal_reader::skip(char c) {
  const bool there = at(c);
  position_ += there ? 1 : 0;
  return there;
}

void literal_reader::expect(char c) {
  if (!skip(c)) refuse(std::string{'\'', c, '\''});
}

std::string literal_reader::string() {
  if (!at('\'') && !at('"')) refuse("a string in quotes");
  const std::size_t first = position_ + 1;
  const std::size_t last = text_.find(text_[position_], first);
  if (last == std::string_view::npos) refuse("a string that ends");
  position_ = last + 1;
  return std::string(text_.substr(first, last - first));
}

bool literal_reader::boolean() {
  skip_space();
  for (const std::string_view word : {"True", "False"}) {
    if (text_.substr(position_, word.size()) != word) continue;
    position_ += word.size();
    return word == "True";
  }
  refuse("True or False");
}

std::int64_t literal_reader::natural(std::string_view what) {
  skip_space();
  const char* const first = text_.data() + position_;
  const char* const last = text_.data() + text_.size();
  if (first == last || *first < '0' || *first > '9') refuse(what);
  std::int64_t value = 0;
  const auto [after, error] = std::from_chars(first, last, value);
  if (error != std::errc{}) refuse(std::string(what) + " below 2^63");
  position_ = static_cast<std::size_t>(after - text_.data());
  if (position_ < text_.size() && text_[position_] == 'L') ++position_;
  return value;
}

void literal_reader::end() {
  skip_space();
  if (position_ != text_.size()) refuse("nothing more in the header");
}

void literal_reader::refuse(std::string_view expected) {
  skip_space();
  const std::string_view rest = text_.substr(position_);
  throw unexpected(offset_ + position_, expected,
                   rest.empty() ? "the end of the header" : in_quotes(rest.substr(0, rest.find_first_of(",)}\n", 1))));
}

}  // namespace onefold::detail
