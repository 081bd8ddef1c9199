// How the rows of one element type are worked on at one instruction-set level: the functions of row_operation.cpp.
//
// Elements are widened to V, f32 or f64 (for f64). What crosses here without a type is V widened to f64, which is
// exact.
#pragma once

#include <cstdint>

#include "onefold/row_request.hpp"

namespace onefold::detail {

constexpr bool is_exponential(row_operation o) { return o <= row_operation::logsumexp; }
constexpr bool is_moments_based(row_operation o) {
  return o == row_operation::layer_norm || o == row_operation::standardize;
}
/// Whether an operation of the catalog folds the lines, and not functions of row_recipe.
constexpr bool is_folded_by_catalog(row_operation o) {
  return is_moments_based(o) || o == row_operation::rms_norm || o == row_operation::normalize_l2;
}

/// The state of a page or a line. Of softmax and its kin: the sum s of exp(x - c), where c is the largest element, or 0
/// where that is infinite. Of a norm, s alone.
struct row_state {
  double c, s;
};

/// What a line's, or of softmax a page's, elements are mapped with: (x - shift) * factor; of softmax
/// exp(x - shift) * factor, of log_softmax (x - shift) - factor.
struct row_map {
  double shift, factor;
};

/// Neighboring lines, whose elements are contiguous, as their results are.
struct row_block {
  const void* data;
  std::int64_t across;     ///< elements from the first one of a line to that of the next
  void* results;           ///< may be `data`, where both lie alike
  std::int64_t to_across;  ///< results from the first one of a line to that of the next
  std::int64_t lines;
  std::int64_t n;          ///< elements of each
  std::int64_t ahead = 0;  ///< bytes from an element to one that is read later, which is prefetched; itself if 0
};

/// Neighboring lines that go along columns: of each number, their elements are contiguous, as their results are.
struct column_block {
  const void* data;
  std::int64_t along;     ///< elements from one of a line to its next
  void* results;          ///< may be `data`, where both lie alike
  std::int64_t to_along;  ///< results from one of a line to its next
  std::int64_t lines;     ///< up to most_columns
  std::int64_t n;         ///< elements of each
};
constexpr std::int64_t most_columns = 1024;

/// The functions. None of them throws; all may run on several threads at once.
struct row_recipe {
  std::int64_t page;        ///< elements of V's page: what softmax and the norms l1 and max are folded by
  std::int64_t value_size;  ///< bytes of V
  std::int64_t room_size;   ///< bytes of a room: a page of V and a pack, at 64 bytes
  std::int64_t maps_size;   ///< bytes of a room for the maps of columns, at 64 bytes

  /// softmax, log_softmax or logsumexp of lines of up to a page, of at least one element.
  void (*exponentials)(row_operation, const row_block&, void* room);

  /// The state of n elements, 1 to a page, of softmax and its kin, or of a norm, l1 or max. The room gets exp(x - c) of
  /// each element, or |x|.
  row_state (*page_state)(row_operation, const void* data, std::int64_t n, void* room);

  /// The state of a line from those of its pages, at least one, in the aligned tree.
  row_state (*line_state)(row_operation, const row_state* pages, std::int64_t count);

  /// The map of softmax for a page, given the state of its line; of log_softmax and the norms for the line.
  row_map (*map_of)(row_operation, row_state page, row_state line, double eps);

  /// The maps of lines of n elements from the results of the catalog's operations for each: moments_result, or the sum
  /// of squares in f64.
  void (*maps_of_statistics)(row_operation, const void* statistics, std::int64_t lines, std::int64_t n, double eps,
                             row_map* maps);

  /// Maps lines, with a map each. Weight and bias: null, or of the first element here.
  void (*map)(row_operation, const row_block&, const row_map* maps, const void* weight, const void* bias);

  /// results = e * factor, of exponentials that page_state left.
  void (*scale)(const void* e, std::int64_t n, double factor, void* results);

  /// What the states of columns of up to a page are sums or largest values of, as page_state says: row by row, `lines`
  /// apart, at `values`, with room for a pack more. Of softmax and its kin, `largest` has the largest element of each
  /// column, and shifts gets the c of each state, or +infinity where that is the largest element: then s is +infinity,
  /// whatever the sum. `room` has maps_size bytes, here as below.
  void (*column_values)(row_operation, const column_block&, const void* largest, double* shifts, void* values,
                        void* room);

  /// As `map`, for columns.
  void (*map_columns)(row_operation, const column_block&, const row_map* maps, const void* weight, const void* bias,
                      void* room);

  /// As `scale`: results = e * factor, of exponentials that column_values left.
  void (*scale_columns)(const void* e, const column_block&, const row_map* maps, void* room);

  /// The result of logsumexp.
  void (*finish)(row_state line, void* result);

  /// Writes a number of V.
  void (*store)(double x, void* value);

  /// Writes the statistics of a line, which its map consists of.
  void store_statistics(const row_map& of, std::int64_t line, const row_memory& m) const {
    store(of.shift, static_cast<char*>(m.mean) + line * value_size);
    store(of.factor, static_cast<char*>(m.rstd) + line * value_size);
  }
};

}  // namespace onefold::detail
