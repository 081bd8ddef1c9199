#include "bench/array.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "data/random.hpp"
#include "data/sets.hpp"
#include "elements.hpp"
#include "input/failure.hpp"
#include "input/with_type.hpp"
#include "measure/machine.hpp"
#include "onefold/error.hpp"
#include "onefold/profile.hpp"

namespace onefold::cli {
namespace {

constexpr const char* random_integers = "integers";

std::optional<data::request> request_of(const setting& s, std::uint64_t seed) {
  const std::optional<int> set = data::find_set(s.data);
  if (!set) return std::nullopt;
  data::request r;
  r.set = *set;
  r.type = s.element;
  r.n = s.n;
  r.seed = seed;
  return r;
}

/// Of at most 32 bits, so that sums have a result.
template <class T>
void fill_integers(T* x, std::int64_t n, std::uint64_t seed) {
  const data::random_numbers random(seed);
  for (std::int64_t i = 0; i < n; ++i) x[i] = static_cast<T>(random.bits(static_cast<std::uint64_t>(i)) >> 32);
}

void fill(const setting& s, std::uint64_t seed, std::byte* to) {
  if (const auto request = request_of(s, seed)) return data::fill(*request, to);
  with_type(s.element, [&]<class T>() {
    if constexpr (std::is_integral_v<T>) fill_integers(reinterpret_cast<T*>(to), s.n, seed);
  });
}

/// How often the array is there: the copies take at most a quarter of what is free.
std::int64_t copies_of(const setting& s, bool warm) {
  return warm ? 1 : measure::copies_beyond(builtin_profile().l3, s.bytes(), measure::available_memory() / 4);
}

}  // namespace

std::string data_name(dtype element, const std::optional<int>& data) {
  if (data) return std::string(data::sets()[static_cast<std::size_t>(*data)].name);
  return is_float(element) ? "uniform" : random_integers;
}

std::optional<left_out> why_no_data(const setting& s) {
  try {
    if (const auto request = request_of(s, 1)) data::check(*request);
    return std::nullopt;
  } catch (const error& e) {
    return left_out{fmt::format("data set {}, {}", s.data, name_of(s.element)), e.what(), e.code()};
  }
}

array_copies::array_copies(const setting& what, std::uint64_t seed, bool warm, const loaded_array* file)
    : data_(what.data), element_(what.element), n_(what.n), copies_(copies_of(what, warm)) {
  auto made = std::make_unique<measure::arena>(measure::location::host, what.bytes(), copies_);
  if (file)
    std::memcpy(made->first(), file->bytes().data(), static_cast<std::size_t>(what.bytes()));
  else
    fill(what, seed, made->first());
  made->fill(made->first());
  arenas_[{measure::location::host, backend::automatic}] = std::move(made);
}

bool array_copies::is_of(const setting& s) const { return s.data == data_ && s.element == element_ && s.n == n_; }

measure::arena& array_copies::in(measure::location where, backend owner) {
  if (where == measure::location::host) return in_host_memory();
  std::unique_ptr<measure::arena>& there = arenas_[{where, owner}];
  if (!there) {
    auto made = std::make_unique<measure::arena>(where, n_ * size_of(element_), copies_, owner);
    made->fill(in_host_memory().first());
    there = std::move(made);
  }
  return *there;
}

void require_memory(const setting& s, bool second) {
  const std::int64_t free = measure::available_memory(), arrays = second ? 2 : 1;
  const std::int64_t most = detail::elements_in(free / arrays, s.element);
  if (s.n <= most) return;
  throw failure(
      exit_code::failed,
      fmt::format("--n: {} elements of {} take {:.3g} GB{}, and {:.3g} GB of this machine's memory are free; "
                  "the largest power of two that fits is 2^{}",
                  s.n, name_of(s.element), static_cast<double>(s.n) * size_of(s.element) / 1e9, second ? ", twice" : "",
                  static_cast<double>(free) / 1e9, std::bit_width(static_cast<std::uint64_t>(most)) - 1));
}

}  // namespace onefold::cli
