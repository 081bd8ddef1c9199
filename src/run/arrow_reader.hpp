// Reads Arrow arrays, which it owns: in place where they have neither nulls nor bits nor odd addresses, else by copies
// of a batch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "arrow_type.hpp"
#include "cpu.hpp"
#include "onefold/arrow.hpp"
#include "run/mask_words.hpp"

namespace onefold::detail {

/// A struct of the C interfaces, which is released once.
template <class Struct>
class owned {
 public:
  owned() = default;
  /// Moves it from where a caller or a producer has it, if it has one.
  explicit owned(Struct* from) { take(from); }
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  ~owned() { release(); }

  void take(Struct* from) {
    release();
    if (!from || !from->release) return;
    held_ = *from;
    from->release = nullptr;
  }
  void release() {
    if (held_.release) held_.release(&held_);
    held_.release = nullptr;
  }
  bool is_released() const { return held_.release == nullptr; }
  Struct* get() { return &held_; }
  Struct* operator->() { return &held_; }

 private:
  Struct held_ = {};
};

/// The places of nulls in an array; none where bits is null.
struct arrow_validity {
  const unsigned char* bits = nullptr;
  std::int64_t first = 0;  ///< the bit of the first element

  void words(std::int64_t at, std::int64_t n, std::uint64_t* to) const { words_of_bits(bits, first + at, n, to); }
};

/// Reads a column: does the work of arrow_column, without its checks.
struct arrow_reader {
  owned<ArrowArrayStream> stream;
  owned<ArrowArray> array;  ///< the batch that is read
  std::int64_t child = -1;  ///< of the batch; -1: it has the elements itself
  std::int64_t children = 0;
  std::string name;
  arrow_type type = {};
  isa level = choose_level({});
  bool failed = false;
  std::int64_t count = 0, missing = 0;

  // What is read of the batch.
  const unsigned char* elements = nullptr;  ///< null between batches
  std::int64_t bit = 0;                     ///< of bits: the one of the first element
  std::array<arrow_validity, 2> nulls;      ///< the column's, and the struct's that it is in
  bool has_nulls = false;
  std::int64_t length = 0, at = 0;

  // The piece that was returned.
  std::int64_t first_row = 0, piece = 0;
  bool compressed = false;
  std::unique_ptr<std::uint64_t[]> words, staged, packed;  // of a batch; elements have 8 bytes at most

  std::int64_t width() const { return size_of(type.element); }
  /// Whether the element at x can be read as its type; widths are powers of two.
  bool is_aligned(const void* x) const {
    return (reinterpret_cast<std::uintptr_t>(x) & static_cast<std::uintptr_t>(width() - 1)) == 0;
  }

  void choose(const ArrowSchema& schema, const arrow_field& field);
  bool fetch();
  void open();
  arrow_validity validity_of(const ArrowArray& a, std::int64_t first) const;
  void check_array(const ArrowArray& a, std::int64_t buffers) const;
  const char* next_in_place(std::int64_t n);
  element_piece read();

  [[noreturn]] void refuse_array(const std::string& why) const;
  [[noreturn]] void fail_stream(const char* what, int reason);
};

}  // namespace onefold::detail
