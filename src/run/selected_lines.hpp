// Selected elements of lines: compressed into a tile, where each line is as if it had no others, and results expanded
// to their places.
#pragma once

#include <cstdint>

#include "onefold/detail/selection.hpp"
#include "onefold/row_request.hpp"
#include "run/selection_reader.hpp"

namespace onefold::detail {

/// How a block of neighboring lines is compressed, and its results expanded.
class selected_lines {
 public:
  /// For blocks of up to `width` lines. `level`: the instructions that may be used.
  selected_lines(const row_request& what, const selection& by, isa level, std::int64_t width);

  /// Memory for a block.
  struct room {
    char* tile;            ///< the selected elements of each line; then their results
    std::uint64_t* words;  ///< the mask of each line
    std::int64_t* counts;  ///< how many elements of each are selected
    char* batch;           ///< for the reader
    char* weight;          ///< of the selected places of a line,
    char* bias;            ///< and its bias
  };
  /// Its bytes, at 64 bytes.
  std::int64_t room_bytes() const { return end_; }
  room room_at(char* memory) const;

  /// Elements in a tile from the first one of a line to that of the next.
  std::int64_t across() const { return across_; }

  /// Compresses lines [first, first + count).
  void compress_lines(const selected_data& from, std::int64_t first, std::int64_t count, const room& r) const;

  /// The weights or biases of the selected places of a line of the block, in `to`; null where there are none.
  const void* compress_parameter(const void* parameter, std::int64_t line, const room& r, char* to) const;

  /// Expands the results of the first `count` lines of the tile to `results`, that of the first line and place.
  void expand_lines(std::int64_t count, const room& r, char* results) const;
  /// Expands those of one line within the tile, and returns where they are.
  const char* expand_line(std::int64_t line, const room& r) const;

 private:
  void expand_to(std::int64_t line, const room& r, char* to) const;
  const std::uint64_t* words_of(std::int64_t line, const room& r) const { return r.words + line * words_for(n_); }

  const problem to_;
  axis inner_to_;  ///< the axis along which lines are neighbors, of the results
  std::int64_t n_, size_, across_;
  isa level_;
  std::uint64_t fill_;
  selection_reader reader_;
  std::int64_t offsets_[6] = {}, end_ = 0;
};

}  // namespace onefold::detail
