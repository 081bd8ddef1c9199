#include "run/cpu_team.hpp"

#include <string>

#include "fork.hpp"
#include "modules.hpp"
#include "onefold/catalog.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"

namespace onefold::detail {
namespace {

/// The options, with a CPU backend where any would do.
options on_cpu(const char* work, options how) {
  const requested_backend asked = resolve_backend(how);
  if (is_accelerator(asked.backend))
    throw error(error_code::unsupported, std::string(work) + " are computed on CPUs only, not on backend " +
                                             name_of(asked.backend) + "; use backend cpu or automatic");
  if (asked.backend == backend::automatic) how.backend = backend::cpu;
  return how;
}

choice chosen_for(const char* work, dtype element, const void* data, std::int64_t n, const options& how,
                  run_report* ran) {
  require_no_initial(work, how);
  const memory_location where = locate(data);
  if (where.kind == accelerator_memory::device && where.owner)
    throw error(error_code::unsupported, std::string(work) +
                                             " are computed on CPUs only, and the data is in device memory: copy it to "
                                             "the host");
  return choose_as_variance(element, data, n, on_cpu(work, how), where, ran);
}

}  // namespace

choice choose_as_variance(dtype element, const void* data, std::int64_t n, const options& how,
                          const memory_location& where, run_report* ran) {
  request what;
  what.operation = operation_index<op::variance>;
  what.element = element;
  what.n = n;
  comparison compared{};
  const choice c = choose(what, with_accuracy(how, accuracy::native), &where, ran ? &compared : nullptr);
  if (n != 0) check(c, data, n, nullptr);
  if (ran) {
    *ran = report_of(c, compared);
    ran->isa = isa::baseline;
    ran->estimates.clear();  // those of a variance
    ran->figures.clear();
  }
  return c;
}

cpu_team::cpu_team(const choice& c, std::int64_t n, run_report* ran)
    : session_(*c.scheduler, c.threads), threads_{session_.s, session_.handle, threads_lost() ? 1 : c.threads} {
  if (ran) ran->threads = threads_.pieces(n);
}

cpu_team::cpu_team(const char* work, dtype element, const void* data, std::int64_t n, const options& how,
                   run_report* ran)
    : cpu_team(chosen_for(work, element, data, n, how, ran), n, ran) {}

}  // namespace onefold::detail
