// Finding the column, checking what producers made, and reading it batch by batch.
#include "run/arrow_reader.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "one_line.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/compress.hpp"

namespace onefold::detail {
namespace {

/// Elements that are copied at once.
constexpr std::int64_t batch = 1 << 16;

}  // namespace

void arrow_reader::refuse_array(const std::string& why) const {
  refuse("an Arrow array of " + arrow_column_called(name) + " does not match its schema: " + why);
}

void arrow_reader::fail_stream(const char* what, int reason) {
  const char* const text = stream->get_last_error ? stream->get_last_error(stream.get()) : nullptr;
  std::string why = std::string("the Arrow stream ") + what + ": " + std::generic_category().message(reason);
  if (text && *text) why += ": " + one_line(text);
  refuse(why);
}

/// Finds the column in a schema.
void arrow_reader::choose(const ArrowSchema& schema, const arrow_field& field) {
  const bool table = schema.format && std::string_view(schema.format) == "+s";
  const auto name_of = [](const ArrowSchema& s) { return std::string_view(s.name ? s.name : ""); };
  if (!table && (field.name() || field.position()))
    refuse("the Arrow data is one column, not a table to choose a column from; leave the name or position out");
  const ArrowSchema* chosen = &schema;
  if (table) {
    children = schema.n_children;
    if (children < 0 || (children > 0 && (!schema.children || std::find(schema.children, schema.children + children,
                                                                        nullptr) != schema.children + children)))
      refuse("the Arrow schema has " + quantity(children, "column") + ", but not as many descriptions");
    if (children == 0) refuse("the Arrow data is a table without columns");
    std::vector<std::string_view> names;
    for (std::int64_t i = 0; i < children; ++i) names.push_back(name_of(*schema.children[i]));
    if (field.name()) {
      const auto found = std::ranges::find(names, *field.name());
      if (found == names.end()) throw unknown_name("column", *field.name(), names);
      child = found - names.begin();
      if (const auto again = std::find(found + 1, names.end(), *field.name()); again != names.end())
        refuse(arrow_column_called(*field.name()) + " occurs twice, at positions " + std::to_string(child) + " and " +
               std::to_string(again - names.begin()) + "; choose one by its position");
    } else if (field.position() || children == 1) {
      child = field.position().value_or(0);
      if (child < 0 || child >= children)
        refuse("the column's position is " + std::to_string(child) + ", but the table has " +
               quantity(children, "column") + ", counted from 0");
    } else {
      std::string list;
      for (const std::string_view each : names) list += (list.empty() ? "" : ", ") + spelled_out(each);
      refuse("the Arrow data is a table of " + quantity(children, "column") + "; choose one: " + list);
    }
    chosen = schema.children[child];
  }
  name = name_of(*chosen);
  type = arrow_type_of(*chosen, name);
}

void arrow_reader::check_array(const ArrowArray& a, std::int64_t buffers) const {
  std::int64_t end = 0;
  if (a.length < 0 || a.offset < 0 || __builtin_add_overflow(a.length, a.offset, &end))
    refuse_array("its length is " + std::to_string(a.length) + " and its offset " + std::to_string(a.offset));
  if (a.n_buffers != buffers)
    refuse_array("it has " + quantity(a.n_buffers, "buffer") + ", not " + std::to_string(buffers));
  if (!a.buffers) refuse_array("its list of buffers is null");
  if (a.null_count < -1 || a.null_count > a.length)
    refuse_array("it has " + quantity(a.length, "element") + ", of which " + std::to_string(a.null_count) +
                 " are null");
}

/// Where the nulls of an array are from the element `first` on, counted from its offset.
arrow_validity arrow_reader::validity_of(const ArrowArray& a, std::int64_t first) const {
  if (a.null_count == 0) return {};
  if (!a.buffers[0] && a.null_count > 0)
    refuse_array("it has " + quantity(a.null_count, "null") + ", but no validity bitmap");
  return {static_cast<const unsigned char*>(a.buffers[0]), a.offset + first};
}

/// Looks at the batch that was read.
void arrow_reader::open() {
  const ArrowArray* a = array.get();
  std::int64_t first = 0;
  length = a->length;
  nulls = {};
  if (child >= 0) {
    check_array(*a, 1);
    if (a->n_children != children)
      refuse_array("it has " + quantity(a->n_children, "column") + ", not " + std::to_string(children));
    nulls[1] = validity_of(*a, 0);
    first = a->offset;
    if (!a->children || !a->children[child]) refuse_array("the column is null");
    a = a->children[child];
    if (a->length < first + length)
      refuse_array("it has " + quantity(a->length, "element") + ", but its rows end at " +
                   std::to_string(first + length));
  }
  check_array(*a, 2);
  nulls[0] = validity_of(*a, first);
  has_nulls = nulls[0].bits || nulls[1].bits;
  elements = static_cast<const unsigned char*>(a->buffers[1]);
  if (!elements && length > 0) refuse_array("it has " + quantity(length, "element") + ", but no buffer");
  bit = a->offset + first;
  if (!type.bits && elements) elements += bit * width();
  at = 0;
}

/// Reads the next batch; false at the end.
bool arrow_reader::fetch() {
  array.release();
  elements = nullptr;
  length = at = 0;
  if (stream.is_released()) return false;
  if (!stream->get_next) refuse("the Arrow stream has no function get_next");
  ArrowArray got = {};
  if (const int reason = stream->get_next(stream.get(), &got)) fail_stream("could not be read", reason);
  array.take(&got);
  if (array.is_released()) {
    stream.release();
    return false;
  }
  open();
  return true;
}

/// The next n elements where they can be read as their type; copied if need be.
const char* arrow_reader::next_in_place(std::int64_t n) {
  const auto* const from = reinterpret_cast<const char*>(elements);
  if (!type.bits) {
    const char* const x = from + at * width();
    if (is_aligned(x)) return x;
    std::memcpy(staged.get(), x, static_cast<std::size_t>(n * width()));
    return reinterpret_cast<const char*>(staged.get());
  }
  auto* const to = reinterpret_cast<char*>(staged.get());
  words_of_bits(elements, bit + at, n, words.get());
  for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<char>(words[static_cast<std::size_t>(i / 64)] >> i % 64 & 1);
  return to;
}

element_piece arrow_reader::read() {
  for (;;) {
    while (at == length)
      if (!fetch()) return {nullptr, 0};
    const bool copies = has_nulls || type.bits || !is_aligned(elements);
    if (copies && !words) {
      words = std::make_unique<std::uint64_t[]>(batch / 64 + 1);
      staged = std::make_unique<std::uint64_t[]>(batch);
      packed = std::make_unique<std::uint64_t[]>(batch + 64);  // compress may write 64 beyond the last
    }
    const std::int64_t n = copies ? std::min(length - at, batch) : length - at;
    const char* x = next_in_place(n);
    first_row = count + missing;
    piece = n;
    compressed = has_nulls;
    if (has_nulls) {
      const arrow_validity& first = nulls[nulls[0].bits ? 0 : 1];
      first.words(at, n, words.get());
      if (nulls[0].bits && nulls[1].bits) {
        std::uint64_t both[batch / 64];
        nulls[1].words(at, n, both);
        for (std::int64_t w = 0; w < words_for(n); ++w) words[static_cast<std::size_t>(w)] &= both[w];
      }
      auto* const to = reinterpret_cast<char*>(packed.get());
      piece = compress({x, words.get(), n}, width(), level, n, to).elements;
      x = to;
    }
    at += n;
    count += piece;
    missing += n - piece;
    if (piece > 0) return {x, piece};
  }
}

}  // namespace onefold::detail
