#include "run/checks.hpp"

#include <span>

#include "onefold/error.hpp"
#include "quantity.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

/// Whether a problem is that of an array and one result.
bool is_array(const problem& p) { return p.kept_axes == 0 && p.outputs == 1 && rows_are_contiguous(p); }

void require_access(const choice& c, const void* p, const char* what, const char* does) {
  if (const memory_location at = locate_for(c, p); is_beyond(c, at))
    refuse(std::string(what) + " in device memory, which backend " + name_of(c.backend) + " cannot " + does +
           "; use backend " + name_of(at.backend));
}

}  // namespace

void refuse(const std::string& why) { throw error(error_code::invalid_argument, why); }

void fail(const accelerator_failure& failed) { throw error(failed.code, failed.text); }

void check_empty(const recipe& r, std::int64_t n, const void* init) {
  if (n == 0 && !r.empty_allowed && !init)
    throw error(error_code::empty_input, std::string(r.name) + " of no elements has no value: the input is empty");
}

void check_initial(const request& what, const recipe& r) {
  if (what.has_init && !what.takes_init) refuse(std::string(r.name) + " takes no initial value");
}

void require_no_initial(const char* work, const options& how) {
  if (is_given(how.init)) refuse(std::string(work) + " take no initial value");
}

void check(const choice& c, const void* data, std::int64_t n, const void* init) {
  if (n < 0 || n > c.n)
    refuse("the number of elements, " + std::to_string(n) + ", is not between 0 and the plan's " + std::to_string(c.n));
  check_empty(*c.recipe, n, init);
  if (n > 0 && !data) refuse("the data pointer is null, but " + there_are(n, "element"));
}

request simplified(request what) {
  if (what.shape && !what.selects && !what.maps && is_array(*what.shape)) what.shape = nullptr;
  return what;
}

void require_aligned(const void* p, std::int64_t align, const char* what) {
  if ((reinterpret_cast<std::uintptr_t>(p) & static_cast<std::uintptr_t>(align - 1)) != 0)
    refuse(std::string(what) + " not aligned to " + quantity(align, "byte"));
}

void require_aligned(const choice& c, const void* results) {
  require_aligned(results, result_align(c), "the results are");
}

void require_readable(const choice& c, const void* p, const char* what) { require_access(c, p, what, "read"); }
void require_writable(const choice& c, const void* p, const char* what) { require_access(c, p, what, "write"); }

memory_location device_of_streams(const choice& c, const void* data) {
  if (accelerator_count > 1)
    if (const memory_location at = locate(data);
        at.kind == accelerator_memory::device || (!c.accelerator && at.kind != accelerator_memory::pageable))
      return {at.owner, accelerator_memory::device, at.backend};
  const std::span<const backend> asked = c.accelerator ? std::span(&c.backend, 1) : accelerators();
  for (const backend b : asked)
    if (const loaded_accelerator& found = find_accelerator(b); found.record)
      return {found.record, accelerator_memory::device, b};
  throw error(error_code::backend_unavailable, std::string("only accelerators have streams, and backend ") +
                                                   name_of(asked.front()) +
                                                   " cannot run: " + find_accelerator(asked.front()).why_not);
}

bool check_outputs(const problem& p, const choice& c, const void* init, std::int64_t capacity) {
  if (capacity < p.outputs)
    refuse("the reduction has " + quantity(p.outputs, "result") + ", but there is room for " +
           std::to_string(capacity));
  if (p.outputs == 0) return false;
  if (p.n == 0 && !c.recipe->empty_allowed && !init)
    throw error(error_code::empty_input, std::string(c.recipe->name) + " of no elements has no value: " +
                                             (p.kept_axes == 0 ? "the input is" : "the axes that are reduced are") +
                                             " empty");
  return true;
}

void require_results(const choice& c, const void* results) {
  if (!results) refuse("the result pointer is null");
  require_aligned(c, results);
}

bool check_shape(const problem& p, const choice& c, const void* data, const void* init, const void* results,
                 std::int64_t capacity) {
  if (!check_outputs(p, c, init, capacity)) return false;
  if (p.n > 0 && !data) refuse("the data pointer is null, but " + there_are(p.outputs * p.n, "element"));
  require_results(c, results);
  if (p.n > 0 && overlap(results, p.outputs * c.result_size, data, reach_of(p, c.recipe->element_size)))
    refuse("the results would overwrite the data: their memory overlaps");
  return true;
}

}  // namespace onefold::detail
