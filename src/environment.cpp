// The environment variables that the library obeys, read once.
#include "environment.hpp"

#include <cstdlib>

namespace onefold::detail {

const environment& the_environment() {
  const auto text = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  static const environment e{text("ONEFOLD_BACKEND"),
                             text("ONEFOLD_ISA"),
                             text("ONEFOLD_NUM_THREADS"),
                             text("ONEFOLD_BACKEND_PATH"),
                             text("ONEFOLD_PROFILE"),
                             text("XDG_CACHE_HOME"),
                             text("HOME")};
  return e;
}

std::string in_quotes(const std::string& value) {
  constexpr std::size_t longest = 40;
  constexpr char digit[] = "0123456789abcdef";
  std::string text = "\"";
  for (const char c : value.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      text += c;
    else
      text.append("\\x").append({digit[byte >> 4], digit[byte & 15]});
  }
  return text + (value.size() > longest ? "...\"" : "\"");
}

}  // namespace onefold::detail
