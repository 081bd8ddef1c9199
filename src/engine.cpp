// Runs a chosen reduction: small inputs at once, others as aligned runs of pages spread over a backend's threads.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "choose.hpp"
#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/backend.hpp"
#include "onefold/order.hpp"
#include "planner/candidates.hpp"

namespace onefold::detail {
namespace {

// Runs for each thread, so that equal numbers of runs are nearly equal numbers of pages: 1/16 off at worst. Where the
// pages divide evenly, fewer and longer ones do.
constexpr int runs_per_thread = 16;

/// How n elements are cut: into `runs` aligned runs of 2^log2 pages.
struct cut {
  int log2;
  std::int64_t runs;

  cut(const recipe& r, std::int64_t n, int threads) {
    const std::int64_t pages = pages_of(r, n);
    const std::int64_t aimed = threads == 1 ? 1 : std::int64_t{threads} * runs_per_thread;
    const auto bits = [](std::int64_t x) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x))); };
    log2 = threads == 1 ? bits(pages - 1) : std::max(0, bits(pages / aimed) - 1);
    while (threads > 1 && pages % (std::int64_t{threads} << (log2 + 1)) == 0) ++log2;
    runs = (pages + (std::int64_t{1} << log2) - 1) >> log2;
  }
  /// The most runs that any n gives.
  static std::int64_t most(int threads) { return threads <= 1 ? 1 : 2 * std::int64_t{threads} * runs_per_thread + 1; }
};

/// Memory for states; none is constructed.
class state_array {
 public:
  state_array(const recipe& r, std::int64_t count)
      : align_(std::align_val_t{std::max<std::size_t>(r.state_align, alignof(std::max_align_t))}),
        bytes_(::operator new(static_cast<std::size_t>(count) * r.state_size, align_)) {}
  ~state_array() { ::operator delete(bytes_, align_); }
  state_array(const state_array&) = delete;
  state_array& operator=(const state_array&) = delete;
  void* data() const { return bytes_; }

 private:
  std::align_val_t align_;
  void* bytes_;
};

/// A fold by several threads: what a piece of work needs to know. The flags make the data's way from the caller to the
/// workers and back visible to race detectors, whichever runtime is between.
struct job {
  const recipe& r;
  const void* op;
  const void* data;
  std::int64_t n;
  cut how;
  int pieces;
  void* states;
  std::atomic<bool> ready{false};
  std::atomic<int> done{0};

  static void work(void* context, int piece) {
    job& j = *static_cast<job*>(context);
    static_cast<void>(j.ready.load(std::memory_order_acquire));
    const float_environment ieee;
    j.r.fold(j.op, j.data, j.n, j.how.runs * piece / j.pieces, j.how.runs * (piece + 1) / j.pieces, j.how.log2,
             j.states);
    j.done.fetch_add(1, std::memory_order_acq_rel);
  }

  void run(const choice& c, void* handle) {
    ready.store(true, std::memory_order_release);
    c.runs->run(handle, pieces, work, this);
    static_cast<void>(done.load(std::memory_order_acquire));
  }
};

void check(const choice& c, const void* data, std::int64_t n) {
  if (n < 0 || n > c.n)
    throw error(error_code::invalid_argument, "the number of elements, " + std::to_string(n) +
                                                  ", is not between 0 and the plan's " + std::to_string(c.n));
  if (n == 0 && !c.recipe->empty_allowed)
    throw error(error_code::empty_input,
                std::string(c.recipe->name) + " of no elements has no value: the input is empty");
  if (n > 0 && !data)
    throw error(error_code::invalid_argument,
                "the data pointer is null, but there are " + std::to_string(n) + " elements");
}

[[noreturn]] void fail_without_result(const recipe& r, const char* why_none) {
  throw error(error_code::overflow, std::string(r.name) + " has no result: " + why_none);
}

/// Throws if a fold says why it has no result.
inline void check_result(const recipe& r, const char* why_none) {
  if (why_none) [[unlikely]]
    fail_without_result(r, why_none);
}

/// Folds n > 0 elements by `threads` of the choice's threads to states[0]. There is room for cut::most(threads) states.
/// The caller guards the floating-point environment.
void fold_pages(const choice& c, int threads, void* handle, void* states, const void* op, const void* data,
                std::int64_t n) {
  const recipe& r = *c.recipe;
  const cut how(r, n, threads);
  const int pieces = static_cast<int>(std::min<std::int64_t>(threads, how.runs));
  if (pieces == 1)
    r.fold(op, data, n, 0, how.runs, how.log2, states);
  else
    job{r, op, data, n, how, pieces, states}.run(c, handle);
  if (how.runs > 1) r.merge(op, states, how.runs);
}

/// Folds more than one page and writes the result.
void run_pages(const choice& c, int threads, void* handle, void* states, const void* op, const void* data,
               std::int64_t n, const void* init, void* result) {
  const float_environment ieee;
  fold_pages(c, threads, handle, states, op, data, n);
  check_result(*c.recipe, c.recipe->finish(op, states, n, init, c.result, result));
}

inline void run_small(const choice& c, const void* op, const void* data, std::int64_t n, const void* init,
                      void* result) {
  const float_environment ieee;
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
    else if (handle_)
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

/// Folds n > 0 elements on an accelerator. The module may merge states: the caller guards the environment.
void fold_on_device(const choice& c, void* handle, void* state, const void* op, const void* data, std::int64_t n) {
  accelerator_failure failed{};
  if (!c.device_runs->run(handle, op, data, n, state, &failed)) fail(failed);
}

/// Runs on an accelerator: its state, finished here.
void run_device(const choice& c, void* handle, void* state, const void* op, const void* data, std::int64_t n,
                const void* init, void* result) {
  if (n == 0) return run_small(c, op, data, n, init, result);
  const float_environment ieee;
  fold_on_device(c, handle, state, op, data, n);
  check_result(*c.recipe, c.recipe->finish(op, state, n, init, c.result, result));
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
        states(*first.chosen.recipe, cut::most(first.chosen.threads)),
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
    check(c, data, n);
    const side& by = side_for(c.runs ? locate(data) : located{}, n);
    if (!by.chosen.runs) return run_device(by.chosen, by.backend.handle(), states.data(), op, data, n, init, result);
    if (n <= c.recipe->page) return run_small(c, op, data, n, init, result);
    run_pages(c, n < gains_from ? 1 : c.threads, by.backend.handle(), states.data(), op, data, n, init, result);
  }

  comparison compared{};
  side first;                  ///< whom the plan chose
  std::optional<side> second;  ///< an accelerator, where data turns up that it alone can read, or faster
  const side* last = &first;
  located last_data{};  ///< what the last side was chosen for
  std::int64_t last_n = -1;
  state_array states;
  std::int64_t gains_from;  ///< elements from which the first side's threads gain
};

engine::engine(const request& what, const options& how) : content_(new content(what, how)) {}

engine::~engine() { delete content_; }

// Calls on a few elements have this short way of their own: no stack, no call but the fold's.
void engine::run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
  const choice& c = content_->first.chosen;
  if (c.runs && !driver_seen() && static_cast<std::uint64_t>(n) - 1 < static_cast<std::uint64_t>(c.recipe->page) &&
      n <= c.n && data) [[likely]]
    run_small(c, op, data, n, init, result);
  else
    content_->run(op, data, n, init, result);
}

void engine::enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n, const void* init,
                     void* result, CUstream_st* stream) {
  const choice& c = content_->first.chosen;
  check(c, data, n);
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

run_report engine::report() const { return report_of(content_->last->chosen, content_->compared); }

void run_once(const request& what, const options& how, const void* op, const void* data, const void* init,
              void* result) {
  choice c = choose(what, how);
  check(c, data, what.n);
  if (c.runs) c = choice_for(c, locate(data), what.n);
  if (c.runs && what.n <= c.recipe->page) return run_small(c, op, data, what.n, init, result);
  const state_array states(*c.recipe, cut::most(c.threads));
  const opened backend(c);
  if (!c.runs) return run_device(c, backend.handle(), states.data(), op, data, what.n, init, result);
  run_pages(c, c.threads, backend.handle(), states.data(), op, data, what.n, init, result);
}

void fold_once(const request& what, const options& how, const void* data, void* state, std::size_t state_size) {
  choice c = choose(what, how);
  check(c, data, what.n);
  if (c.recipe->state_size != state_size)
    throw error(error_code::unsupported, "the caller was compiled against another version of onefold");
  if (c.runs) c = choice_for(c, locate(data), what.n);
  const state_array states(*c.recipe, cut::most(c.threads));
  const opened backend(c);
  const float_environment ieee;
  if (c.runs)
    fold_pages(c, c.threads, backend.handle(), states.data(), nullptr, data, what.n);
  else
    fold_on_device(c, backend.handle(), states.data(), nullptr, data, what.n);
  std::memcpy(state, states.data(), state_size);
}

}  // namespace onefold::detail
