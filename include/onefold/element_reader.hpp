// Files and pipes larger than memory: their elements piece by piece, of which the next ones are read while one is used.
// docs/partials.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "onefold/partial.hpp"

namespace onefold {

/// Says that a file has raw elements, even if it begins as an .npy file does, and which of them are read.
struct raw_elements {
  std::int64_t offset = 0;                           ///< bytes to skip before the first element
  std::optional<std::int64_t> count = std::nullopt;  ///< elements to read; those up to the end if it is not given
};

/// The elements of a file whose type is known at run time only: what element_reader<T> is, without templates.
class ONEFOLD_API dynamic_element_reader {
 public:
  /// Opens a file: of raw elements of a type, or an .npy file, which its first bytes tell; without a type, an .npy file
  /// alone. Reads the header. Throws invalid_argument, with the file's name and the reason, for a file that cannot be
  /// opened or read, a header that is damaged or of another type, and a type outside the catalog.
  explicit dynamic_element_reader(const std::string& path, std::optional<dtype> type = std::nullopt);
  /// The same of an open descriptor, from where it stands; 0 is standard input. It is not closed, and must stay open;
  /// more of it is read than next returns.
  explicit dynamic_element_reader(int descriptor, std::optional<dtype> type = std::nullopt);
  /// Raw elements. Throws invalid_argument also for negative numbers, and for a file that ends before the first
  /// element.
  dynamic_element_reader(const std::string& path, dtype type, const raw_elements& which);
  /// The same of an open descriptor.
  dynamic_element_reader(int descriptor, dtype type, const raw_elements& which);

  /// Moves. Of one that was moved from, all but assignment and destruction throw invalid_argument.
  dynamic_element_reader(dynamic_element_reader&& other) noexcept;
  /// Moves.
  dynamic_element_reader& operator=(dynamic_element_reader&& other) noexcept;
  /// Ends the reading: a thread that waits for bytes gives up within a tenth of a second.
  ~dynamic_element_reader();

  /// The type of the elements: of an .npy file with truth values, u8.
  dtype element() const;
  /// How many elements next has returned so far.
  std::int64_t count() const;
  /// Whether it is an .npy file.
  bool is_npy() const;
  /// The shape in an .npy file's header, without an entry if the file has one element; of raw elements it is empty.
  const std::vector<std::int64_t>& shape() const;
  /// Whether an .npy file's first index varies fastest. Elements are read in the order in which they are stored.
  bool fortran() const;

  /// The next elements, 4 MiB of them while there are as many; none (n is 0) only at the end. The next call invalidates
  /// them. Throws invalid_argument, after the elements before it, if the file cannot be read on, becomes shorter, ends
  /// within an element or before the last one, or goes on after the last one of an .npy file; each call after that does
  /// the same. So it does in a child of fork() if the parent has read two pieces: the thread that reads is the
  /// parent's.
  element_piece next();

 private:
  struct impl;
  impl& made() const;
  std::unique_ptr<impl> impl_;
};

inline namespace ONEFOLD_LEVEL {

/// The elements of a file, a pipe or a device, which may be larger than memory, in the order in which they are stored:
/// raw elements of type T, or an .npy file, which its first bytes tell, of either order of axes and of bytes. A thread
/// reads the next 8 MiB while 4 MiB are used; 12 MiB of memory are the most. One thread at a time may use it; it can be
/// moved. T is an element type of the catalog, or one that is reduced as such, but bool: a file may have bytes that are
/// neither 0 nor 1.
template <class T>
class element_reader {
  static_assert(element<T> && !std::is_same_v<std::remove_cv_t<T>, bool>,
                "onefold: a file has elements of the catalog's types: read truth values as std::uint8_t");

 public:
  /// Opens a file. Throws as dynamic_element_reader's constructor does.
  explicit element_reader(const std::string& path) : reader_(path, type) {}
  /// Reads an open descriptor, from where it stands; 0 is standard input. It is not closed, and must stay open; more of
  /// it is read than next returns.
  explicit element_reader(int descriptor) : reader_(descriptor, type) {}
  /// Reads raw elements: `element_reader<float>("x.bin", {.offset = 64, .count = 1000})`.
  element_reader(const std::string& path, const raw_elements& which) : reader_(path, type, which) {}
  /// The same of an open descriptor.
  element_reader(int descriptor, const raw_elements& which) : reader_(descriptor, type, which) {}

  /// How many elements next has returned so far.
  std::int64_t count() const { return reader_.count(); }
  /// Whether it is an .npy file.
  bool is_npy() const { return reader_.is_npy(); }
  /// The shape in an .npy file's header, without an entry if the file has one element; of raw elements it is empty.
  const std::vector<std::int64_t>& shape() const { return reader_.shape(); }
  /// Whether an .npy file's first index varies fastest.
  bool fortran() const { return reader_.fortran(); }

  /// The next elements, which the call after it invalidates; empty at the end only. Throws as dynamic_element_reader's.
  std::span<const T> next() {
    const element_piece piece = reader_.next();
    return {static_cast<const T*>(piece.data), static_cast<std::size_t>(piece.n)};
  }

  /// Pushes the remaining elements into accumulators, each piece into one after another: several operations read the
  /// file once. Throws as next and push do.
  template <class... Ops>
  void push_to(accumulator<T, Ops>&... to) {
    for (std::span<const T> piece = next(); !piece.empty(); piece = next()) (to.push(piece), ...);
  }

 private:
  static constexpr dtype type = detail::element_dtype<T>;
  dynamic_element_reader reader_;
};

/// The bits of reduce<T, Op, R> over the elements of a file, in the order in which they are stored, which may be more
/// than memory holds: an index (argmax) counts from the first one. Throws as element_reader and accumulator do.
template <class T, class Op, class R = default_result<T, Op>>
R reduce_file(const std::string& path, const options& how = {}, Op op = {}) {
  element_reader<T> from(path);
  accumulator<T, Op> all(how, 0, op);
  from.push_to(all);
  return all.template result<R>();
}

/// The partial of the elements of a file, the first of which is at a position in its array: as a file that continues
/// others. Throws as reduce_file.
template <class T, class Op>
partial<T, Op> partial_of_file(const std::string& path, std::int64_t begin = 0, const options& how = {}, Op op = {}) {
  element_reader<T> from(path);
  accumulator<T, Op> all(how, begin, op);
  from.push_to(all);
  return all.partial();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
