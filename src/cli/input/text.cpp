// Windows and pieces: where text may be cut, which thread parses which piece, and in which order the results join.
#include "input/text.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <span>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/table.hpp"
#include "input/tokens.hpp"
#include "input/with_type.hpp"
#include "one_line.hpp"

namespace onefold::cli {
namespace {

/// Bytes of a piece: large against the cost of handing it out, small against a window.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// The text cut after line ends, those of a table's records, into pieces of about piece_bytes.
std::vector<std::string_view> cut(std::string_view text, const table_format& format) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    std::size_t length = text.size();
    if (length > piece_bytes)
      length = format.known ? record_end(text, piece_bytes, format.separator)
                            : std::min(text.find('\n', piece_bytes), length - 1) + 1;
    pieces.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return pieces;
}

/// How many columns of numbers a text has.
std::size_t number_columns(const text_layout& layout) { return std::max<std::size_t>(layout.columns.size(), 1); }

/// How many lists of keys' numbers.
std::size_t key_lists(const text_layout& layout) {
  if (!layout.key) return 0;
  return layout.missing == missing_rule::skip ? number_columns(layout) : 1;
}

/// Appends what a piece holds to what came before it.
template <class T>
void append(const text_piece<T>& piece, text_columns& out) {
  for (std::size_t c = 0; c < piece.columns.size(); ++c) {
    out.values[c].append(std::as_bytes(std::span(piece.columns[c].values)));
    out.missing[c] += piece.columns[c].missing;
  }
  out.missing_keys += piece.missing_keys;
  std::vector<std::uint32_t> number(piece.keys.size());
  for (std::size_t k = 0; k < number.size(); ++k) number[k] = out.keys.number_of(piece.keys[k]);
  for (std::size_t list = 0; list < piece.key_numbers.size(); ++list) {
    const std::vector<std::uint32_t>& from = piece.key_numbers[list];
    const std::size_t bytes = from.size() * sizeof(std::uint32_t);
    auto* to = reinterpret_cast<std::uint32_t*>(out.key_numbers[list].room(bytes));
    for (const std::uint32_t n : from) *to++ = number[n];
    out.key_numbers[list].grow(bytes);
  }
}

/// Calls work(i) for i in [0, count) on up to `threads` threads; `work` does not throw.
template <class Work>
void spread(std::size_t count, int threads, Work work) {
  std::atomic<std::size_t> next{0};
  const auto worker = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  // More threads than the machine has would parse no faster, and take memory for their stacks.
  const auto most = std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
  const std::size_t wanted = std::min({count, static_cast<std::size_t>(std::max(threads, 1)), most});
  try {
    for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back(worker);
  } catch (const std::system_error&) {
    // Fewer threads than requested: the ones that started share the work.
  }
  worker();
}

}  // namespace

template <class T>
text_piece<T>::text_piece(const text_layout& layout)
    : columns(number_columns(layout)), key_numbers(key_lists(layout)) {}

text_columns::text_columns(const text_layout& layout)
    : values(number_columns(layout)), missing(values.size()), key_numbers(key_lists(layout)) {}

std::size_t text_columns::all_missing() const { return std::accumulate(missing.begin(), missing.end(), missing_keys); }

text_position advance(text_position from, const char* begin, const char* at) {
  const auto lines = static_cast<std::size_t>(std::count(begin, at, '\n'));
  const std::string_view before(begin, static_cast<std::size_t>(at - begin));
  const std::size_t characters = detail::count_characters(before.substr(before.rfind('\n') + 1));
  return {from.line + lines, (lines == 0 ? from.character : 1) + characters};
}

std::string spelled(text_position at) { return fmt::format("line {}, character {}", at.line, at.character); }

text_reader::text_reader(dtype type, text_layout layout, int threads)
    : type_(type), layout_(std::move(layout)), threads_(threads), separator_(layout_.separator) {}

bool text_reader::at_first_record() const { return !has_begun_ && (layout_.table() || layout_.header); }

/// The first record of `text`, with the separator that it decides. `all`: nothing follows that could change it.
table_record text_reader::first_record(std::string_view text, bool all) {
  if (!layout_.table()) return *record_walk(text, no_separator).next();
  if (separator_ == any_separator) {
    const table_record any = *record_walk(text, any_separator).next();
    if (content_of(any, any_separator).empty() || !(any.complete || all)) return any;
    separator_ = likely_separator(any.content);
  }
  return *record_walk(text, separator_).next();
}

std::size_t text_reader::complete(std::string_view text) {
  if (at_first_record()) {
    std::size_t at = at_start_ && text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    while (at < text.size()) {
      const table_record first = first_record(text.substr(at), false);
      if (!first.complete) break;
      at += first.size;
      if (!content_of(first, separator_).empty()) break;
    }
    return at;
  }
  if (layout_.table()) return last_record_end(text, separator_);
  const auto last = std::find_if(text.rbegin(), text.rend(), is_space);
  return static_cast<std::size_t>(text.rend() - last);
}

void text_reader::parse(std::string_view text, text_columns& out) {
  std::string_view rest = text;
  if (at_start_ && rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  at_start_ = at_start_ && text.empty();
  if (at_first_record()) {
    const std::size_t names = begin(rest);
    position_ = advance(position_, rest.data(), rest.data() + names);
    rest.remove_prefix(names);
  }
  with_type(type_, [&]<class T>() { parse_pieces<T>(rest, out); });
  position_ = advance(position_, rest.data(), rest.data() + rest.size());
}

void text_reader::end() const {
  if (table_.known) return;
  for (const table_column& c : layout_.wanted())
    if (c.place == 0)
      throw bad_data(spelled(position_), fmt::format("a line with a column named {}", in_quotes(c.name)), "the end");
}

template <class T>
void text_reader::parse_pieces(std::string_view text, text_columns& out) {
  const std::vector<std::string_view> pieces = cut(text, table_);
  std::vector<text_piece<T>> elements;
  elements.reserve(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) elements.emplace_back(layout_);
  std::vector<std::exception_ptr> errors(pieces.size());
  const text_origin origin{text.data(), position_};
  bool ends_in_comment = false;  // by the last piece only: the others end after a line
  spread(pieces.size(), threads_, [&](std::size_t i) {
    try {
      if (table_.known)
        parse_lines(pieces[i], origin, table_, layout_, elements[i]);
      else if (parse_tokens(pieces[i], i == 0 && in_comment_, origin, layout_, elements[i].columns.front()))
        ends_in_comment = true;
    } catch (...) {
      errors[i] = std::current_exception();
    }
  });
  in_comment_ = pieces.empty() ? in_comment_ : ends_in_comment;
  for (const std::exception_ptr& e : errors)
    if (e) std::rethrow_exception(e);
  for (const text_piece<T>& e : elements) append(e, out);
}

/// Settles what the first record of `text` says; returns where the values begin.
std::size_t text_reader::begin(std::string_view text) {
  const text_origin origin{text.data(), position_};
  for (std::size_t at = 0; at < text.size();) {
    const table_record first = first_record(text.substr(at), true);
    const std::size_t next = at + first.size;
    const std::string_view content = content_of(first, separator_);
    if (!content.empty()) {
      has_begun_ = true;
      if (first.open_quote != nullptr) refuse_open_quote(first, origin);
      if (layout_.table()) table_ = look_at_first_line(content, layout_, separator_, origin);
      const bool has_names = std::ranges::any_of(layout_.wanted(), [](const table_column& c) { return c.place == 0; });
      return layout_.header || has_names ? next : at;
    }
    at = next;
  }
  return text.size();
}

}  // namespace onefold::cli
