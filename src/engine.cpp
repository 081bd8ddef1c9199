// Runs a chosen reduction: small inputs at once, others as aligned runs of pages spread over a backend's threads.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "choose.hpp"
#include "cpu.hpp"
#include "fork.hpp"
#include "host_blocks.hpp"
#include "modules.hpp"
#include "onefold/backend.hpp"
#include "onefold/order.hpp"
#include "partition.hpp"
#include "planner/candidates.hpp"
#include "quantity.hpp"
#include "wishes.hpp"

namespace onefold::detail {
namespace {

void check(const choice& c, const void* data, std::int64_t n, const void* init) {
  if (n < 0 || n > c.n)
    throw error(error_code::invalid_argument, "the number of elements, " + std::to_string(n) +
                                                  ", is not between 0 and the plan's " + std::to_string(c.n));
  if (n == 0 && !c.recipe->empty_allowed && !init)
    throw error(error_code::empty_input,
                std::string(c.recipe->name) + " of no elements has no value: the input is empty");
  if (n > 0 && !data)
    throw error(error_code::invalid_argument, std::string("the data pointer is null, but there ") +
                                                  (n == 1 ? "is " : "are ") + quantity(n, "element"));
}

[[noreturn]] void fail_without_result(const recipe& r, const char* why_none) {
  throw error(error_code::overflow, std::string(r.name) + " has no result: " + why_none);
}

/// Throws if a fold says why it has no result.
inline void check_result(const recipe& r, const char* why_none) {
  if (why_none) [[unlikely]]
    fail_without_result(r, why_none);
}

// In all that follows the caller guards the floating-point environment: the engine's own functions do.

/// Folds n elements by `wanted` of the choice's threads to the first of the states, which were made for as many.
void fold_pages(const choice& c, int wanted, void* handle, const state_array& states, const void* op, const void* data,
                std::int64_t n) {
  const recipe& r = *c.recipe;
  const int threads = threads_lost() ? 1 : wanted;
  const cut how(r, n, threads);
  const int pieces = static_cast<int>(std::min<std::int64_t>(threads, how.runs));
  if (pieces == 1)
    r.fold(op, data, n, 0, how.runs, how.log2, states.data(), states.room(0));
  else
    job{r, op, data, n, how, pieces, states}.run(c, handle);
  if (how.runs > 1) r.merge(op, states.data(), how.runs, states.room(0));
}

/// Folds what is not small and writes the result.
void run_pages(const choice& c, int threads, void* handle, const state_array& states, const void* op, const void* data,
               std::int64_t n, const void* init, void* result) {
  fold_pages(c, threads, handle, states, op, data, n);
  check_result(*c.recipe, c.recipe->finish(op, states.data(), n, init, c.result, result, states.room(0)));
}

/// Whether n elements need no states but those on the stack.
inline bool is_small(const recipe& r, std::int64_t n) { return n <= r.small_limit && r.small_limit > 0; }

inline void run_small(const choice& c, const void* op, const void* data, std::int64_t n, const void* init,
                      void* result) {
  check_result(*c.recipe, c.recipe->small(op, data, n, init, c.result, result));
}

[[noreturn]] void fail(const accelerator_failure& failed) { throw error(failed.code, failed.text); }

/// A backend's handle for a choice.
class opened {
 public:
  explicit opened(choice& c) : runs_(c.runs), device_runs_(c.device_runs) {
    if (runs_) {
      handle_ = runs_->open(c.threads);
    } else {
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
      if (!device_runs_->open(work, &handle_, &c.device, &failed)) fail(failed);
    }
  }
  ~opened() {
    if (runs_)
      runs_->close(handle_);
    else if (handle_ && !accelerator_lost())
      device_runs_->close(handle_);
  }
  opened(const opened&) = delete;
  opened& operator=(const opened&) = delete;
  void* handle() const { return handle_; }

 private:
  const scheduler* runs_;
  const accelerator* device_runs_;
  void* handle_ = nullptr;
};

/// Throws for a plan that its accelerator has not followed into this process.
void require_accelerator() {
  if (accelerator_lost())
    throw error(error_code::backend_unavailable, std::string("backend cuda cannot run: ") + why_accelerator_lost);
}

/// Folds n > 0 elements on an accelerator.
void fold_on_device(const choice& c, void* handle, void* state, const void* op, const void* data, std::int64_t n) {
  require_accelerator();
  accelerator_failure failed{};
  if (!c.device_runs->run(handle, op, data, n, state, &failed)) fail(failed);
}

/// Runs on an accelerator: its state, finished here.
void run_device(const choice& c, void* handle, const state_array& states, const void* op, const void* data,
                std::int64_t n, const void* init, void* result) {
  if (n == 0 && is_small(*c.recipe, n)) return run_small(c, op, data, n, init, result);
  if (n == 0) return run_pages(c, 1, nullptr, states, op, data, n, init, result);
  fold_on_device(c, handle, states.data(), op, data, n);
  check_result(*c.recipe, c.recipe->finish(op, states.data(), n, init, c.result, result, states.room(0)));
}

}  // namespace

struct engine::content {
  /// A choice with what it has opened.
  struct side {
    explicit side(const choice& c) : chosen(c), backend(chosen) {}
    choice chosen;
    opened backend;
  };

  content(const request& what, const options& how)
      : first(choose(what, how, &compared)),
        states(*first.chosen.recipe, first.chosen.n, first.chosen.threads),
        gains_from(threads_gain_from(first.chosen)) {
    look_for_driver();
  }

  /// The side for n elements that are there. Comparing estimates takes a part of a microsecond: who asks again for
  /// as many elements in memory of the same kind is given the same answer.
  const side& side_for(const located& data, std::int64_t n) {
    if (data == last_data && n == last_n) return *last;
    const choice c = choice_for(first.chosen, data, n, &compared);
    last = &first;
    if (c.who != first.chosen.who) {
      if (!second) second.emplace(c);
      second->chosen.why = c.why;
      last = &*second;
    }
    last_data = data;
    last_n = n;
    return *last;
  }

  /// The run of an array that is not small, or may not be where the CPU reads.
  [[gnu::noinline]] void run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
    const choice& c = first.chosen;
    check(c, data, n, init);
    const side& by = side_for(c.runs ? locate(data) : located{}, n);
    if (n > 0 && !driver_seen()) host.insert(data);
    if (!by.chosen.runs) return run_device(by.chosen, by.backend.handle(), states, op, data, n, init, result);
    if (is_small(*c.recipe, n)) return run_small(c, op, data, n, init, result);
    run_pages(c, n < gains_from ? 1 : c.threads, by.backend.handle(), states, op, data, n, init, result);
  }

  host_blocks host;
  comparison compared{};
  side first;                  ///< whom the plan chose
  std::optional<side> second;  ///< an accelerator, where data turns up that it alone can read, or faster
  const side* last = &first;
  located last_data{};  ///< what the last side was chosen for
  std::int64_t last_n = -1;
  state_array states;
  std::int64_t gains_from;  ///< elements from which the first side's threads gain
};

namespace {

[[noreturn]] void fail_moved_from() {
  throw error(error_code::invalid_argument, "the plan was moved from; assign another plan to it first");
}

template <class Content>
inline Content& content_in(Content* content) {
  if (!content) [[unlikely]]
    fail_moved_from();
  return *content;
}

}  // namespace

engine::engine(const request& what, const options& how) {
  const float_environment ieee;
  content_ = new content(what, how);
}

engine::~engine() {
  const float_environment ieee;
  delete content_;
}

// Calls on a few elements have this short way of their own: no stack, no call but the fold's. It ends where the driver
// of an accelerator is loaded, which the first pointer into a block that is not known yet finds out.
void engine::run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
  const choice& c = content_in(content_).first.chosen;
  const float_environment ieee;
  if (c.runs && !driver_seen() &&
      static_cast<std::uint64_t>(n) - 1 < static_cast<std::uint64_t>(c.recipe->small_limit) && n <= c.n &&
      content_->host.contains(data)) [[likely]]
    run_small(c, op, data, n, init, result);
  else
    content_->run(op, data, n, init, result);
}

void engine::enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n, const void* init,
                     void* result, CUstream_st* stream) {
  const choice& c = content_in(content_).first.chosen;
  const float_environment ieee;
  check(c, data, n, init);
  if (!result) throw error(error_code::invalid_argument, "the result pointer is null");
  if (c.recipe->may_refuse)
    throw error(
        error_code::unsupported,
        std::string(c.recipe->name) + " may have no result, which a stream has no way to say; call the plan instead");
  const loaded_accelerator& found = find_accelerator();
  if (!found.runs)
    throw error(error_code::backend_unavailable, "only backend cuda has streams, and it cannot run: " + found.why_not);
  const content::side& by = content_->side_for({found.runs, accelerator_memory::device}, n);
  accelerator_failure failed{};
  if (!by.chosen.device_runs->enqueue(by.backend.handle(), op, data, n, device_n, init, result, stream, &failed))
    fail(failed);
}

run_report engine::report() const {
  const content& made = content_in(content_);
  const float_environment ieee;
  return report_of(made.last->chosen, made.compared);
}

void require_valid(const options& how) { check_choices(how); }

void run_once(const request& what, const options& how, const void* op, const void* data, const void* init,
              void* result) {
  const float_environment ieee;
  choice c = choose(what, how);
  check(c, data, what.n, init);
  if (c.runs) c = choice_for(c, locate(data), what.n);
  if (c.runs && is_small(*c.recipe, what.n)) return run_small(c, op, data, what.n, init, result);
  const state_array states(*c.recipe, what.n, c.threads);
  const opened backend(c);
  if (!c.runs) return run_device(c, backend.handle(), states, op, data, what.n, init, result);
  run_pages(c, c.threads, backend.handle(), states, op, data, what.n, init, result);
}

void fold_once(const request& what, const options& how, const void* data, void* state, std::size_t state_size) {
  const float_environment ieee;
  choice c = choose(what, how);
  check(c, data, what.n, nullptr);
  if (c.recipe->state_size != state_size)
    throw error(error_code::unsupported, "the caller was compiled against another version of onefold");
  if (c.runs) c = choice_for(c, locate(data), what.n);
  const state_array states(*c.recipe, what.n, c.threads);
  const opened backend(c);
  if (c.runs)
    fold_pages(c, c.threads, backend.handle(), states, nullptr, data, what.n);
  else
    fold_on_device(c, backend.handle(), states.data(), nullptr, data, what.n);
  std::memcpy(state, states.data(), state_size);
}

}  // namespace onefold::detail
