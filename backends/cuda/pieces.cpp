#include "pieces.hpp"

#include <algorithm>
#include <cstring>

namespace onefold::cuda {

std::int64_t piece_of(const recipe& host, std::int64_t longest) {
  std::int64_t piece = host.page;
  while (piece * 2 * host.element_size <= piece_bytes && piece < longest) piece *= 2;
  return piece;
}

void fold_pieces(scratch& s, const recipe& host, const device_fold& fold, device_launch launch,
                 std::span<const node_run> runs, std::int64_t piece, const piece_source& bring) {
  const auto pieces_of = [&](const node_run& r) { return (r.n + piece - 1) / piece; };
  std::int64_t pieces = 0;
  for (const node_run& r : runs) pieces += pieces_of(r);
  s.states.grow((pieces + 2) * host.state_size);  // two more: the room of merge, and of finish
  launch.out = s.states.device();
  for (const node_run& r : runs)
    for (std::int64_t at = 0; at < r.n; at += piece) {
      launch.n = std::min(piece, r.n - at);
      launch.first = r.index + at;
      bring(r, at, launch.n, [&](const void* there) {
        launch.data = there;
        check(static_cast<cudaError_t>(fold.launch(fold, launch)), "the launch of a kernel");
      });
      launch.out = static_cast<char*>(launch.out) + host.state_size;
    }
  check(cudaStreamSynchronize(launch.stream), "a kernel");
  auto* const states = static_cast<char*>(s.states.host());
  char *from = states, *to = states, *const room = states + pieces * host.state_size;
  for (const node_run& r : runs) {
    const std::int64_t count = pieces_of(r);
    if (count > 1) host.merge(launch.op, from, count, room);
    std::memmove(to, from, host.state_size);
    from += count * host.state_size;
    to += host.state_size;
  }
}

}  // namespace onefold::cuda
