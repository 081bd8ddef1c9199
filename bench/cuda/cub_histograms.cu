#include "cub_histograms.hpp"

#include <cub/device/device_histogram.cuh>

#include "device_time.hpp"

namespace bench {

template <class T>
void cub_histogram_even(void* temporary, std::size_t& bytes, const T* data, int* counts, int bins, cub_level<T> low,
                        cub_level<T> high, std::int64_t n, cudaStream_t stream) {
  check(cub::DeviceHistogram::HistogramEven(temporary, bytes, data, counts, bins + 1, low, high, n, stream));
}

template <class T>
void cub_histogram_range(void* temporary, std::size_t& bytes, const T* data, int* counts, int bins,
                         const cub_level<T>* edges, std::int64_t n, cudaStream_t stream) {
  check(cub::DeviceHistogram::HistogramRange(temporary, bytes, data, counts, bins + 1, edges, n, stream));
}

#define ONEFOLD_INSTANCE(T)                                                                                            \
  template void cub_histogram_even(void*, std::size_t&, const T*, int*, int, cub_level<T>, cub_level<T>, std::int64_t, \
                                   cudaStream_t);                                                                      \
  template void cub_histogram_range(void*, std::size_t&, const T*, int*, int, const cub_level<T>*, std::int64_t,       \
                                    cudaStream_t);
ONEFOLD_INSTANCE(float)
ONEFOLD_INSTANCE(double)
ONEFOLD_INSTANCE(std::int32_t)
ONEFOLD_INSTANCE(std::uint8_t)
#undef ONEFOLD_INSTANCE

}  // namespace bench
