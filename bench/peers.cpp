// The peers as contenders.
#include "peers/peer.hpp"

#include "contender.hpp"
#include "lines.hpp"
#include "operations.hpp"
#include "shapes.hpp"

#include <string_view>

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

void add(std::vector<contender>& list, const line_peer& f, const char* flags) {
  if (f.copies && flags != std::string_view("plain")) return;  // any flags copy alike
  for (const std::vector<line_work>& all : {scans(), row_operations()})
    for (const line_work& w : all)
      if (w.operation == f.operation)
        list.push_back(line_contender(w, f.type, f.name, flags, f.needs, f.copies, [=](int threads) -> line_function {
          return [=, run = f.run](const void* data, void* results) { run(data, results, w.lines, w.length, threads); };
        }));
}

}  // namespace

void add_peers(std::vector<contender>& list) {
  for (const peer_function& f : peers_plain()) add(list, f, "plain");
  for (const peer_function& f : peers_fast()) add(list, f, "fast");
  for (const shape_function& f : shape_peers_plain()) add(list, f, "plain");
  for (const shape_function& f : shape_peers_fast()) add(list, f, "fast");
  for (const line_peer& f : line_peers_plain()) add(list, f, "plain");
  for (const line_peer& f : line_peers_fast()) add(list, f, "fast");
}

}  // namespace bench
