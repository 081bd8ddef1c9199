// A stand-in for the NVIDIA driver, libcuda.so.1, as far as the CUDA runtime asks before it gives up: its version, and
// whether it starts.
//
// ONEFOLD_FAKE_old: of a CUDA of long ago. ONEFOLD_FAKE_empty: newer than any, and finds no device.
#include <cstdint>
#include <cstring>

namespace {

#ifdef ONEFOLD_FAKE_old
constexpr int version = 11040;
#else
constexpr int version = 99000;
#endif
constexpr int no_device = 100;  // CUDA_ERROR_NO_DEVICE

int refuse() { return no_device; }

}  // namespace

extern "C" {

int cuDriverGetVersion(int* v) {
  *v = version;
  return 0;
}

int cuInit(unsigned) { return no_device; }

int cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t, int* found) {
  if (std::strcmp(name, "cuDriverGetVersion") == 0)
    *function = reinterpret_cast<void*>(cuDriverGetVersion);
  else if (std::strcmp(name, "cuGetProcAddress") == 0)
    *function = reinterpret_cast<void*>(cuGetProcAddress_v2);
  else
    *function = reinterpret_cast<void*>(refuse);
  if (found) *found = 0;
  return 0;
}
}
