#include "run/piece_scratch.hpp"

#include <algorithm>

#include "run/aligned.hpp"
#include "run/block.hpp"
#include "run/cpu_executor.hpp"
#include "run/element_memory.hpp"

namespace onefold::detail {

piece_scratch::piece_scratch(const recipe& r, int pieces, std::int64_t pages, std::int64_t width,
                             std::int64_t tile_bytes)
    : r_(r), pieces_(pieces) {
  const std::int64_t of_elements = tile_bytes == 0 ? 1 : alignment_within(r.element_size);
  const std::int64_t align = std::max<std::int64_t>({r.state_align, of_elements, 64});
  align_ = std::align_val_t{static_cast<std::size_t>(align)};
  node_bytes_ = pages <= 1 ? 0 : aligned(node_list::bytes(r, static_cast<int>(width), pages), align);
  room_bytes_ = aligned(std::max<std::int64_t>(room_bytes(r, std::max<std::int64_t>(pages, 1)), block_room(r)), align);
  tile_bytes_ = aligned(tile_bytes, align);
  if (pages > 1) {  // before the memory, which a list that cannot grow would leak
    lists_.reserve(2 * static_cast<std::size_t>(pieces) + 1);
    published_.resize(2 * static_cast<std::size_t>(pieces));
  }
  why_.resize(static_cast<std::size_t>(pieces));
  const std::int64_t bytes = (2 * pieces + 1) * node_bytes_ + pieces * (room_bytes_ + tile_bytes_);
  memory_ = static_cast<char*>(::operator new(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)), align_));
  if (pages > 1)
    for (int i = 0; i < 2 * pieces + 1; ++i) lists_.emplace_back(r, pages, memory_ + i * node_bytes_);
}

void piece_scratch::begin() {
  std::ranges::fill(published_, -1);
  std::ranges::fill(why_, nullptr);
}

void piece_scratch::check_results() const {
  for (const char* why : why_) check_result(r_, why);
}

}  // namespace onefold::detail
