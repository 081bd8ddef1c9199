// What tests with the stand-in for CUDA (program/fake_cuda.cpp) begin with: its driver, and memory at borders of pages.
#pragma once

#include <dlfcn.h>

#include <cstdint>

#include "dispatch/process.hpp"
#include "support/catch.hpp"

namespace dispatch {

/// Loads the library that the environment names as the driver, without which no memory is taken for a device's.
inline void load_driver() { REQUIRE(dlopen(setting("DRIVER").c_str(), RTLD_NOW) != nullptr); }

/// A page of numbers: what begins 8 bytes after such a border is in device memory where FAKE_MEMORY is "borders".
template <class T>
struct alignas(4096) page {
  std::uint64_t before;
  T numbers[1024];
};

}  // namespace dispatch
