// The catalog's scans over one element type for the device: of the operations that have a scan verb. The build
// defines ONEFOLD_ELEMENT.
#include "instances.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/folds.hpp"
#include "results.cuh"
#include "scans/line.cuh"

namespace onefold::cuda {
namespace {

template <class T, class... Ops>
constexpr scan_table table_of(type_list<Ops...>) {
  scan_table t{};
  int i = 0;
  const auto row = [&]<class Op>() {
    if constexpr (cataloged<Op, T> && Op::has_scan_verb)
      for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
        using F = detail::fold_of<Op, T, A>;
        using R = detail::element_result<Op, T>;
        using functions = detail::line_functions<F, T, R>;
        // Exact sums of integers may have no result, which kernels cannot say.
        constexpr bool may_refuse = requires(const detail::tree_state<F, T>& s, const R* init) {
          F::why_no_result(s, init);
        };
        if constexpr (!detail::adds_exactly<F> && !may_refuse)
          t.rows[i][static_cast<int>(A)] = detail::device_scan_by<functions>();
      });
    ++i;
  };
  (row.template operator()<Ops>(), ...);
  return t;
}

constinit const scan_table table = table_of<ONEFOLD_ELEMENT>(operations{});

}  // namespace

template <>
const scan_table& scans_over<ONEFOLD_ELEMENT>() {
  return table;
}

}  // namespace onefold::cuda
