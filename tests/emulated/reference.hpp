// What tests of emulated kernels share: elements at a chosen place in memory, launches, and what the CPU makes of the
// same elements. To be included after strategies.cuh.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "emulation.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/folds.hpp"
#include "onefold/detail/make_recipe.hpp"
#include "strategies.cuh"
#include "support/catch.hpp"

namespace emulation {

using namespace onefold;

/// Elements in memory of their own, `offset` elements after a multiple of 128 bytes, so that a sanitizer sees who reads
/// beyond them. The bytes before them are those of a NaN.
template <class T>
class placed {
 public:
  placed(const T* from, std::int64_t n, std::int64_t offset)
      : memory_(static_cast<char*>(::operator new(static_cast<std::size_t>((offset + n) * size), at_line))) {
    std::memset(memory_.get(), 0xff, static_cast<std::size_t>(offset * size));
    std::memcpy(memory_.get() + offset * size, from, static_cast<std::size_t>(n * size));
    first_ = reinterpret_cast<const T*>(memory_.get() + offset * size);
  }
  const T* first() const { return first_; }

 private:
  static constexpr std::int64_t size = sizeof(T);
  static constexpr std::align_val_t at_line{128};
  struct release {
    void operator()(char* p) const { ::operator delete(p, at_line); }
  };
  std::unique_ptr<char, release> memory_;
  const T* first_;
};

/// Of a fold over elements T with results R, of the operation with this number.
template <class Full, class T, class Result, int Operation>
struct fold_reference {
  using full = Full;
  using fold = detail::kernel_t<full>;
  using R = Result;

  int compared = 0;

  static device_launch launch_of(const void* data, std::int64_t n, void* slots, void* out) {
    device_launch how{};
    how.data = data;
    how.n = n;
    how.slots = slots;
    how.out = out;
    how.finish = true;
    how.operation = Operation;
    how.processors = 2;
    return how;
  }

  /// What the CPU makes of n elements, after an initial value unless that is null.
  static R wanted(const T* p, std::int64_t n, const R* init = nullptr) {
    using functions = detail::run_functions<fold, T>;
    alignas(64) static unsigned char state[1 << 16], room[1 << 20];
    int log2 = 0;
    while (pages_of(n, sizeof(T)) > std::int64_t{1} << log2) ++log2;
    if (n == 0)
      ::new (static_cast<void*>(state)) auto(detail::empty_state<fold, T>(fold{}));
    else
      functions::fold(nullptr, {p, n, 0}, 0, 1, log2, state, room);
    R r{};
    detail::recipe_functions<full, T, type_list<R>>::finish(nullptr, state, n, init, dtype::other, &r, room);
    return r;
  }
  void same(const R& found, const R& meant) {
    if (std::memcmp(&found, &meant, sizeof meant) != 0) FAIL_CHECK("not the CPU's bits");
    ++compared;
  }
  void same(const R& found, const T* p, std::int64_t n) { same(found, wanted(p, n)); }
};

/// Of an operation of the catalog.
template <class Op, class T, accuracy Mode>
struct reference
    : fold_reference<detail::fold_of<Op, T, Mode>, T, typename Op::template result<T>, operation_index<Op>> {};

}  // namespace emulation
