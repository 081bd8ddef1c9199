#include "report/record.hpp"

namespace onefold::cli {

const part* record::find(std::string_view chapter) const {
  for (const part& p : parts)
    if (p.chapter == chapter) return &p;
  return nullptr;
}

}  // namespace onefold::cli
