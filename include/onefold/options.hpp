// What a caller can choose: backend, accuracy, threads, instruction set; and the names of the choices.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "onefold/types.hpp"

namespace onefold {

/// What does the work. A named backend is never replaced by another: it runs, or there is an error.
enum class backend : std::uint8_t {
  automatic,  ///< the best one that can run this; the report says which were passed over, and why
  cpu,        ///< the best CPU backend
#define ONEFOLD_BACKEND(name, ...) name,
#include "onefold/backends.def"  // cuda, openmp, ...; the last one is sequential, the calling thread
};
/// How many values the enumeration has.
inline constexpr int backend_count = static_cast<int>(backend::sequential) + 1;

/// Whether a backend has memory and kernels of its own (a GPU); the others are threads of the CPU.
constexpr bool is_accelerator(backend b) {
  [[maybe_unused]] constexpr bool cpu = false, accelerator = true;
#define ONEFOLD_BACKEND(name, kind, ...) \
  if (b == backend::name) return kind;
#include "onefold/backends.def"
  return false;
}

/// The number type of a reduction's state. The bounds: docs/accuracy.md.
enum class accuracy : std::uint8_t {
  native,  ///< the element's own accumulator type
  wide,    ///< f64 for elements up to f32, double-double for f64
  kahan,   ///< compensated (Kahan-Babuska-Neumaier)
  exact,   ///< correctly rounded
};
/// How many there are.
inline constexpr int accuracy_count = 4;

/// The instruction-set level of the CPU code.
enum class isa : std::uint8_t {
  automatic,  ///< the highest that this CPU has
  baseline,   ///< what every CPU of the architecture has; the only level outside x86-64
  x86_64_v2,  ///< SSE4.2
  x86_64_v3,  ///< AVX2, FMA
  x86_64_v4,  ///< AVX-512 F, BW, CD, DQ, VL
};

/// The kernel of the CUDA backend. Only `canonical` has the bits of the CPU and every accuracy; the others are the
/// classic road to it, kept to be compared (docs/cuda.md).
enum class kernel : std::uint8_t {
  automatic,              ///< canonical
  canonical,              ///< the order of docs/order.md
  global_interleaved,     ///< interleaved addressing in global memory
  interleaved,            ///< interleaved addressing in shared memory
  sequential_addressing,  ///< shared memory without bank conflicts
  first_add,              ///< two elements a thread while loading
  unrolled,               ///< the last warp without barriers of the block
  shuffle,                ///< warps by shuffles
  coarsened,              ///< many elements a thread, then shuffles
};

/// A caller's initial value, folded in once after everything else; any arithmetic type, exactly. It is converted
/// to the result type where it is used, whatever the calling thread's floating-point environment; an operation that has
/// no use for one refuses it.
class initial {
 public:
  constexpr initial() = default;
  /// A number.
  template <class X>
  requires(detail::is_integer<X> || detail::is_float<X> || __is_same(X, bool)) constexpr initial(X x) {
    if constexpr (detail::is_small_float<X>)
      value_ = detail::double_from_float(static_cast<float>(x));
    else if constexpr (__is_same(X, float))
      value_ = detail::double_from_float(x);
    else if constexpr (detail::is_float<X>)
      value_ = x;
    else if constexpr (detail::is_integer<X> && detail::is_signed<X>)
      value_ = static_cast<std::int64_t>(x);
    else
      value_ = static_cast<std::uint64_t>(x);
  }
  /// The value, or std::monostate if there is none.
  constexpr const std::variant<std::monostate, double, std::int64_t, std::uint64_t>& value() const { return value_; }

 private:
  std::variant<std::monostate, double, std::int64_t, std::uint64_t> value_;
};

/// Devices of a backend, by their numbers from 0 to 63: `{0, 1}`.
class device_set {
 public:
  constexpr device_set() = default;
  /// The devices with these numbers.
  constexpr device_set(std::initializer_list<int> numbers) {
    for (const int number : numbers) insert(number);
  }
  /// Takes one more. A number that is out of range, or is there already, is remembered: calls refuse the set.
  constexpr void insert(int number) {
    const bool fits = number >= 0 && number < 64;
    if (fits && !contains(number))
      bits_ |= std::uint64_t{1} << number;
    else if (!is_faulty_)
      is_faulty_ = true, faulty_ = number;
  }

  /// How many there are.
  constexpr int size() const { return __builtin_popcountll(bits_); }
  /// Whether a device is among them.
  constexpr bool contains(int number) const { return number >= 0 && number < 64 && (bits_ >> number & 1) != 0; }
  /// The device with the least number of those from `from` on; -1 where there is none.
  constexpr int next(int from = 0) const {
    for (; from < 64; ++from)
      if (contains(from)) return from;
    return -1;
  }
  /// Whether all numbers were in range and different.
  constexpr bool is_valid() const { return !is_faulty_; }
  /// The first number that was not; 0 if all were.
  constexpr int faulty() const { return faulty_; }

 private:
  std::uint64_t bits_ = 0;
  int faulty_ = 0;
  bool is_faulty_ = false;
};

/// A caller's choices. Each default means "decide for me".
struct options {
  /// What does the work; automatic follows the environment variable ONEFOLD_BACKEND where it is set.
  onefold::backend backend = onefold::backend::automatic;
  /// The number type of the state.
  onefold::accuracy accuracy = onefold::accuracy::native;
  /// Threads of a CPU backend; 0: ONEFOLD_NUM_THREADS, else the backend's own rule (OMP_NUM_THREADS, ...).
  int threads = 0;
  /// Instruction set; automatic follows ONEFOLD_ISA where it is set. Never changes a result's bits.
  onefold::isa isa = onefold::isa::automatic;
  /// The kernel of backend cuda; another than automatic needs `backend` to be cuda.
  onefold::kernel kernel = onefold::kernel::automatic;
  /// The CUDA device, from 0; -1: the one that is current where the plan is made. Where the choice is automatic, the
  /// only device that is considered; an error where a CPU backend is asked for.
  int device = -1;
  /// CUDA devices among which an array in host memory is divided; the bits stay those of one device. Several mean
  /// backend cuda where the choice is automatic, and only reductions of whole arrays that return their result take
  /// them. An array in the memory of one of the devices is folded there alone. One is the same as `device`.
  device_set devices = {};
  /// An initial value in place of the operation's own.
  initial init = {};
  /// Whether ONEFOLD_BACKEND, ONEFOLD_NUM_THREADS and ONEFOLD_ISA decide what is left open above; if false, they are
  /// ignored.
  bool environment = true;
};

/// `how` with the environment's choices in place of those that it leaves open, and with `environment` false: the
/// options that a call with `how` obeys. Calls do this by themselves; it serves programs that show the choice before
/// they call. A variable whose choice `how` has made is not looked at. Throws invalid_argument for a variable without a
/// valid value and for options that are out of range, unsupported for an instruction set that this CPU lacks.
ONEFOLD_API options with_environment(options how = {});

/// The backend with this name or alias, in any case ("omp", "GPU", "seq", ...). Throws unknown_name's error, which
/// names the nearest choice and lists all.
ONEFOLD_API backend backend_named(std::string_view name);
/// The same of an accuracy.
ONEFOLD_API accuracy accuracy_named(std::string_view name);
/// The same of an instruction set.
ONEFOLD_API isa isa_named(std::string_view name);
/// The same of a kernel.
ONEFOLD_API kernel kernel_named(std::string_view name);

/// The same without exceptions: nothing where the name is unknown.
ONEFOLD_API std::optional<backend> parse_backend(std::string_view name);
/// The same of an accuracy.
ONEFOLD_API std::optional<accuracy> parse_accuracy(std::string_view name);
/// The same of an instruction set.
ONEFOLD_API std::optional<isa> parse_isa(std::string_view name);
/// The same of a kernel.
ONEFOLD_API std::optional<kernel> parse_kernel(std::string_view name);

/// The name of a backend, as the parser takes it.
ONEFOLD_API const char* name_of(backend b);
/// The same of an accuracy.
ONEFOLD_API const char* name_of(accuracy a);
/// The same of an instruction set.
ONEFOLD_API const char* name_of(isa i);
/// The same of a kernel.
ONEFOLD_API const char* name_of(kernel k);

/// All names of backends that the parser knows, the main name of each first: for help texts and "did you mean".
ONEFOLD_API std::span<const std::string_view> backend_names();
/// The same of an accuracy.
ONEFOLD_API std::span<const std::string_view> accuracy_names();
/// The same of an instruction set.
ONEFOLD_API std::span<const std::string_view> isa_names();
/// The same of a kernel.
ONEFOLD_API std::span<const std::string_view> kernel_names();

/// The candidate that `word` was probably meant to be, for "did you mean" in error messages: what it means elsewhere
/// ("avg": mean, "float32": f32), what it abbreviates, or the nearest by edit distance, of which a quarter of the
/// longer word's letters may be wrong (at least one). Empty where none is near.
ONEFOLD_API std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace onefold
