// The part of a plan that knows no type: the request, the engine that runs it, the initial value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "onefold/catalog.hpp"
#include "onefold/error.hpp"
#include "onefold/options.hpp"
#include "onefold/recipe.hpp"
#include "onefold/report.hpp"

struct CUstream_st;  // what cudaStream_t points to

namespace onefold::detail {

/// What a plan is made from: which recipe, for how many elements, to which result.
struct request {
  int operation = -1;           ///< place in the catalogue, or -1 for an operation of the caller's own
  const recipe* own = nullptr;  ///< the caller's own operation
  dtype element = dtype::other;
  dtype result = dtype::other;  ///< another result type than the operation's own, or `other`
  bool takes_init = false;
  bool has_init = false;
  std::int64_t n = 0;   ///< at most this many elements a run
  int result_size = 0;  ///< bytes of the result
};

/// A chosen backend with its scratch: the part of a plan that knows no type.
class ONEFOLD_API engine {
 public:
  /// Chooses. Throws onefold::error if what was asked for cannot be had.
  engine(const request& what, const options& how);
  engine(engine&& other) noexcept : content_(std::exchange(other.content_, nullptr)) {}
  engine& operator=(engine&& other) noexcept {
    std::swap(content_, other.content_);
    return *this;
  }
  ~engine();

  /// Reduces n elements at data into *result; n at most the request's. `op` and `init` as in the recipe.
  void run(const void* op, const void* data, std::int64_t n, const void* init, void* result);

  /// Enqueues the same on a CUDA stream, up to *result in device memory; device_n is null or device memory that holds
  /// the number of elements, then n is the most. The one backend that can is cuda.
  void enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n, const void* init,
               void* result, CUstream_st* stream);

  /// Who runs, and why.
  run_report report() const;

 private:
  struct content;
  content* content_;
};

/// Chooses and runs once: what engine does, without the allocations of an object that lasts.
ONEFOLD_API void run_once(const request& what, const options& how, const void* op, const void* data, const void* init,
                          void* result);

/// Chooses and folds once, n > 0 elements to the state of a recipe whose states have `state_size` bytes.
ONEFOLD_API void fold_once(const request& what, const options& how, const void* data, void* state,
                           std::size_t state_size);

/// Throws: an initial value that a result of this type cannot hold.
[[noreturn]] ONEFOLD_API void refuse_initial_value(const initial& init, dtype result);

/// options.init as a value of type R, or nothing where none was given. Throws if R cannot hold it: an integer type
/// every number but its own, a floating-point type finite numbers that it would round to infinity.
template <class R, class Op>
std::optional<R> initial_value(const initial& init) {
  return std::visit(
      [&]<class X>(const X& x) -> std::optional<R> {
        if constexpr (std::is_same_v<X, std::monostate>) {
          return std::nullopt;
        } else if constexpr (!is_float<R> && !is_integer<R> && !std::is_same_v<R, bool>) {
          if constexpr (catalogued_operation<Op>)
            throw error(error_code::invalid_argument, std::string(Op::name) + " takes no initial value");
          else
            throw error(error_code::invalid_argument,
                        "the result of this operation is no number: there is no initial value");
        } else if constexpr (is_float<R>) {
          R value;
          if constexpr (is_small_float<R>)
            value = round_to<R>(static_cast<double>(x));
          else
            value = static_cast<R>(x);
          if (is_finite(static_cast<double>(x)) && !is_finite(as_double(value)))
            refuse_initial_value(init, dtype_of<R>);
          return value;
        } else {
          if constexpr (is_integer<R>) {
            // Beyond R's range a conversion is undefined (from double) or another number (from integers).
            [[maybe_unused]] constexpr double low =
                is_signed<R> ? -static_cast<double>(std::uint64_t{1} << (8 * sizeof(R) - 1)) : 0.0;
            [[maybe_unused]] constexpr double past =
                (is_signed<R> ? 1.0 : 2.0) * static_cast<double>(std::uint64_t{1} << (8 * sizeof(R) - 1));
            bool fits;
            if constexpr (std::is_same_v<X, double>)
              fits = x >= low && x < past && static_cast<double>(static_cast<R>(x)) == x;
            else
              fits = std::in_range<R>(x);
            if (!fits) refuse_initial_value(init, dtype_of<R>);
          }
          return static_cast<R>(x);
        }
      },
      init.value());
}

}  // namespace onefold::detail
