// A machine's profile as text and back.
#pragma once

#include <string>
#include <string_view>

#include "onefold/profile.hpp"

namespace onefold::detail {

/// The profile that `text`, as to_json makes it, describes. Throws std::runtime_error with the reason where it is none:
/// another format or version, something missing, or a figure that no machine has.
machine_profile profile_from_json(std::string_view text);

}  // namespace onefold::detail
