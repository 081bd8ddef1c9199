// The lists of one library of peers.
#include "peer.hpp"

#define ONEFOLD_BENCH_PASTE_(a, b) a##b
#define ONEFOLD_BENCH_PASTE(a, b) ONEFOLD_BENCH_PASTE_(a, b)

namespace bench {

std::vector<peer_function>& ONEFOLD_BENCH_FLAGS::listed() {
  static std::vector<peer_function> list;
  return list;
}

std::vector<shape_function>& ONEFOLD_BENCH_FLAGS::listed_shapes() {
  static std::vector<shape_function> list;
  return list;
}

std::vector<line_peer>& ONEFOLD_BENCH_FLAGS::listed_lines() {
  static std::vector<line_peer> list;
  return list;
}

[[gnu::visibility("default")]] std::vector<peer_function> ONEFOLD_BENCH_PASTE(peers_, ONEFOLD_BENCH_FLAGS)() {
  return ONEFOLD_BENCH_FLAGS::listed();
}

[[gnu::visibility("default")]] std::vector<shape_function> ONEFOLD_BENCH_PASTE(shape_peers_, ONEFOLD_BENCH_FLAGS)() {
  return ONEFOLD_BENCH_FLAGS::listed_shapes();
}

[[gnu::visibility("default")]] std::vector<line_peer> ONEFOLD_BENCH_PASTE(line_peers_, ONEFOLD_BENCH_FLAGS)() {
  return ONEFOLD_BENCH_FLAGS::listed_lines();
}

}  // namespace bench
