// Arrays that consist of parts: each is folded where it is, those of different devices at once, and their partials are
// joined in order.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/detail/partial.hpp"
#include "quantity.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/page_device.hpp"
#include "run/partial_state.hpp"

namespace onefold::detail {
namespace {

/// A part, and its elements as a partial.
struct placed_part {
  array_part of;
  partial_core partial;
};

/// The parts in the memory of one device. Several such objects may be started before the first is waited for.
class device_parts {
 public:
  device_parts(const partial_kind& what, const memory_location& where, int device)
      : what_(what), where_(where), device_(device), room_(recipe_of(what)) {}

  void add(placed_part& part) { parts_.push_back({&part, copied_ends(*where_.owner), {}, 0, 0}); }

  /// Folds the pages of the parts, and does not wait for them.
  void start(const void* op) {
    std::int64_t longest = 0;
    for (const folded_part& p : parts_) {
      require_aligned_on_device(*where_.owner, what_.element, p.part->of.data);
      longest = std::max(longest, p.part->of.n);
    }
    const recipe& r = *parts_.front().part->partial.made().r;
    if (longest >= r.page) {
      require_accelerator(where_.backend);
      const std::int64_t pages = longest / r.page;
      by_.emplace(choice_on_device(what_, r, where_, device_), device_, pages * r.page);
    }
    for (folded_part& p : parts_) {
      partial_core::impl& kept = p.part->partial.made();
      p.pushed = kept.prepare(p.part->of.data, p.part->of.n,
                              [&](const std::byte* a, std::size_t bytes, const std::byte* b, std::size_t more) {
                                return p.ends.copy(a, bytes, b, more);
                              });
      if (p.pushed.pages == 0) continue;
      p.first_node = by_->size();
      by_->add_full({p.pushed.whole, p.pushed.pages * r.page, kept.position_of(p.pushed)}, p.pushed.pages,
                    kept.order_independent);
      p.last_node = by_->size();
    }
    if (by_ && by_->size() > 0) by_->start(op);
  }

  /// Waits, and has the parts' partials take their elements.
  void finish(const void* op) {
    if (by_ && by_->size() > 0) by_->finish();
    for (const folded_part& p : parts_) {
      partial_core::impl& kept = p.part->partial.made();
      kept.complete(op, p.pushed, room_.get(), [&] {
        by_->give(p.first_node, p.last_node, [&](int level, std::int64_t index, const std::byte* state) {
          kept.take_node(op, level, index, state, room_.get());
        });
      });
      kept.settle(op, room_.get());
    }
  }

 private:
  struct folded_part {
    placed_part* part;
    copied_ends ends;
    partial_core::impl::pushed pushed;
    std::size_t first_node, last_node;
  };

  partial_kind what_;
  memory_location where_;
  int device_;
  fold_memory room_;
  std::vector<folded_part> parts_;
  std::optional<page_device> by_;  ///< where there are whole pages
};

}  // namespace

void reduce_parts(const partial_kind& what, const options& how, const request& to, const void* op,
                  std::span<const array_part> parts, const void* init, void* result) {
  const float_environment ieee;
  check_choices(how);
  if (how.device >= 0 || how.devices.size() > 0)
    refuse("parts are folded where they are: leave the options device and devices as they are");
  partial_core all(what, 0);
  check_initial(to, *all.made().r);

  std::vector<placed_part> placed;
  placed.reserve(parts.size());
  std::vector<placed_part*> on_host;
  std::map<std::pair<const accelerator*, int>, device_parts> on_devices;
  std::int64_t end = 0;
  for (const array_part& part : parts) {
    if (part.n < 0) refuse("the number of elements is negative: " + std::to_string(part.n));
    const std::int64_t begin = end;
    end = checked_end(begin, part.n);
    if (part.n == 0) continue;
    if (!part.data) refuse("the data pointer is null, but " + there_are(part.n, "element"));
    placed.push_back({part, partial_core(what, begin)});
    const memory_location where = locate(part.data);
    if (!where.owner || where.kind != accelerator_memory::device) {
      if (on_host.empty()) accumulator_core(all, how, to);  // checks the options, before a device works
      on_host.push_back(&placed.back());
      continue;
    }
    require_reads(how, where);
    const int device = where.owner->device_of(part.data);
    on_devices.try_emplace({where.owner, device}, what, where, device).first->second.add(placed.back());
  }

  for (auto& [owner, there] : on_devices) there.start(op);
  for (placed_part* const part : on_host) {
    accumulator_core folded(part->partial, how, to);
    folded.push(op, part->of.data, part->of.n);
    part->partial = folded.partial(op);
  }
  for (auto& [owner, there] : on_devices) there.finish(op);
  for (const placed_part& part : placed) all.append(op, part.partial);
  all.result(op, to, init, result);
}

}  // namespace onefold::detail
