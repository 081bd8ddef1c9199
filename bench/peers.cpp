// The peers as contenders.
#include "contender.hpp"
#include "peers/peer.hpp"

namespace bench {

void add_peers(std::vector<contender>& list) {
  const auto add = [&](const std::vector<peer_function>& peers, const char* flags) {
    for (const peer_function& f : peers)
      list.push_back({f.row, f.type, f.name, flags, f.needs, [run = f.run](std::int64_t n, int threads) {
                        return [=](const void* data) { return run(data, n, threads); };
                      }});
  };
  add(peers_plain(), "plain");
  add(peers_fast(), "fast");
}

}  // namespace bench
