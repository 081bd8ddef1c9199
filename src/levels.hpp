// What the instruction-set levels of instances.hpp are at run time.
#pragma once

#include "onefold/options.hpp"

namespace onefold::detail::level {

struct baseline {
  static constexpr isa name = isa::baseline;
};
struct v2 {
  static constexpr isa name = isa::x86_64_v2;
};
struct v3 {
  static constexpr isa name = isa::x86_64_v3;
};
struct v4 {
  static constexpr isa name = isa::x86_64_v4;
};

}  // namespace onefold::detail::level
