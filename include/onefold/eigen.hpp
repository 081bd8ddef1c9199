// Eigen's vectors, matrices and arrays as array_views, for reductions over axes; needs Eigen 3.4.
//
// A vector has one axis; everything else has two, rows and columns, in whatever order they lie in memory.
#pragma once

#include <Eigen/Core>
#include <type_traits>
#include <utility>

#include "onefold/array_view.hpp"

namespace onefold {
namespace detail {

template <class Derived>
Derived eigen_type(const Eigen::EigenBase<Derived>&);

/// Everything that Eigen calculates with: sparse and triangular matrices too.
template <class M>
concept eigen_like = requires(const M& m) {
  typename decltype(eigen_type(m))::Scalar;
};

/// Whether the coefficients lie in memory, at strides: a Matrix, an Array, and a Map, Ref, Block, Transpose or the like
/// of such. Some expressions of Eigen's have strides but no pointer.
template <class M>
concept eigen_in_memory = (Eigen::internal::traits<M>::Flags & Eigen::DirectAccessBit) != 0 && requires(const M& m) {
  m.data();
  m.rowStride();
  m.colStride();
};

/// Whether the strides that M tells are right. Eigen 3.4 forgets the inner stride of what it takes a diagonal of, or
/// reshapes, where that is not 1.
template <class M>
struct eigen_strides_hold : std::true_type {};
template <class M>
requires requires(const M& m) { m.nestedExpression(); }
struct eigen_strides_hold<M>
    : eigen_strides_hold<std::remove_cvref_t<decltype(std::declval<const M&>().nestedExpression())>> {};
template <class Of, int index>
struct eigen_strides_hold<Eigen::Diagonal<Of, index>>
    : std::bool_constant<eigen_strides_hold<std::remove_cv_t<Of>>::value &&
                         Eigen::internal::inner_stride_at_compile_time<Of>::ret == 1> {};
template <class Of, int rows, int columns, int order>
struct eigen_strides_hold<Eigen::Reshaped<Of, rows, columns, order>> : eigen_strides_hold<Eigen::Diagonal<Of, 0>> {};

/// Whether M has memory of its own. A Ref of const may: it copies what does not fit its strides.
template <class M>
inline constexpr bool eigen_owns = std::is_base_of_v<Eigen::PlainObjectBase<M>, M>;
template <class Of, int options, class Stride>
inline constexpr bool eigen_owns<Eigen::Ref<const Of, options, Stride>> = true;

}  // namespace detail

/// Eigen's dense objects. A view of one is valid until the object that has the memory is resized or ends; a Block or
/// the like of a temporary dangles as it does in Eigen.
template <detail::eigen_like M>
struct view_traits<M> {
 private:
  using derived = decltype(detail::eigen_type(std::declval<const M&>()));

 public:
  using element_type = std::remove_cv_t<typename derived::Scalar>;
  static constexpr bool owns_elements = detail::eigen_owns<derived>;
  static array_view<element_type> view(const M& array) {
    static_assert(detail::eigen_in_memory<derived>,
                  "onefold: the elements of this Eigen expression are not in memory at strides: evaluate it into a "
                  "named Matrix or Array first");
    static_assert(!detail::eigen_in_memory<derived> || detail::eigen_strides_hold<derived>::value,
                  "onefold: Eigen does not report the right strides of a diagonal or a reshaped array unless the inner "
                  "stride is 1 at compile time: evaluate it into a named Matrix or Array first");
    const derived& m = array.derived();
    if constexpr (!detail::eigen_in_memory<derived>)
      return {nullptr, {}};
    else if constexpr (derived::IsVectorAtCompileTime)
      return {m.data(), {m.size()}, {m.innerStride()}};
    else
      return {m.data(), {m.rows(), m.cols()}, {m.rowStride(), m.colStride()}};
  }
};

}  // namespace onefold
