// Fills in the record of an operation as text. The file that the library writes around such a text includes this, and
// so little that it compiles quickly.
#pragma once

#include "onefold/detail/few_intrinsics.hpp"
#ifdef ONEFOLD_FEW_INTRINSICS
#define _IMMINTRIN_H_INCLUDED  // g++'s guard, while onefold's headers are read
#endif
#include "onefold/detail/custom.hpp"
#include "onefold/detail/fold_layout.hpp"
#include "onefold/detail/source_record.hpp"
#include "onefold/version.hpp"
#ifdef ONEFOLD_FEW_INTRINSICS
#undef _IMMINTRIN_H_INCLUDED
#endif

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The record of operation Op over elements T, or one message that says what the operation lacks.
template <class Op, class T>
struct source_record_of {
  static_assert(sizeof(typename custom<Op, T>::described) != 0);  // where it lacks something, its own message
  static_assert(std::is_default_constructible_v<Op>, "onefold: an operation as text needs a default constructor");
  static constexpr bool complete = custom<Op, T>::complete && std::is_default_constructible_v<Op>;

  static const source_record* get() {
    if constexpr (complete) {
      using result = typename custom<Op, T>::result;
      static_assert(alignof(result) <= 8, "onefold: a result is aligned to at most 8 bytes");
      static const Op op{};
      static const source_record record{sizeof(source_record), &custom<Op, T>::record(),  &op,
                                        dtype_of<result>,      custom<Op, T>::takes_init, fold_layout_of<Op, T>};
      return &record;
    } else {
      return nullptr;
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
