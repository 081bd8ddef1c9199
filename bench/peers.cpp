// The peers as contenders.
#include "peers/peer.hpp"

#include "contender.hpp"
#include "operations.hpp"
#include "shapes.hpp"

namespace bench {
namespace {

void add(std::vector<contender>& list, const peer_function& f, const char* flags) {
  list.push_back({f.row, f.type, f.name, flags, f.needs, [run = f.run](std::int64_t n, int threads) {
                    return [=](const void* data) { return run(data, n, threads); };
                  }});
  if (is_operation(f.row)) list.back().most_bytes = most_operated;
}

void add(std::vector<contender>& list, const shape_function& f, const char* flags) {
  for (const shape& s : shapes())
    list.push_back(shape_contender(s, f.type, f.name, flags, f.needs, [=](int) -> shape_reduction {
      return [sum = s.axis == 0 ? f.columns : f.rows, rows = s.rows(), columns = s.columns()](
                 const void* data, void* results) { sum(data, results, rows, columns); };
    }));
}

}  // namespace

void add_peers(std::vector<contender>& list) {
  for (const peer_function& f : peers_plain()) add(list, f, "plain");
  for (const peer_function& f : peers_fast()) add(list, f, "fast");
  for (const shape_function& f : shape_peers_plain()) add(list, f, "plain");
  for (const shape_function& f : shape_peers_fast()) add(list, f, "fast");
}

}  // namespace bench
