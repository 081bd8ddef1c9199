// User-defined operations beside the catalog's sum and a kernel that only reads. They come as text, so that this
// program compiles none; in a .cu file they have the same kernels.
#include <cstring>
#include <stdexcept>
#include <string>

#include "arrays.hpp"
#include "device_time.hpp"
#include "found.hpp"
#include "onefold/onefold.hpp"
#include "peers.hpp"
#include "shapes.hpp"

namespace bench {
namespace {

/// A sum of elements E in a state of one number S.
template <class E>
onefold::source_operation sum_in(const char* element, const char* state) {
  return {.name = "own_sum", .element = onefold::dtype_of<E>, .text = std::string(R"(
    struct own_sum {
      struct state { )") + state + R"( sum; };
      static constexpr state identity() { return {0}; }
      static constexpr state lift()" + element + R"( x) { return {x}; }
      static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
      static constexpr )" + state + R"( finish(state s) { return s.sum; }
    };
  )"};
}

template <class E, class S>
void measure(const char* type, const char* element, const char* state, int max_log2) {
  const std::int64_t most_bytes = std::int64_t{4} << max_log2;
  constexpr std::int64_t size = sizeof(E);
  elements<E> d(most_bytes / size);
  d.fill(most_bytes / size);
  on_device<S> out;
  on_device<onefold::default_result<E, onefold::op::sum>> other_out;
  const onefold::options there{.backend = onefold::backend::cuda};
  for (const std::int64_t n : {std::int64_t{1} << 20, std::int64_t{10'000'000}, most_bytes / size}) {
    if (n * size > most_bytes) continue;
    onefold::dynamic_plan own(sum_in<E>(element, state), n, there);
    onefold::plan<E, onefold::op::sum> cataloged(n, there);
    const std::string name = std::string("onefold, own operation, state of ") + state;
    for (int turn = 0; turn < 2; ++turn) {  // twice, one after the other
      add("own", "sum", type, n, size, "ceiling",
          device_microseconds(n * size, [&](cudaStream_t s, int i) { read_only(d.at(i), n * size / 16 * 16, s); }));
      add("own", "sum", type, n, size, name.c_str(),
          device_microseconds(n * size, [&](cudaStream_t s, int i) { own.enqueue(d.at(i), n, out.p, s); }));
      add("own", "sum", type, n, size, "onefold",
          device_microseconds(n * size, [&](cudaStream_t s, int i) { cataloged.enqueue(d.at(i), n, other_out.p, s); }));
    }
    S wanted;
    onefold::dynamic_plan(sum_in<E>(element, state), n, {.backend = onefold::backend::openmp})
        .run(d.x.data(), n, &wanted);
    const S got = out.get();
    if (std::memcmp(&wanted, &got, sizeof got) != 0) throw std::runtime_error(name + ": wrong bits");
  }
}

}  // namespace

void measure_own_operations(int max_log2) {
  measure<float, float>("f32", "float", "float", max_log2);
  measure<float, double>("f32", "float", "double", max_log2);
  measure<double, double>("f64", "double", "double", max_log2);
  measure<std::int16_t, float>("i16", "std::int16_t", "float", max_log2);
}

}  // namespace bench
