#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "cub_histograms.hpp"
#include "histogram.hpp"
#include "onefold/histogram.hpp"
#include "run/bin_limits.hpp"
#include "shapes.hpp"
#include "turns.hpp"

namespace bench {
namespace {

using namespace onefold;

enum class spread { uniform, equal, normal };
constexpr const char* names[] = {"uniform", "all equal", "normal"};

/// Bins that span nearly all elements: from 0 to 1, of integers the whole range up to 2^24, of u8 all values.
template <class T>
constexpr double end_of_bins = detail::is_float<T> ? 1
                               : sizeof(T) == 1    ? 256
                                                   : 1 << 24;

template <class T>
std::vector<T> elements_of(spread s, std::int64_t n) {
  std::mt19937 r(7);
  std::normal_distribution<double> normal(0.5, 0.1);
  std::vector<double> some(1 << 20);  // normal numbers take long to make
  for (double& x : some)
    x = s == spread::uniform ? static_cast<double>(r()) / 4294967296.0 : s == spread::equal ? 0.37 : normal(r);
  std::vector<T> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>(std::clamp(some[i % some.size()], 0.0, 0.999) * end_of_bins<T>);
  return x;
}

/// The library's count, as the module enqueues it, with everything on the device.
template <class T>
class device_histogram {
 public:
  device_histogram(std::span<const double> edges, detail::bin_widths widths)
      : of_(detail::limits_of(dtype_of<T>, edges, widths)),
        limits_(of_.first),
        slots_(cuda::slots_of(dtype_of<T>, std::ssize(of_.first))) {
    check(cudaDeviceGetAttribute(&bins_.processors, cudaDevAttrMultiProcessorCount, 0));
    check(cudaDeviceGetAttribute(&bins_.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    bins_.element = dtype_of<T>;
    bins_.limits = limits_.data();
    bins_.first = of_.first.front();
    bins_.last = of_.last;
    bins_.bins = std::ssize(of_.first);
    bins_.guess = of_.guess;
    bins_.slots = slots_.data();
  }
  void enqueue(const T* data, std::int64_t n, cudaStream_t stream) const {
    check(cuda::enqueue_counting(bins_, data, n, cuda::counting::anew, stream));
  }
  std::vector<std::int64_t> counts() const {
    std::vector<std::int64_t> found(of_.first.size());
    const bin_request what{sizeof(bin_request),   dtype_of<T>, nullptr, 0, of_.first.data(), of_.last,
                           std::ssize(of_.first), of_.guess,   -1};
    cuda::copy_bins(what, slots_.host().data(), found.data());
    return found;
  }

 private:
  detail::bin_limits of_;
  results<std::uint64_t> limits_;
  results<std::int64_t> slots_;
  cuda::device_bins bins_{};
};

template <class T>
void measure_bins(const elements<T>& d, const char* type, std::int64_t n, int bins, spread s) {
  if (sizeof(T) == 1 && bins > 256) return;
  const auto edges = detail::uniform_edges({0, end_of_bins<T>, bins});
  const auto wanted = histogram(std::span(d.x).first(static_cast<std::size_t>(n)), edges, {.backend = backend::cpu});
  for (const bool equal : {true, false}) {
    const shape_row row{"histograms", equal ? "even" : "range",
                        type,         n,
                        sizeof(T),    std::to_string(bins) + " bins, " + names[static_cast<int>(s)]};
    const auto ours =
        std::make_shared<const device_histogram<T>>(edges, equal ? detail::bin_widths::equal : detail::bin_widths::any);
    std::vector<shape_contender> list{{"onefold",
                                       [&, ours](cudaStream_t stream, int i) { ours->enqueue(d.at(i), n, stream); },
                                       [&, ours] {
                                         if (ours->counts() != wanted.counts)
                                           throw std::runtime_error(row.op + " " + row.shape + ": wrong counts");
                                         return true;
                                       }}};
    const auto counts = std::make_shared<const results<int>>(bins);
    const auto levels =
        std::make_shared<const results<cub_level<T>>>(std::vector<cub_level<T>>(edges.begin(), edges.end()));
    const auto call = [=](void* temporary, std::size_t& bytes, const T* data, cudaStream_t stream) {
      if (equal)
        cub_histogram_even<T>(temporary, bytes, data, counts->data(), bins, 0,
                              static_cast<cub_level<T>>(end_of_bins<T>), n, stream);
      else
        cub_histogram_range<T>(temporary, bytes, data, counts->data(), bins, levels->data(), n, stream);
    };
    std::size_t bytes = 0;
    call(nullptr, bytes, d.at(0), nullptr);
    const auto temporary = std::make_shared<const results<char>>(static_cast<std::int64_t>(bytes));
    list.push_back({"CUB",
                    [&d, call, temporary, bytes](cudaStream_t stream, int i) {
                      std::size_t room = bytes;
                      call(temporary->data(), room, d.at(i), stream);
                    },
                    [] { return true; }});
    measure_in_turns(row, list);
  }
}

template <class T>
void measure_histograms_of(const char* type, int max_log2) {
  for (const spread s : {spread::uniform, spread::equal, spread::normal})
    for (const int log2 : {20, 24, 28}) {
      if (log2 > max_log2 || (log2 == 28 && s == spread::normal)) continue;
      const std::int64_t n = std::int64_t{1} << (log2 == 28 && sizeof(T) == 8 ? 27 : log2);
      elements<T> d(elements_of<T>(s, n));
      d.fill(n);
      if (s == spread::uniform)
        add("histograms", "read", type, n, sizeof(T), "ceiling",
            device_microseconds(n * static_cast<std::int64_t>(sizeof(T)), [&](cudaStream_t stream, int i) {
              read_only(d.at(i), n * static_cast<std::int64_t>(sizeof(T)), stream);
            }));
      for (const int bins : {16, 256, 4096, 65536}) measure_bins(d, type, n, bins, s);
    }
}

}  // namespace

void measure_histograms(int max_log2) {
  measure_histograms_of<float>("f32", max_log2);
  measure_histograms_of<double>("f64", max_log2);
  measure_histograms_of<std::int32_t>("i32", max_log2);
  measure_histograms_of<std::uint8_t>("u8", max_log2);
}

}  // namespace bench
