#include "answers.hpp"

#include <tbb/task_arena.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <utility>

#include "data.hpp"
#include "onefold/onefold.hpp"

namespace bench {
namespace {

using nlohmann::ordered_json;

template <class T>
std::pair<double, double> exact_sum_of(const void* data, std::int64_t n) {
  onefold::exact_sum<double> sum;
  for (std::int64_t i = 0; i < n; ++i) sum.push(static_cast<double>(static_cast<const T*>(data)[i]));
  const double nearest = sum.value();
  sum.push(-nearest);
  return {nearest, sum.value()};
}

std::pair<double, double> exact_answer(const row& r, const sample& s) {
  if (r.who.row == "max") return {s.max, 0};
  return r.who.type == "f32" ? exact_sum_of<float>(s.data, r.n()) : exact_sum_of<double>(s.data, r.n());
}

}  // namespace

void write_answers(std::ostream& out, const std::vector<row>& rows, const std::regex& wanted, int threads, int runs) {
  ordered_json found{{"exact", ordered_json::object()}, {"answers", ordered_json::object()}};
  for (const row& r : rows) {
    if (!std::regex_search(r.name, wanted)) continue;
    const sample& s = sample_of(r.who.type, r.bytes);
    const std::string array = r.who.row + "/" + r.who.type + "/" + std::to_string(r.bytes);
    if (!found["exact"].contains(array)) found["exact"][array] = exact_answer(r, s);
    const auto reduce = r.who.prepare(r.n(), threads);
    std::set<double> answers;
    // An arena of that many threads: TBB's own has no more of them than the machine has cores.
    tbb::task_arena(threads).execute([&] {
      for (int i = 0; i < runs; ++i) answers.insert(reduce(s.data));
    });
    found["answers"][r.name] = answers;
  }
  out << found.dump(1) << '\n';
}

}  // namespace bench
