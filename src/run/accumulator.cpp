// Accumulators: whole pages of what is pushed are folded by a backend's threads, the rest is kept.
#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "choose.hpp"
#include "cpu.hpp"
#include "fork.hpp"
#include "modules.hpp"
#include "onefold/detail/partial.hpp"
#include "planner/candidates.hpp"
#include "quantity.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/page_device.hpp"
#include "run/partial_state.hpp"
#include "run/partition.hpp"
#include "run/piece_scratch.hpp"

namespace onefold::detail {
namespace {

/// A backend for pushes of up to a number of pages, with the memory of its threads.
class page_folder {
 public:
  page_folder(const partial_kind& what, std::int64_t pages, std::int64_t page, const options& how)
      : chosen_(choose(request_of(what, pages * page), how, nullptr, &compared_)),
        pages_(pages),
        scratch_(*chosen_.recipe, chosen_.threads, std::max<std::int64_t>(pages, 2)),
        handle_(chosen_.scheduler->open(chosen_.threads)) {}
  ~page_folder() { chosen_.scheduler->close(handle_); }
  page_folder(const page_folder&) = delete;
  page_folder& operator=(const page_folder&) = delete;

  const recipe& how() const { return *chosen_.recipe; }
  std::int64_t pages() const { return pages_; }
  void* room() const { return scratch_.room(0); }
  run_report report() const { return report_of(chosen_, compared_); }

  /// Folds pages of data into nodes.
  void fold(const void* op, const slice& data, std::int64_t pages, bool order_independent) {
    const bool alone = threads_lost() || data.n < chosen_.gains_from;
    call c{*this, op, data, pages, alone ? 1 : threads_for(how(), data.n, chosen_.threads), order_independent};
    run_pieces(*chosen_.scheduler, handle_, c.pieces, c);
    folded_ = c.pieces;
  }

  /// Calls take(level, index, state) for the nodes that were folded last, in order.
  template <class Take>
  void give(const Take& take) {
    for (int piece = 0; piece < folded_; ++piece) {
      const node_list& list = scratch_.list(piece, true);
      for (int i = 0; i < list.count(); ++i)
        take(list[i].level, list[i].index,
             static_cast<const std::byte*>(list.states()) + i * std::int64_t{how().state_size});
    }
  }

 private:
  struct call {
    page_folder& by;
    const void* op;
    const slice& data;
    std::int64_t all_pages;
    int pieces;
    bool order_independent;

    void fold_piece(int piece) {
      const recipe& r = by.how();
      const std::int64_t first = share(all_pages, piece, pieces), last = share(all_pages, piece + 1, pieces);
      node_list& list = by.scratch_.list(piece, true);
      void* const room = by.scratch_.room(piece);
      if (!order_independent) return fold_pages(r, op, data, first, last, list, room, true);
      list.begin(1);  // one run, from wherever it begins
      const std::int64_t from = first * r.page, n = (last - first) * r.page;
      r.fold(op, {static_cast<const char*>(data.data) + from * r.element_size, n, data.index + from}, 0, 1,
             static_cast<int>(std::bit_width(static_cast<std::uint64_t>(last - first - 1))), list.next(), room);
      list.push(op, 0, 0, room);
    }
  };

  comparison compared_{};
  choice chosen_;
  std::int64_t pages_;
  piece_scratch scratch_;
  void* handle_;
  int folded_ = 0;  ///< pieces
};

/// A device for pushes of up to a number of pages from its memory.
class device_folder {
 public:
  device_folder(const partial_kind& what, const recipe& r, const memory_location& where, int device, std::int64_t pages)
      : chosen_(choice_on_device(what, r, where, device)), pages_(pages), by_(chosen_, device, pages * r.page) {}
  device_folder(const device_folder&) = delete;
  device_folder& operator=(const device_folder&) = delete;

  bool serves(const accelerator* of, int device, std::int64_t pages) const {
    return of == chosen_.accelerator && device == by_.device() && pages <= pages_;
  }

  const choice& chosen() const { return chosen_; }

  /// As page_folder's.
  void fold(const void* op, const slice& data, std::int64_t pages, bool order_independent) {
    require_accelerator(chosen_.backend);
    by_.clear();
    by_.add_full(data, pages, order_independent);
    by_.start(op);
    by_.finish();
  }
  template <class Take>
  void give(const Take& take) const {
    by_.give(0, by_.size(), take);
  }

 private:
  choice chosen_;
  std::int64_t pages_;
  page_device by_;
};

/// Throws unsupported where an accelerator, or several devices, are asked for.
void require_cpu(const options& how) {
  const backend asked = resolve_backend(how).backend;
  if (how.devices.size() > 1)
    throw error(error_code::unsupported, "accumulators are not divided among devices " + text_of(how.devices) +
                                             ": leave devices empty; elements in device memory are folded there");
  if (is_accelerator(asked))
    throw error(error_code::unsupported,
                std::string("accumulators fold elements of the host on CPUs only, not on backend ") + name_of(asked) +
                    "; use backend cpu or automatic");
}

}  // namespace

struct accumulator_core::impl {
  impl(const partial_core::impl& from, const options& given, const request& results)
      : kept(from), how(with_accuracy(given, from.kind.mode)) {
    check_choices(how);
    require_cpu(how);
    open(1);
    check_initial(results, *kept.r);
  }

  void open(std::int64_t pages) {
    auto larger = std::make_unique<page_folder>(kept.kind, pages, kept.r->page, how);
    kept.r = &larger->how();
    by = std::move(larger);
  }

  void push(const void* op, const void* data, std::int64_t n) {
    if (const std::int64_t pages = n / kept.r->page; pages > by->pages())
      open(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(pages))));
    push(op, data, n, by.get());
    if (n > longest) {
      longest = n;
      longest_there.reset();
    }
  }

  /// The same from device memory.
  void push(const void* op, const void* data, std::int64_t n, const memory_location& where) {
    require_aligned_on_device(*where.owner, kept.kind.element, data);
    const int device = where.owner->device_of(data);
    const std::int64_t most = n / kept.r->page;
    if (most > 0 && (!there || !there->serves(where.owner, device, most))) {
      there.reset();  // so that the next one finds its scratch
      require_accelerator(where.backend);
      there = std::make_unique<device_folder>(kept.kind, *kept.r, where, device, most);
    }
    copied_ends ends(*where.owner);
    push(op, data, n, there.get(), [&](const std::byte* p, std::size_t bytes, const std::byte* q, std::size_t more) {
      return ends.copy(p, bytes, q, more);
    });
    if (most > 0 && n > longest) {
      longest = n;
      longest_there = there->chosen();
    }
  }

  run_report report() const { return longest_there ? report_of(*longest_there, {}) : by->report(); }

  /// Takes elements whose whole pages a folder folds; it may be null where there are none.
  template <class Folder, class... Readable>
  void push(const void* op, const void* data, std::int64_t n, Folder* folder, const Readable&... readable) {
    kept.push(
        op, data, n, by->room(),
        [&](const std::byte* p, std::int64_t pages, std::int64_t position) {
          folder->fold(op, {p, pages * kept.r->page, position}, pages, kept.order_independent);
        },
        [&] {
          folder->give([&](int level, std::int64_t index, const std::byte* state) {
            kept.take_node(op, level, index, state, by->room());
          });
        },
        readable...);
  }

  partial_core::impl kept;
  options how;
  std::unique_ptr<page_folder> by;
  std::unique_ptr<device_folder> there;  ///< where elements were in device memory
  std::int64_t longest = 0;              ///< elements of the longest piece,
  std::optional<choice> longest_there;   ///< and what folded it where that was a device
};

accumulator_core::accumulator_core(const partial_core& from, const options& how, const request& results) {
  const float_environment ieee;
  impl_ = new impl(from.made(), how, results);
}

accumulator_core::~accumulator_core() {
  const float_environment ieee;
  delete impl_;
}

accumulator_core::impl& accumulator_core::made() const {
  if (!impl_) refuse("the accumulator was moved from; assign another one to it first");
  return *impl_;
}

const partial_kind& accumulator_core::kind() const { return made().kept.kind; }
std::int64_t accumulator_core::count() const { return made().kept.count; }

void accumulator_core::push(const void* op, const void* data, std::int64_t n) {
  const float_environment ieee;
  impl& a = made();
  if (n < 0) refuse("the number of elements is negative: " + std::to_string(n));
  if (n == 0) return;
  if (!data) refuse("the data pointer is null, but " + there_are(n, "element"));
  static_cast<void>(checked_end(a.kept.end(), n));
  const memory_location where = locate(data);
  if (!where.owner || where.kind != accelerator_memory::device) return a.push(op, data, n);
  require_reads(a.how, where);
  a.push(op, data, n, where);
}

partial_core accumulator_core::partial(const void* op) const {
  const float_environment ieee;
  const impl& a = made();
  auto copy = std::make_unique<partial_core::impl>(a.kept);
  copy->settle(op, a.by->room());
  return partial_core(copy.release());
}

void accumulator_core::result(const void* op, const request& to, const void* init, void* result) const {
  partial(op).result(op, to, init, result);
}

run_report accumulator_core::report() const {
  const float_environment ieee;
  return made().report();
}

}  // namespace onefold::detail
