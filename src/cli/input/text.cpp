// Windows and pieces: where text may be cut, who parses which piece, and in which order the results join.
#include "input/text.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/table.hpp"
#include "input/tokens.hpp"
#include "input/with_type.hpp"

namespace onefold::cli {
namespace {

/// Bytes of a piece: large against the cost of handing it out, small against a window.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

/// The text cut behind line ends into pieces of about piece_bytes.
std::vector<std::string_view> cut(std::string_view text) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t line_end = text.size() > piece_bytes ? text.find('\n', piece_bytes) : std::string_view::npos;
    const std::size_t length = line_end == std::string_view::npos ? text.size() : line_end + 1;
    pieces.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return pieces;
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
    // Fewer threads than wished for: the ones that started share the work.
  }
  worker();
}

}  // namespace

text_position advance(text_position from, const char* begin, const char* at) {
  const auto lines = static_cast<std::size_t>(std::count(begin, at, '\n'));
  if (lines == 0) return {from.line, from.column + static_cast<std::size_t>(at - begin)};
  const std::string_view before(begin, static_cast<std::size_t>(at - begin));
  return {from.line + lines, before.size() - before.rfind('\n')};
}

text_reader::text_reader(dtype type, text_layout layout, int threads)
    : type_(type), layout_(std::move(layout)), threads_(threads) {}

std::size_t text_reader::complete(std::string_view text) const {
  if (layout_.table()) return text.rfind('\n') + 1;
  const auto last = std::find_if(text.rbegin(), text.rend(), is_space);
  return static_cast<std::size_t>(text.rend() - last);
}

void text_reader::parse(std::string_view text, byte_buffer& out) {
  std::string_view rest = text;
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (at_start_ && rest.substr(0, byte_order_mark.size()) == byte_order_mark)
    rest.remove_prefix(byte_order_mark.size());
  at_start_ = at_start_ && text.empty();
  if (layout_.table() && !table_.known) rest.remove_prefix(begin_table(rest));
  position_ = advance(position_, text.data(), rest.data());
  with_type(type_, [&]<class T>() { parse_pieces<T>(rest, out); });
  position_ = advance(position_, rest.data(), rest.data() + rest.size());
}

void text_reader::end() const {
  if (!layout_.column_name.empty() && !table_.known)
    throw bad_data(fmt::format("line {}, column {}", position_.line, position_.column),
                   fmt::format("a line with a column named {}", in_quotes(layout_.column_name)), "the end");
}

template <class T>
void text_reader::parse_pieces(std::string_view text, byte_buffer& out) {
  const std::vector<std::string_view> pieces = cut(text);
  std::vector<std::vector<T>> values(pieces.size());
  std::vector<std::exception_ptr> errors(pieces.size());
  const text_origin origin{text.data(), position_};
  bool ends_in_comment = false;  // by the last piece only: the others end behind a line
  spread(pieces.size(), threads_, [&](std::size_t i) {
    try {
      if (table_.known)
        parse_lines(pieces[i], origin, table_, values[i]);
      else if (parse_tokens(pieces[i], i == 0 && in_comment_, origin, values[i]))
        ends_in_comment = true;
    } catch (...) {
      errors[i] = std::current_exception();
    }
  });
  in_comment_ = pieces.empty() ? in_comment_ : ends_in_comment;
  for (const std::exception_ptr& e : errors)
    if (e) std::rethrow_exception(e);
  for (const std::vector<T>& v : values) out.append(std::as_bytes(std::span(v)));
}

std::size_t text_reader::begin_table(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = without_comment(text.substr(at, next - at));
    if (!line.empty()) {
      const text_origin origin{text.data(), position_};
      table_ = look_at_first_line(line, layout_, origin);
      return layout_.header || !layout_.column_name.empty() ? next : at;
    }
    at = next;
  }
  return at;
}

}  // namespace onefold::cli
