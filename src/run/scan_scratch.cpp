#include "run/scan_scratch.hpp"

#include <algorithm>
#include <cstring>

#include "planner/candidates.hpp"
#include "run/aligned.hpp"
#include "run/cpu_executor.hpp"
#include "run/element_memory.hpp"

namespace onefold::detail {

scan_scratch::scan_scratch(const choice& c, const scan_recipe& s, int lists, std::int64_t pages, int lines,
                           std::int64_t tile_bytes, std::int64_t result_tile_bytes)
    : lines_(lines), state_size_(c.recipe->state_size) {
  const recipe& r = *c.recipe;
  const std::int64_t of_tiles =
      tile_bytes == 0 ? 1 : std::max(alignment_within(r.element_size), alignment_within(c.result_size));
  const std::int64_t align = std::max<std::int64_t>({r.state_align, of_tiles, 64});
  align_ = std::align_val_t{static_cast<std::size_t>(align)};
  fold_bytes_ = aligned(room_bytes(r, std::max<std::int64_t>(pages, 1)), align);
  scan_bytes_ = aligned(s.room_size, align);
  line_bytes_ = aligned(std::int64_t{scan_nodes} * r.state_size, align);
  tile_bytes_ = aligned(tile_bytes, align);
  piece_bytes_ = fold_bytes_ + scan_bytes_ + lines * line_bytes_ + tile_bytes_ + aligned(result_tile_bytes, align);
  lists_.reserve(static_cast<std::size_t>(lists) + 1);  // before the memory, which a list that cannot grow would leak
  const std::int64_t list_bytes = aligned(node_list::bytes(r, 1, std::max<std::int64_t>(pages, 1)), align);
  memory_ = static_cast<char*>(
      ::operator new(static_cast<std::size_t>(c.threads * piece_bytes_ + (lists + 1) * list_bytes), align_));
  for (int i = 0; i <= lists; ++i)
    lists_.emplace_back(r, std::max<std::int64_t>(pages, 1), memory_ + c.threads * piece_bytes_ + i * list_bytes);
}

std::int32_t scan_scratch::copy_nodes_before(int piece) {
  const node_list& all = before();
  std::memcpy(nodes(piece, 0), all.states(), static_cast<std::size_t>(all.count() * state_size_));
  return all.count();
}

}  // namespace onefold::detail
