// Products of complex numbers.
#include "onefold/complex.hpp"

#include "onefold/detail/make_recipe.hpp"

namespace onefold::detail {
namespace {

/// The fold of complex_product over complex numbers with parts T.
template <class T>
struct product_fold {
  struct state {
    double real, imaginary;
  };
  state identity() const { return {1, 0}; }
  state lift(const std::complex<T>& x) const { return {x.real(), x.imag()}; }
  state combine(const state& a, const state& b) const {
    return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
  }
  std::complex<T> finish(const state& s) const { return {round_to<T>(s.real), round_to<T>(s.imaginary)}; }
};

template <class T>
constexpr recipe record = make_recipe<product_fold<T>, std::complex<T>, type_list<std::complex<T>>>("product", true);

}  // namespace

const recipe& complex_products(dtype part) { return part == dtype::f32 ? record<float> : record<double>; }

}  // namespace onefold::detail
