// Kokkos: parallel_reduce in the host's default execution space, chosen when Kokkos was built.
#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <type_traits>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct kokkos {
  using space = Kokkos::DefaultHostExecutionSpace;
  static constexpr const char* name = "Kokkos";
#ifdef KOKKOS_ENABLE_OPENMP
  static constexpr runtime needs = std::is_same_v<space, Kokkos::OpenMP> ? runtime::openmp : runtime::none;
#else
  static constexpr runtime needs = runtime::none;
#endif
  // Both sets of flags share one Kokkos, which ends with the process. Its OpenMP space takes as many threads as
  // OpenMP has been told to.
  static void begin() {
    if (Kokkos::is_initialized()) return;
    Kokkos::initialize();
    std::atexit([] { Kokkos::finalize(); });
  }
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    begin();
    total<T> s{};
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<space>(0, static_cast<std::size_t>(n)),
        KOKKOS_LAMBDA(std::size_t i, total<T> & t) { t += p[i]; }, s);
    return s;
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    begin();
    T m{};
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<space>(0, static_cast<std::size_t>(n)),
        KOKKOS_LAMBDA(std::size_t i, T & t) { t = p[i] > t ? p[i] : t; }, Kokkos::Max<T>(m));
    return m;
  }
};

ONEFOLD_BENCH_PEER(kokkos)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
