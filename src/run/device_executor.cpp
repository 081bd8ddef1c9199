#include "run/device_executor.hpp"

#include <string>

#include "fork.hpp"
#include "run/cpu_executor.hpp"

namespace onefold::detail {
namespace {

[[noreturn]] void fail(const accelerator_failure& failed) { throw error(failed.code, failed.text); }

}  // namespace

device_executor::device_executor(choice& c) : c_(c), states_(*c.recipe, 0, 1) {
  const accelerator_work work{sizeof(accelerator_work),
                              c.recipe,
                              c.operation,
                              c.element,
                              c.mode,
                              c.kernel,
                              c.device,
                              c.result,
                              c.result_size,
                              c.n};
  accelerator_failure failed{};
  if (!c.device_runs->open(work, &handle_, &c.device, &failed)) fail(failed);
}

device_executor::~device_executor() {
  if (!accelerator_lost()) c_.device_runs->close(handle_);
}

const void* device_executor::fold(const void* op, const void* data, std::int64_t n) {
  if (accelerator_lost())
    throw error(error_code::backend_unavailable, std::string("backend cuda cannot run: ") + why_accelerator_lost);
  accelerator_failure failed{};
  if (!c_.device_runs->run(handle_, op, data, n, states_.data(), &failed)) fail(failed);
  return states_.data();
}

void device_executor::run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
  const recipe& r = *c_.recipe;
  if (n == 0 && is_small(r, n)) return run_small(c_, op, data, n, init, result);
  if (n == 0)
    r.fold(op, {data, n, 0}, 0, 1, 0, states_.data(), states_.room(0));
  else
    fold(op, data, n);
  check_result(r, r.finish(op, states_.data(), n, init, c_.result, result, states_.room(0)));
}

void device_executor::enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n,
                              const void* init, void* result, CUstream_st* stream) {
  accelerator_failure failed{};
  if (!c_.device_runs->enqueue(handle_, op, data, n, device_n, init, result, stream, &failed)) fail(failed);
}

}  // namespace onefold::detail
