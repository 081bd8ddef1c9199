// The record of a row operation that crosses a library border: what is done to which lines, and where its memory is.
#pragma once

#include <cstdint>

#include "onefold/problem.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// What is done to each line. docs/row-operations.md has the formulas.
enum class row_operation : std::uint8_t {
  softmax,        ///< exp(x - max) / sum of exp(x - max)
  log_softmax,    ///< the logarithm of that
  logsumexp,      ///< log(sum of exp(x)), one a line
  layer_norm,     ///< (x - mean) / sqrt(variance + eps), times weight, plus bias
  rms_norm,       ///< x / sqrt(mean of squares + eps), times weight
  normalize_l1,   ///< x / max(sum of |x|, eps)
  normalize_l2,   ///< x / max(root of the sum of squares, eps)
  normalize_max,  ///< x / max(largest |x|, eps)
  standardize,    ///< (x - mean) / standard deviation
};

/// Which operation, on which lines. Elements are f16, bf16, f32 or f64, and results have their type.
struct row_request {
  std::uint32_t size;       ///< sizeof(row_request)
  row_operation operation;  ///< what is done
  dtype element;            ///< of data, results, weights and biases
  bool has_weight;          ///< whether layer_norm or rms_norm multiplies by weights
  bool has_bias;            ///< whether layer_norm adds biases
  bool gives_statistics;    ///< whether layer_norm writes the mean and the reciprocal deviation of each line, too
  double eps;               ///< of layer_norm, rms_norm and the normalize operations
  problem from;             ///< the lines: the kept axes say where they begin, the reduced ones how they go on
  problem to;  ///< the same of the results; its axes are those of `from`, with other strides. logsumexp has
               ///< one result a line: the strides of the reduced axes are then 0
};

/// The memory of one run. No pointer but the optional ones is null where there are elements.
struct row_memory {
  const void* data;    ///< the first element of the first line
  void* results;       ///< the first result
  const void* weight;  ///< null, or an element for each place along a line, one after another
  const void* bias;    ///< likewise
  void* mean;          ///< null, or of the type that elements are widened to (f32; f64 for f64), one a line, in C order
  void* rstd;          ///< the same of the reciprocal standard deviation; null where `mean` is, and only there
};

}  // namespace onefold
