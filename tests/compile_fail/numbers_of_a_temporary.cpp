// Numbers of groups that end before the groups are gathered.
// says: onefold: these numbers are a temporary, and the groups would outlive them: give them a name
#include <vector>

#include "onefold/numbered_groups.hpp"

void gather(const std::vector<std::uint32_t>& numbers, const float* from, float* to) {
#ifdef ONEFOLD_MISTAKE
  const onefold::numbered_groups groups(std::vector<std::uint32_t>(numbers), 3);
#else
  const onefold::numbered_groups groups(numbers, 3);
#endif
  groups.gather(from, sizeof *from, to);
}
