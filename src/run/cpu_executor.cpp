#include "run/cpu_executor.hpp"

#include <algorithm>
#include <string>

#include "fork.hpp"

namespace onefold::detail {

void fail_without_result(const recipe& r, const char* why_none) {
  throw error(error_code::overflow, std::string(r.name) + " has no result: " + why_none);
}

cpu_executor::cpu_executor(const choice& c)
    : c_(c), handle_(c.scheduler->open(c.threads)), states_(*c.recipe, c.n, c.threads) {}

const void* cpu_executor::fold(const void* op, const void* data, std::int64_t n) {
  const recipe& r = *c_.recipe;
  const int threads = threads_lost() || n < c_.gains_from ? 1 : c_.threads;
  const partition parts(r, n, threads);
  const int pieces = static_cast<int>(std::min<std::int64_t>(threads, parts.runs));
  job work{r, op, data, n, parts, pieces, states_};
  run_pieces(*c_.scheduler, handle_, pieces, work);
  if (parts.runs > 1) r.merge(op, states_.data(), parts.runs, states_.room(0));
  return states_.data();
}

void cpu_executor::run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
  if (is_small(*c_.recipe, n)) return run_small(c_, op, data, n, init, result);
  const void* state = fold(op, data, n);
  check_result(*c_.recipe, c_.recipe->finish(op, state, n, init, c_.result, result, states_.room(0)));
}

}  // namespace onefold::detail
