// Arrow data: reductions of a column that arrives through the C stream or the C data interface, in place where
// possible.
//
// Not part of onefold.hpp. The structs are those of the Arrow specification, under its own guards; the library neither
// links nor needs Arrow. docs/arrow.md
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onefold/dynamic_partial.hpp"
#include "onefold/partial.hpp"

/// @cond
extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif

}  // extern "C"
/// @endcond

namespace onefold {

namespace detail {
struct arrow_reader;

/// An integer that counts, which characters and truth values do not.
template <class I>
concept position = std::integral<I> && !std::same_as<I, bool> && !std::same_as<I, char> && !std::same_as<I, wchar_t> &&
                   !std::same_as<I, char8_t> && !std::same_as<I, char16_t> && !std::same_as<I, char32_t>;
}  // namespace detail

/// Which column of a table is meant: its name, its position from 0, or, by default, the only one.
class arrow_field {
 public:
  /// The only column, or the elements themselves if they are not those of a table.
  arrow_field() = default;
  /// A name.
  arrow_field(const std::convertible_to<std::string_view> auto& name) : name_(std::string_view(name)) {}
  /// A position from 0.
  arrow_field(detail::position auto position)
      : position_(std::in_range<std::int64_t>(position) ? static_cast<std::int64_t>(position)
                                                        : std::numeric_limits<std::int64_t>::max()) {}

  /// The name, if it is given.
  const std::optional<std::string>& name() const { return name_; }
  /// The position, if it is given.
  const std::optional<std::int64_t>& position() const { return position_; }

 private:
  std::optional<std::string> name_;
  std::optional<std::int64_t> position_;
};

/// A column of Arrow data, read once: its valid elements in their order, with the nulls left out. All integers,
/// float16, float32, float64 and bool (as u8, 0 and 1) are supported. One thread at a time may use it; it can be moved.
class ONEFOLD_API arrow_column {
 public:
  /// Takes over a stream of record batches, or of arrays, and reads its schema. The stream is moved from: its callbacks
  /// run in this object's calls, and it is released exactly once, as soon as it has ended, has failed or is not needed,
  /// even if this throws. Throws invalid_argument for a null pointer, a released stream, a failure of the stream (with
  /// its own message) and a column that it does not have; unsupported, with the nearest supported type, for a type
  /// without numbers.
  explicit arrow_column(ArrowArrayStream* stream, const arrow_field& field = {});
  /// The same of one array or record batch and its schema. Both are moved from.
  arrow_column(ArrowArray* array, ArrowSchema* schema, const arrow_field& field = {});

  /// Moves.
  arrow_column(arrow_column&& other) noexcept;
  /// Moves.
  arrow_column& operator=(arrow_column&& other) noexcept;
  ~arrow_column();

  /// The type of its elements.
  dtype element() const;
  /// Its name, which may be empty.
  const std::string& name() const;
  /// How many valid elements have been read.
  std::int64_t count() const;
  /// How many nulls have been read.
  std::int64_t missing() const;

  /// Reads on: the next valid elements; none (n is 0) only at the end. They lie in the producer's memory or, if nulls,
  /// bools or alignment prevent that, in a copy of at most 64 Ki elements; the next call invalidates them.
  /// Throws invalid_argument if the stream fails or an array does not match its schema.
  element_piece next();
  /// The row of element i of the last piece, counted from 0 with the nulls.
  std::int64_t row(std::int64_t i) const;

  /// Pushes the remaining elements into accumulators, each piece into one accumulator after the other, so that several
  /// operations read the column once. Throws as next and push do, and invalid_argument for an accumulator of another
  /// element type.
  template <class... Accumulators>
  void push_to(Accumulators&... to) {
    (require_elements_of(to), ...);
    for (element_piece p = next(); p.n > 0; p = next()) (push(to, p), ...);
  }

  /// Throws invalid_argument, naming both types, if its elements are not of this one.
  void require(dtype type) const;

 private:
  template <class T, class Op>
  void require_elements_of(const accumulator<T, Op>&) const {
    require(dtype_of<T>);
  }
  void require_elements_of(const dynamic_accumulator& to) const { require(to.element()); }
  template <class T, class Op>
  static void push(accumulator<T, Op>& to, const element_piece& p) {
    to.push(static_cast<const T*>(p.data), p.n);
  }
  static void push(dynamic_accumulator& to, const element_piece& p) { to.push(p.data, p.n); }

  detail::arrow_reader& made() const;
  std::unique_ptr<detail::arrow_reader> reader_;
};

namespace detail {

template <class Op>
inline constexpr bool gives_row = false;
template <class Op>
requires(Op::gives_index) inline constexpr bool gives_row<Op> = true;

/// The row of a position among the valid elements that are read: each piece may hold a better one.
class best_row {
 public:
  explicit best_row(const arrow_column& from) : first_(from.count()) {}
  /// After a piece was taken. position() is that among the elements so far.
  template <class Position>
  void follow(const arrow_column& from, const element_piece& p, Position position) {
    if (from.missing() == 0) return;  // positions are rows
    const std::int64_t at = first_ + position(), before = from.count() - p.n;
    if (at >= before)
      row_ = from.row(at - before);
    else if (row_ < 0)
      row_ = at;
  }
  /// That of the position among all.
  std::int64_t row_of(std::int64_t position) const { return row_ < 0 ? first_ + position : row_; }

 private:
  std::int64_t first_;
  std::int64_t row_ = -1;  ///< negative: as the position
};

}  // namespace detail

/// Reduces the rest of a column with operations of the catalog (by name, in any case), which read it once:
/// `reduce_dynamic(price, {"sum", "mean"})`. Each has the bits of reduce over the valid elements in their order,
/// however the stream is cut into batches. As with `where`, an index (argmin, argmax) counts nulls: it is the row, from
/// the beginning of the column. `result` asks for another type, if all operations round. Throws as
/// dynamic_accumulator's constructor and result and arrow_column::next do, and unknown_name's error.
ONEFOLD_API std::vector<dynamic_result> reduce_dynamic(arrow_column& from,
                                                       const std::vector<std::string_view>& operations,
                                                       const options& how = {}, std::string_view result = {});

inline namespace ONEFOLD_LEVEL {

/// The same with one operation and an element type that are known at compile time:
/// `reduce<double, op::sum>(price)`, with user-defined operations too. Throws invalid_argument, naming both types, if
/// the column has elements of another type.
template <class T, class Op, class R = default_result<T, Op>>
R reduce(arrow_column& from, const options& how = {}, Op op = {}) {
  from.require(dtype_of<T>);
  accumulator<T, Op> all(how, 0, op);
  if constexpr (detail::gives_row<Op>) {
    detail::best_row best(from);
    for (element_piece p = from.next(); p.n > 0; p = from.next()) {
      all.push(static_cast<const T*>(p.data), p.n);
      best.follow(from, p, [&] { return all.result(); });
    }
    return best.row_of(all.result());
  } else {
    from.push_to(all);
    return all.template result<R>();
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
