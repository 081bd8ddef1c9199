// What verbs say of a pointer and a length: overloads that do not compile. They take a pointer as a user-defined
// `float sum(const float*, int)` does, so that `using namespace onefold;` leaves the user's function chosen.
#pragma once

#include "onefold/axes.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/options.hpp"

#define ONEFOLD_REFUSE_POINTER(verb)                          \
  template <class T>                                          \
  int verb(const T*, const axis_list&, const options& = {}) { \
    static_cast<void>(detail::explained<const T*>{});         \
    return {};                                                \
  }

/// @cond
namespace onefold {
inline namespace ONEFOLD_LEVEL {

ONEFOLD_REFUSE_POINTER(sum)
ONEFOLD_REFUSE_POINTER(product)
ONEFOLD_REFUSE_POINTER(mean)
ONEFOLD_REFUSE_POINTER(sum_squares)
ONEFOLD_REFUSE_POINTER(norm2)
ONEFOLD_REFUSE_POINTER(sum_with_bound)
ONEFOLD_REFUSE_POINTER(min)
ONEFOLD_REFUSE_POINTER(max)
ONEFOLD_REFUSE_POINTER(fmin)
ONEFOLD_REFUSE_POINTER(fmax)
ONEFOLD_REFUSE_POINTER(argmin)
ONEFOLD_REFUSE_POINTER(argmax)
ONEFOLD_REFUSE_POINTER(minmax)
ONEFOLD_REFUSE_POINTER(moments)
ONEFOLD_REFUSE_POINTER(variance)
ONEFOLD_REFUSE_POINTER(sample_variance)
ONEFOLD_REFUSE_POINTER(stddev)
ONEFOLD_REFUSE_POINTER(sample_stddev)
ONEFOLD_REFUSE_POINTER(count)
ONEFOLD_REFUSE_POINTER(all)
ONEFOLD_REFUSE_POINTER(any)
ONEFOLD_REFUSE_POINTER(bit_and)
ONEFOLD_REFUSE_POINTER(bit_or)
ONEFOLD_REFUSE_POINTER(bit_xor)
ONEFOLD_REFUSE_POINTER(nansum)
ONEFOLD_REFUSE_POINTER(nanproduct)
ONEFOLD_REFUSE_POINTER(nanmin)
ONEFOLD_REFUSE_POINTER(nanmax)
ONEFOLD_REFUSE_POINTER(nanargmin)
ONEFOLD_REFUSE_POINTER(nanargmax)
ONEFOLD_REFUSE_POINTER(nanminmax)
ONEFOLD_REFUSE_POINTER(nansum_with_bound)
ONEFOLD_REFUSE_POINTER(nansum_squares)
ONEFOLD_REFUSE_POINTER(nannorm2)
ONEFOLD_REFUSE_POINTER(nanmean)
ONEFOLD_REFUSE_POINTER(nanmoments)
ONEFOLD_REFUSE_POINTER(nanvariance)
ONEFOLD_REFUSE_POINTER(nansample_variance)
ONEFOLD_REFUSE_POINTER(nanstddev)
ONEFOLD_REFUSE_POINTER(nansample_stddev)
ONEFOLD_REFUSE_POINTER(median)
ONEFOLD_REFUSE_POINTER(nanmedian)
ONEFOLD_REFUSE_POINTER(summary)
ONEFOLD_REFUSE_POINTER(nansummary)
ONEFOLD_REFUSE_POINTER(cumsum)
ONEFOLD_REFUSE_POINTER(cumprod)
ONEFOLD_REFUSE_POINTER(cummin)
ONEFOLD_REFUSE_POINTER(cummax)

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
/// @endcond

#undef ONEFOLD_REFUSE_POINTER
