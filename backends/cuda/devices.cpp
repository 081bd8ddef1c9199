#include "devices.hpp"

#include <sys/resource.h>

#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <vector>

#include "instances.hpp"

namespace onefold::cuda {
namespace {

std::string dotted(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

/// Why no device can be used, and whether that may pass.
struct refusal {
  std::string text;
  bool passes = false;
};

/// Whether this process may open `count` files more.
bool has_descriptors(std::size_t count) {
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur == RLIM_INFINITY) return true;
  std::error_code ignored;
  const std::filesystem::directory_iterator open("/proc/self/fd", ignored);
  if (ignored) return ignored != std::errc::too_many_files_open;
  return static_cast<std::size_t>(std::distance(begin(open), end(open))) + count <= most.rlim_cur;
}

/// Whether a device that did not start for this reason may do so later.
bool passes(cudaError_t e) { return e == cudaErrorDevicesUnavailable || e == cudaErrorMemoryAllocation; }

/// Starts a device, and looks for this build's kernels there.
cudaError_t start(int device) {
  cudaError_t e = cudaSuccess;
  const current_device here(device, &e);
  if (e == cudaSuccess) e = kernel_image();
  static_cast<void>(cudaGetLastError());
  return e;
}

refusal reason() {
  // The driver keeps the failure of its first start for good: it is not begun with too few (an H200 takes 35 to 48).
  constexpr std::size_t needed = 64;
  if (!has_descriptors(needed))
    return {"the NVIDIA driver was not started: fewer than " + std::to_string(needed) + " file descriptors are left",
            true};
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    static_cast<void>(cudaGetLastError());
    return {"no NVIDIA driver on this machine (libcuda.so.1 was not found)"};
  }
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  if (counted == cudaErrorInsufficientDriver)
    return {"the NVIDIA driver is too old: it supports CUDA " + dotted(driver) + ", and this module needs " +
            dotted(CUDART_VERSION) + "; update the driver"};
  if (counted == cudaErrorNoDevice || (counted == cudaSuccess && count == 0))
    return {"the NVIDIA driver finds no device (is it hidden by CUDA_VISIBLE_DEVICES?)"};
  if (counted == cudaErrorInitializationError)
    return {
        "CUDA cannot start in this process (cudaErrorInitializationError), as in a child of fork() whose parent "
        "has used it; start such a process with exec"};
  if (counted != cudaSuccess)
    return {std::string("the NVIDIA driver cannot start: ") + cudaGetErrorString(counted) + " (" +
            cudaGetErrorName(counted) + ")"};
  refusal last;
  for (int i = 0; i < count; ++i) {
    int major = 0, minor = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, i), "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, i), "cudaDeviceGetAttribute");
    const std::string capability = std::to_string(major) + "." + std::to_string(minor);
    const cudaError_t image = start(i);
    if (image == cudaSuccess) return {};
    last.passes = last.passes || passes(image);
    last.text = image == cudaErrorNoKernelImageForDevice || image == cudaErrorUnsupportedPtxVersion
                    ? "this build has no kernels for the device's compute capability " + capability +
                          "; build it with -DONEFOLD_CUDA_ARCHITECTURES=" + std::to_string(major * 10 + minor)
                    : std::string("the device cannot start: ") + cudaGetErrorString(image) + " (" +
                          cudaGetErrorName(image) + ")";
  }
  return last;
}

/// An attribute of each device, asked for once; never zero.
template <cudaDeviceAttr What>
class known_attribute {
 public:
  int of(int device) {
    auto& here = values_[static_cast<std::size_t>(device) % values_.size()];
    int value = here.load(std::memory_order_relaxed);
    if (value == 0) {
      check(cudaDeviceGetAttribute(&value, What, device), "cudaDeviceGetAttribute");
      here.store(value, std::memory_order_relaxed);
    }
    return value;
  }

 private:
  std::array<std::atomic<int>, 64> values_{};
};

// What the driver offers for contexts; the runtime has no word for "the context of before".
template <class Function>
Function* driver_function(const char* name) {
  void* f = nullptr;
  cudaDriverEntryPointQueryResult found{};
  if (cudaGetDriverEntryPointByVersion(name, &f, 12000, cudaEnableDefault, &found) != cudaSuccess) return nullptr;
  return reinterpret_cast<Function*>(f);
}

}  // namespace

const char* why_not() {
  static std::mutex guard;
  static std::optional<std::string> known;  // what stays
  thread_local std::string passing;
  const std::lock_guard<std::mutex> alone(guard);
  errno = 0;
  if (!known) {
    refusal found;
    try {
      found = reason();
    } catch (const std::exception& e) {
      found.text = e.what();
    }
    if (found.passes) {
      passing = found.text;
      errno = EAGAIN;
      return passing.c_str();
    }
    known = found.text;
  }
  return known->empty() ? nullptr : known->c_str();
}

const char* version() {
  static const std::string text = [] {
    int driver = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));
    return "CUDA runtime " + dotted(CUDART_VERSION) + ", driver for " + dotted(driver);
  }();
  return text.c_str();
}

int devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return 0;
  }
  return count;
}

void describe(int device, char* text, int size) {
  cudaDeviceProp p{};
  const cudaError_t e = cudaGetDeviceProperties(&p, device);
  static_cast<void>(cudaGetLastError());
  if (e != cudaSuccess)
    std::snprintf(text, static_cast<std::size_t>(size), "device %d: %s", device, cudaGetErrorString(e));
  else
    std::snprintf(text, static_cast<std::size_t>(size),
                  "device %d: %s, compute capability %d.%d, %d multiprocessors, %.1f GiB memory", device, p.name,
                  p.major, p.minor, p.multiProcessorCount,
                  static_cast<double>(p.totalGlobalMem) / static_cast<double>(1 << 30));
}

namespace {

/// Bytes a second of a PCIe link, both ends at their best, from the files of Linux; 0 where they do not tell.
double link_rate(int device) {
  char address[32] = "";
  if (cudaDeviceGetPCIBusId(address, sizeof address, device) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return 0;
  }
  std::string folder = "/sys/bus/pci/devices/";
  for (const char* c = address; *c; ++c) folder += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  double transfers = 0, lanes = 0;  // "32.0 GT/s PCIe" and "16"
  std::ifstream(folder + "/max_link_speed") >> transfers;
  std::ifstream(folder + "/current_link_width") >> lanes;
  return transfers * 1e9 * lanes * (128.0 / 130) / 8;
}

accelerator_specifications specifications_of(int device) {
  accelerator_specifications f{};
  cudaDeviceProp p{};
  check(cudaGetDeviceProperties(&p, device), "cudaGetDeviceProperties");
  std::snprintf(f.name, sizeof f.name, "%s", p.name);
  f.capability = 10 * p.major + p.minor;
  int kilohertz = 0, bits = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, device), "cudaDeviceGetAttribute");
  check(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device), "cudaDeviceGetAttribute");
  f.memory = 2e3 * kilohertz * (bits / 8.0);  // twice a cycle
  f.bus = link_rate(device);
  return f;
}

}  // namespace

bool specifications(int device, accelerator_specifications* of, accelerator_failure* failed) {
  return guarded(failed, [&] {
    static std::mutex guard;
    static std::map<int, accelerator_specifications> known;
    const int asked = device < 0 ? current() : device;
    const std::lock_guard lock(guard);
    const auto found = known.find(asked);
    *of = found != known.end() ? found->second : known.emplace(asked, specifications_of(asked)).first->second;
  });
}

int processors(int device) {
  static known_attribute<cudaDevAttrMultiProcessorCount> known;
  return known.of(device);
}

bool adds_exactly_in_integers(int device) {
  static const std::string asked = [] {
    const char* text = secure_getenv("ONEFOLD_CUDA_EXACT");
    return std::string(text ? text : "");
  }();
  if (asked == "integer") return true;
  if (asked == "float") return false;
  if (!asked.empty())
    throw error(error_code::invalid_argument, "ONEFOLD_CUDA_EXACT=" + asked + ": unknown value; use integer or float");
  static known_attribute<cudaDevAttrSingleToDoublePrecisionPerfRatio> ratio;
  return ratio.of(device) > 8;
}

int current() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

current_device::current_device(int device, cudaError_t* failed) {
  static auto* const get = driver_function<int(CUctx_st**)>("cuCtxGetCurrent");
  if (get && get(&before_) == 0 && before_ != nullptr && current() == device) return;  // nothing to change
  changed_ = true;
  const cudaError_t e = cudaSetDevice(device);
  if (failed)
    *failed = e;
  else
    check(e, "cudaSetDevice");
}

current_device::~current_device() {
  if (!changed_) return;
  static auto* const set = driver_function<int(CUctx_st*)>("cuCtxSetCurrent");
  if (set) set(before_);
}

}  // namespace onefold::cuda
