// The list of chapters.
#include <array>

#include "report/chapter.hpp"

namespace onefold::cli {

std::span<const chapter* const> chapters() {
  static constexpr std::array all{&bandwidth,    &speedup, &crossover, &latency,  &shapes,    &shapes_cached, &modes,
                                  &modes_cached, &errors,  &ladder,    &notebook, &ladder_1m, &harris_4m};
  return all;
}

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names;
  for (const chapter* c : chapters())
    if (c->preset) names.emplace_back(c->name);
  return names;
}

bool is_in(const chapter& c, const assignment& asked) {
  return asked.set == c.name || asked.set == "full" || (asked.set == "quick" && !c.preset);
}

}  // namespace onefold::cli
