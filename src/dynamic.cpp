// Reductions whose operation and types are known at run time only.
#include "onefold/dynamic.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "cpu.hpp"
#include "onefold/reduce.hpp"
#include "registry.hpp"
#include "scalars.hpp"
#include "wishes.hpp"

namespace onefold {
namespace {

template <class Op, class T, class R>
dynamic_result run(const void* data, std::int64_t n, const options& how) {
  const auto r = reduce_reported<T, Op, R>(std::span(static_cast<const T*>(data), static_cast<std::size_t>(n)), how);
  return {detail::scalars_of(r.value), r.ran};
}

using function = dynamic_result (*)(const void*, std::int64_t, const options&);

// By operation, element type and result type; `other` stands for the operation's own.
constexpr int result_types = static_cast<int>(dtype::other) + 1;
using function_table =
    std::array<std::array<std::array<function, result_types>, element_types::size>, operations::size>;

constexpr function_table functions = [] {
  function_table table{};
  for_each_entry([&]<class Op, class T>() {
    auto& row = table[static_cast<std::size_t>(operation_index<Op>)][static_cast<std::size_t>(dtype_of<T>)];
    row[static_cast<std::size_t>(dtype::other)] = run<Op, T, default_result<T, Op>>;
    if constexpr (std::is_same_v<default_result<T, Op>, bool>)
      row[static_cast<std::size_t>(dtype::boolean)] = run<Op, T, bool>;
    for_each_type(element_types{}, [&]<class R>() {
      if constexpr (detail::returns<Op, T, R>) row[static_cast<std::size_t>(dtype_of<R>)] = run<Op, T, R>;
    });
  });
  return table;
}();

template <class F>
std::string shortest(F x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

template <class T>
T value_from(std::uint64_t bits) {
  T x;
  std::memcpy(static_cast<void*>(&x), &bits, sizeof x);
  return x;
}

}  // namespace

std::string scalar::text() const {
  const detail::float_environment ieee;  // where subnormals are taken for zeros, they print as such
  switch (type) {
    case dtype::f32:
      return shortest(value_from<float>(bits));
    case dtype::f64:
      return shortest(value_from<double>(bits));
    case dtype::f16:
      return shortest(static_cast<float>(value_from<f16>(bits)));
    case dtype::bf16:
      return shortest(static_cast<float>(value_from<bf16>(bits)));
    case dtype::i8:
      return std::to_string(value_from<std::int8_t>(bits));
    case dtype::i16:
      return std::to_string(value_from<std::int16_t>(bits));
    case dtype::i32:
      return std::to_string(value_from<std::int32_t>(bits));
    case dtype::i64:
      return std::to_string(value_from<std::int64_t>(bits));
    case dtype::u8:
    case dtype::u16:
    case dtype::u32:
    case dtype::u64:
      return std::to_string(bits);
    case dtype::boolean:
      return bits ? "true" : "false";
    case dtype::other:
      break;
  }
  return "?";
}

std::string scalar::hex() const {
  static constexpr char digit[] = "0123456789abcdef";
  if (size_of(type) == 0) return "?";
  std::string t = "0x";
  for (int shift = 8 * size_of(type) - 4; shift >= 0; shift -= 4) t += digit[(bits >> shift) & 15];
  return t;
}

dynamic_result reduce_dynamic(int operation, dtype element, const void* data, std::int64_t n, const options& how,
                              std::optional<dtype> result) {
  const detail::float_environment ieee;
  if (n < 0) throw error(error_code::invalid_argument, "the number of elements is negative: " + std::to_string(n));
  detail::check_choices(how);
  for (const dtype named : {element, result.value_or(dtype::other)})
    if (static_cast<std::size_t>(named) > static_cast<std::size_t>(dtype::other))
      throw error(error_code::invalid_argument, "unknown element type " + std::to_string(static_cast<int>(named)));
  detail::require_entry(operation, element, how.accuracy);
  const auto& row = functions[static_cast<std::size_t>(operation)][static_cast<std::size_t>(element)];
  // A caller who names `other` has not left the type open.
  const function f = result == dtype::other ? nullptr : row[static_cast<std::size_t>(result.value_or(dtype::other))];
  if (!f)
    throw error(error_code::unsupported, std::string(operation_infos()[static_cast<std::size_t>(operation)].name) +
                                             " of " + name_of(element) + " has no result of type " + name_of(*result) +
                                             ": rounded results can be f32 or f64 (of floating-point elements also f16 "
                                             "or bf16), others have their own type");
  return f(data, n, how);
}

}  // namespace onefold
