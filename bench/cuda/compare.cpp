#include "compare.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "device_time.hpp"
#include "found.hpp"
#include "onefold/onefold.hpp"
#include "peers.hpp"

namespace bench {
namespace {

/// The exact sum of an array as that of two numbers: the one nearest to it, and what is left.
template <class T>
std::array<double, 2> exact_answer(std::span<const T> x) {
  onefold::exact_sum<double> sum;
  sum.push(std::vector<double>(x.begin(), x.end()));
  const double nearest = sum.value();
  sum.push(-nearest);
  return {nearest, sum.value()};
}

template <class T>
void compare(const char* type, int max_log2) {
  const int most = std::min(28, max_log2) - (sizeof(T) == 8);
  elements<T> d(std::int64_t{1} << most);
  for (const int log2 : {16, 20, 24, most}) {
    if (log2 > most || (log2 == most && most <= 24)) continue;
    const std::int64_t n = std::int64_t{1} << log2, bytes = n * static_cast<std::int64_t>(sizeof(T));
    d.fill(n);
    on_device<T> out;
    const cub_memory temporary(d, n, out.p);
    std::size_t room = temporary.bytes();
    onefold::plan<T, onefold::op::sum> native(n, {.backend = onefold::backend::cuda});
    onefold::plan<T, onefold::op::sum> exact(n,
                                             {.backend = onefold::backend::cuda, .accuracy = onefold::accuracy::exact});
    struct contender {
      std::string who;
      std::function<void(cudaStream_t, int)> enqueue;
    };
    std::vector<contender> list{
        {"onefold", [&](cudaStream_t s, int i) { native.enqueue(d.at(i), n, out.p, s); }},
        {"onefold, exact", [&](cudaStream_t s, int i) { exact.enqueue(d.at(i), n, out.p, s); }},
        {"reading alone", [&](cudaStream_t s, int i) { read_only(d.at(i), bytes, s); }},
        {"CUB", [&](cudaStream_t s, int i) { cub_sum<T>(temporary.data(), room, d.at(i), out.p, n, s); }}};
    for (const guarantee g : cub_guarantees())
      list.push_back(
          {std::string("CUB, ") + name_of(g), [&, g](cudaStream_t s, int i) { cub_sum<T>(g, d.at(i), out.p, n, s); }});
    const auto to_host = [&](int i) { return native(d.at(i), n); };
    const auto thrust = [&](int i) { return thrust_sum(d.at(i), n); };
    for (int turn = 0; turn < 2; ++turn) {
      for (const contender& c : list)
        add("peers", "sum", type, n, sizeof(T), c.who.c_str(), device_microseconds(bytes, c.enqueue));
      add("peers", "sum to the host", type, n, sizeof(T), "onefold", host_microseconds(100, to_host));
      add("peers", "sum to the host", type, n, sizeof(T), "Thrust", host_microseconds(100, thrust));
    }
    if (log2 != 20 && log2 != 24) continue;
    const auto answer = [&](const std::string& who, const std::function<T(int)>& run) {
      std::set<double> different;
      for (int i = 0; i < 20; ++i) different.insert(static_cast<double>(run(i)));
      found().answers.push_back(
          {{"op", "sum"}, {"dtype", type}, {"n", n}, {"who", who}, {"runs", 20}, {"values", different}});
    };
    for (const contender& c : list)
      if (c.who != "reading alone")
        answer(c.who, [&](int i) {
          c.enqueue(nullptr, i);
          return out.get();
        });
    answer("Thrust", thrust);
    found().exact[std::string("sum/") + type + "/" + std::to_string(n)] =
        exact_answer(std::span<const T>(d.x).first(static_cast<std::size_t>(n)));
  }
}

}  // namespace

void compare_peers(int max_log2) {
  compare<float>("f32", max_log2);
  compare<double>("f64", max_log2);
}

}  // namespace bench
