// This CPU: its instruction-set levels.
#include "cpu.hpp"

#include <algorithm>
#include <string>

#include "environment.hpp"
#include "levels.hpp"
#include "onefold/error.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace onefold::detail {

#if defined(__x86_64__)
namespace {

/// What x86-64-v3 has and clang 14's __builtin_cpu_supports has no name for: MOVBE, F16C, LZCNT.
bool has_rest_of_v3() {
  unsigned a, b, c = 0, d, extended = 0;
  return __get_cpuid(1, &a, &b, &c, &d) && (c >> 22 & 1) && (c >> 29 & 1) &&
         __get_cpuid(0x80000001, &a, &b, &extended, &d) && (extended >> 5 & 1);
}

}  // namespace
#endif

namespace {

template <class... Levels>
constexpr bool is_built(isa level, type_list<Levels...>) {
  return ((level == Levels::name) || ...);
}

template <class... Levels>
std::string built_levels(type_list<Levels...>) {
  std::string list;
  ((list += std::string(list.empty() ? "" : ", ") + name_of(Levels::name)), ...);
  return list;
}

}  // namespace

// Never destroyed: destructors at the end of the process may still reduce.
const std::vector<isa>& cpu_levels() {
  static const std::vector<isa>& levels = *new std::vector<isa>([] {
#if defined(__x86_64__)
    __builtin_cpu_init();
    std::vector<isa> found;
    const auto all = [](auto... has) { return (has && ...); };
    if (all(__builtin_cpu_supports("sse4.2"), __builtin_cpu_supports("ssse3"), __builtin_cpu_supports("popcnt")))
      found.push_back(isa::x86_64_v2);
    if (!found.empty() && has_rest_of_v3() &&
        all(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"), __builtin_cpu_supports("bmi"),
            __builtin_cpu_supports("bmi2")))
      found.push_back(isa::x86_64_v3);
    if (found.size() == 2 &&
        all(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512bw"), __builtin_cpu_supports("avx512cd"),
            __builtin_cpu_supports("avx512dq"), __builtin_cpu_supports("avx512vl")))
      found.push_back(isa::x86_64_v4);
    std::erase_if(found, [](isa level) { return !is_built(level, type_list<ONEFOLD_BUILT_LEVELS>{}); });
    return found;
#else
    return std::vector<isa>{isa::baseline};
#endif
  }());
  return levels;
}

namespace {

// The levels, of which there is at least one; an error where there is none.
const std::vector<isa>& levels_to_choose_from() {
  const auto& levels = cpu_levels();
  if (levels.empty())
    throw error(error_code::unsupported,
                "this CPU has none of the instruction sets that this build of onefold supports (" +
                    built_levels(type_list<ONEFOLD_BUILT_LEVELS>{}) +
                    "); the CMake option ONEFOLD_LEVELS chooses them");
  return levels;
}

/// Why a level that could be asked for is not there.
const char* why_not(isa level) {
#if defined(__x86_64__)
  if (level == isa::baseline) return "which is not of x86-64: the lowest level on x86-64 is x86-64-v2";
#else
  if (level != isa::baseline) return "which is a level of x86-64";
#endif
  return is_built(level, type_list<ONEFOLD_BUILT_LEVELS>{})
             ? "which this CPU does not have"
             : "which this build of onefold leaves out (CMake option ONEFOLD_LEVELS)";
}

isa checked(isa level, const char* who) {
  const auto& levels = levels_to_choose_from();
  if (std::ranges::find(levels, level) != levels.end()) return level;
  throw error(error_code::unsupported, std::string(who) + " requests instruction set " + name_of(level) + ", " +
                                           why_not(level) + "; the highest available is " + name_of(levels.back()));
}

}  // namespace

isa resolve_level() {
  static const isa level = [] {
    const std::string& name = the_environment().isa;
    const isa requested = name.empty() ? isa::automatic : from_variable("ONEFOLD_ISA", name, isa_named);
    return requested == isa::automatic ? requested : checked(requested, "ONEFOLD_ISA");
  }();
  return level;
}

isa choose_level(const options& how) {
  if (how.isa != isa::automatic) return checked(how.isa, "the caller");
  const isa requested = how.environment ? resolve_level() : isa::automatic;
  return requested == isa::automatic ? levels_to_choose_from().back() : requested;
}

}  // namespace onefold::detail
