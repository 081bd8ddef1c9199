// What tests of several devices share. The stand-in for CUDA has FAKE_DEVICES = 3, of which each owns every third block
// of 4 KiB, and writes the nodes that it folds to FAKE_LOG.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "onefold/onefold.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

namespace three_devices {

using onefold::accuracy;
using onefold::backend;
using onefold::error_code;
using onefold::options;
namespace op = onefold::op;

inline constexpr int device_count = 3;
inline constexpr std::int64_t page = onefold::page_elements(sizeof(float)), least_part = (16 << 20) / sizeof(float);

/// A node that the stand-in folded; without elements, that it was waited for.
struct folded {
  int device;
  std::int64_t begin, n;
};

inline const std::string& log_file() {
  static const std::string name = dispatch::setting("FAKE_LOG");
  return name;
}

/// What it did since the last call, in this order.
inline std::vector<folded> steps() {
  std::vector<folded> all;
  {
    std::ifstream file(log_file());
    for (folded f{}; file >> f.device >> f.begin >> f.n;) all.push_back(f);
  }
  std::remove(log_file().c_str());
  return all;
}

/// The nodes since the last call, in the order of their elements.
inline std::vector<folded> logged() {
  std::vector<folded> all = steps();
  std::erase_if(all, [](const folded& f) { return f.n == 0; });
  std::ranges::sort(all, {}, &folded::begin);
  return all;
}

inline std::set<int> devices_of(const std::vector<folded>& nodes) {
  std::set<int> devices;
  for (const folded& f : nodes) devices.insert(f.device);
  return devices;
}

/// Elements in the memory of a device, or of the host (-1).
template <class T>
class owned {
 public:
  owned(std::span<const T> x, int device) : n_(x.size()) {
    const std::size_t bytes = (x.size_bytes() + (device_count + 2) * 4096) / 4096 * 4096;
    memory_.reset(static_cast<char*>(std::aligned_alloc(4096, bytes)));
    char* at = memory_.get();
    if (device >= 0)
      while (reinterpret_cast<std::uintptr_t>(at) / 4096 % device_count != static_cast<std::uintptr_t>(device))
        at += 4096;
    at += device < 0 ? 64 : 8;
    data_ = reinterpret_cast<T*>(at);
    if (n_ > 0) std::memcpy(at, x.data(), x.size_bytes());
  }
  std::span<const T> all() const { return {data_, n_}; }

 private:
  struct freed {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char, freed> memory_;
  T* data_ = nullptr;
  std::size_t n_;
};

template <class F>
void check_refused(error_code code, const std::string& words, F f) {
  support::check_error(code, words, f);
}

/// Calls check<Op>(accuracy) for operations of every kind of state.
template <class Check>
void for_each_kind(const Check& check) {
  check.template operator()<op::sum>(accuracy::native);
  check.template operator()<op::sum>(accuracy::kahan);
  check.template operator()<op::sum>(accuracy::exact);
  check.template operator()<op::variance>(accuracy::native);
  check.template operator()<op::max>(accuracy::native);
  check.template operator()<op::argmax>(accuracy::native);
}

/// Begins every test: the driver is there, and nothing in the log.
inline void begin() {
  dispatch::load_driver();
  logged();
}

}  // namespace three_devices
