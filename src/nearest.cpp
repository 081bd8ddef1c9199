// "Did you mean": the name that a wrong word was probably meant to be, and the error that says so.
#include <algorithm>
#include <string>
#include <vector>

#include "ascii.hpp"
#include "onefold/error.hpp"
#include "onefold/options.hpp"

namespace onefold {
namespace {

/// What a word from elsewhere (NumPy, C++, statistics, other libraries) is called here.
struct synonym {
  std::string_view word, name;
};
constexpr synonym synonyms[] = {
    {"add", "sum"},
    {"plus", "sum"},
    {"total", "sum"},
    {"accumulate", "sum"},
    {"nansum", "sum"},
    {"fsum", "sum"},
    {"mul", "product"},
    {"multiply", "product"},
    {"multiplies", "product"},
    {"times", "product"},
    {"nanprod", "product"},
    {"minimum", "min"},
    {"amin", "min"},
    {"smallest", "min"},
    {"min_element", "argmin"},
    {"maximum", "max"},
    {"amax", "max"},
    {"largest", "max"},
    {"max_element", "argmax"},
    {"nanmin", "fmin"},
    {"nanmax", "fmax"},
    {"nanargmin", "argmin"},
    {"nanargmax", "argmax"},
    {"range", "ptp"},  // where statistics are among the choices
    {"range", "minmax"},
    {"extremes", "minmax"},
    {"minmax_element", "minmax"},
    {"ptp", "minmax"},
    {"avg", "mean"},
    {"average", "mean"},
    {"nanmean", "mean"},
    {"var", "variance"},
    {"nanvar", "variance"},
    {"var_samp", "sample_variance"},
    {"var_pop", "variance"},
    {"std", "stddev"},
    {"sd", "stddev"},
    {"sigma", "stddev"},
    {"nanstd", "stddev"},
    {"deviation", "stddev"},
    {"stddev_samp", "sample_stddev"},
    {"stddev_pop", "stddev"},
    {"median", "quantile"},
    {"percentile", "quantile"},
    {"quartiles", "quantile"},
    {"skew", "skewness"},
    {"kurtosis", "excess_kurtosis"},
    {"peak_to_peak", "ptp"},
    {"weighted_average", "weighted_mean"},
    {"pearson", "correlation"},
    {"inner_product", "dot"},
    {"weighted_sum", "dot"},
    {"gmean", "geometric_mean"},
    {"hmean", "harmonic_mean"},
    {"norm", "norm2"},
    {"l1", "norm1"},
    {"l1norm", "norm1"},
    {"manhattan", "norm1"},
    {"l2", "norm2"},
    {"l2norm", "norm2"},
    {"nrm2", "norm2"},
    {"euclidean", "norm2"},
    {"linf", "norm_inf"},
    {"max_norm", "norm_inf"},
    {"normalize_linf", "normalize_max"},
    {"prefix_sum", "cumsum"},
    {"partial_sum", "cumsum"},
    {"cumulative_sum", "cumsum"},
    {"running_total", "cumsum"},
    {"logaddexp", "logsumexp"},
    {"sumsq", "sum_squares"},
    {"ssq", "sum_squares"},
    {"len", "count"},
    {"length", "count"},
    {"size", "count"},
    {"nnz", "count"},
    {"count_nonzero", "count"},
    {"every", "all"},
    {"logical_and", "all"},
    {"some", "any"},
    {"logical_or", "any"},
    {"and", "bit_and"},
    {"or", "bit_or"},
    {"xor", "bit_xor"},
    {"parity", "bit_xor"},
    {"nvidia", "cuda"},
    {"cub", "cuda"},
    {"onetbb", "tbb"},
    {"scalar", "sequential"},
    {"single", "sequential"},
    {"single", "f32"},
    {"compensated", "kahan"},
    {"neumaier", "kahan"},
    {"correct", "exact"},
    {"avx2", "x86-64-v3"},
    {"avx512", "x86-64-v4"},
    {"float", "f32"},
    {"float32", "f32"},
    {"double", "f64"},
    {"float64", "f64"},
    {"half", "f16"},
    {"float16", "f16"},
    {"fp16", "f16"},
    {"fp32", "f32"},
    {"fp64", "f64"},
    {"bfloat16", "bf16"},
    {"byte", "u8"},
    {"char", "i8"},
    {"int8", "i8"},
    {"short", "i16"},
    {"int16", "i16"},
    {"int", "i32"},
    {"int32", "i32"},
    {"long", "i64"},
    {"int64", "i64"},
    {"bool", "u8"},
    {"uint8", "u8"},
    {"uint16", "u16"},
    {"unsigned", "u32"},
    {"uint32", "u32"},
    {"uint64", "u64"},
};

using detail::equals_ignoring_case;
using detail::lower;

/// The Damerau-Levenshtein distance (optimal string alignment) without regard to case: letters inserted, left out,
/// replaced, or swapped with a neighbor.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto same = [&](std::size_t i, std::size_t j) { return lower(a[i - 1]) == lower(b[j - 1]); };
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j - 1] + (same(i, j) ? 0 : 1), d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j)) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// Whether a word at this distance may be a slip: one letter in four, at least one, but never all of a word. With one
/// in three, median would mean mean.
bool is_near(std::size_t distance, std::string_view word, std::string_view name) {
  const auto [shorter, longer] = std::minmax({word.size(), name.size()});
  return distance <= std::max<std::size_t>(1, longer / 4) && distance < shorter;
}

/// Whether the word is the beginning of the name: an abbreviation.
bool abbreviates(std::string_view word, std::string_view name) {
  return !word.empty() && equals_ignoring_case(word, name.substr(0, word.size()));
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
  // No typed word is longer; the table of distances grows with it.
  constexpr std::size_t longest = 200;
  if (word.size() > longest) return {};
  for (const synonym& s : synonyms)
    if (equals_ignoring_case(s.word, word))
      if (const auto found = std::ranges::find(candidates, s.name); found != candidates.end()) return *found;
  const bool only_longer =
      std::ranges::any_of(candidates, [&](std::string_view candidate) { return abbreviates(word, candidate); });
  std::string_view best;
  std::size_t least = static_cast<std::size_t>(-1);
  for (const std::string_view candidate : candidates) {
    if (only_longer && !abbreviates(word, candidate)) continue;
    const std::size_t d = distance(word, candidate);
    if (d < least && (only_longer || is_near(d, word, candidate))) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

error unknown_name(std::string_view what, std::string_view word, std::span<const std::string_view> names) {
  std::string text = "unknown ";
  text.append(what).append(" ").append(detail::in_quotes(word));
  const std::string_view nearest = nearest_name(word, names);
  if (nearest.empty())
    text += "; choices:";
  else
    text.append("; did you mean ").append(nearest).append("? Choices:");
  const char* separator = " ";
  for (const std::string_view name : names) {
    text.append(separator).append(name);
    separator = ", ";
  }
  return {error_code::invalid_argument, text};
}

}  // namespace onefold
