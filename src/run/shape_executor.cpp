#include "run/shape_executor.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <string>

#include "cpu.hpp"
#include "fork.hpp"
#include "planner/candidates.hpp"
#include "run/block.hpp"
#include "run/cpu_executor.hpp"
#include "run/gather.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

// Bytes of one level of nodes of a group of columns: they stay in a core's cache.
constexpr std::int64_t level_bytes = 16 << 10, most_columns = 1024;

std::int64_t aligned(std::int64_t bytes, std::int64_t align) { return (bytes + align - 1) / align * align; }

/// Where the part of a piece begins, of `total` that are shared out evenly.
std::int64_t share(std::int64_t total, int piece, int pieces) {
  return total / pieces * piece + std::min<std::int64_t>(piece, total % pieces);
}

}  // namespace

shape_executor::shape_executor(const choice& c) : c_(c), p_(*c.shape), inner_{1, 0}, pages_(pages_of(*c.recipe, p_.n)) {
  const recipe& r = *c.recipe;
  if (p_.n == 0)  // there may be no data, from which no offset leads anywhere
    for (axis& a : p_.kept) a.stride = 0;
  if (p_.kept_axes > 0) inner_ = p_.kept[--p_.kept_axes];  // the others count lines of outputs
  layout_ = p_.n == 0 || rows_are_contiguous(p_)                   ? layout::rows
            : r.many && p_.reduced_axes == 1 && inner_.stride == 1 ? layout::columns
                                                                   : layout::gathered;
  if (layout_ == layout::columns)
    width_ = std::max<std::int64_t>(1, std::min({level_bytes / r.state_size, inner_.extent, most_columns}));
  groups_ = inner_.extent == 0 ? 0 : p_.outputs / inner_.extent * groups_in_line();
  const std::int64_t units = pages_ <= 1 ? p_.outputs : groups_ * pages_;
  pieces_ = static_cast<int>(std::clamp<std::int64_t>(std::min<std::int64_t>(c.threads, units), 1, c.threads));

  const std::int64_t align = std::max<std::int64_t>(r.state_align, 64);
  align_ = std::align_val_t{static_cast<std::size_t>(align)};
  node_bytes_ = pages_ <= 1 ? 0 : aligned(node_list::bytes(r, static_cast<int>(width_), pages_), align);
  room_bytes_ =
      aligned(std::max<std::int64_t>(onefold::room_bytes(r, std::max<std::int64_t>(pages_, 1)), block_room(r)), align);
  tile_bytes_ = layout_ == layout::gathered
                    ? aligned(std::min(r.page, std::max<std::int64_t>(p_.n, 1) * most_gathered) * r.element_size, align)
                    : 0;
  const std::int64_t bytes = pieces_ * (2 * node_bytes_ + room_bytes_ + tile_bytes_) + node_bytes_;
  memory_ = static_cast<char*>(::operator new(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)), align_));
  if (pages_ > 1) {
    for (int i = 0; i < 2 * pieces_ + 1; ++i) lists_.emplace_back(r, pages_, nodes(i));
    left_.resize(lists_.size() - 1);
  }
  why_.resize(static_cast<std::size_t>(pieces_) + 1);
  handle_ = c.runs->open(c.threads);
}

shape_executor::~shape_executor() {
  c_.runs->close(handle_);
  ::operator delete(memory_, align_);
}

/// One run: what a piece of work needs to know.
struct shape_executor::call {
  shape_executor& e;
  const recipe& r;
  const void* op;
  const char* data;
  const void* init;
  char* results;
  int pieces;
  std::atomic<bool> ready{false};
  std::atomic<int> done{0};

  const char* element(std::int64_t offset) const { return data + offset * r.element_size; }
  void* result(std::int64_t output) const { return results + output * e.c_.result_size; }

  static void work(void* context, int piece) {
    call& c = *static_cast<call*>(context);
    static_cast<void>(c.ready.load(std::memory_order_acquire));
    const float_environment ieee;
    c.fold_piece(piece);
    c.done.fetch_add(1, std::memory_order_acq_rel);
  }

  void fold_piece(int piece) {
    if (e.pages_ <= 1)
      fold_short(piece, share(e.p_.outputs, piece, pieces), share(e.p_.outputs, piece + 1, pieces));
    else
      fold_long(piece, share(e.groups_ * e.pages_, piece, pieces), share(e.groups_ * e.pages_, piece + 1, pieces));
  }

  /// The outputs [from, to), each of up to a page.
  void fold_short(int piece, std::int64_t from, std::int64_t to) {
    const axis inner = e.inner_;
    const std::int64_t n = e.p_.n;
    const bool gathers = e.layout_ == layout::gathered;
    odometer line(e.p_.kept, e.p_.kept_axes);
    if (from < to) line.seek(from / inner.extent);
    for (std::int64_t place = from % std::max<std::int64_t>(inner.extent, 1); from < to;) {
      std::int64_t count = std::min(to - from, inner.extent - place);
      block b{element(line.offset() + place * inner.stride),
              0,
              n,
              1,
              inner.stride,
              0,
              n,
              result(from),
              e.c_.result_size,
              true};
      if (gathers) {
        count = std::min(count, e.tile_bytes_ / (n * r.element_size));
        gather({b.data, count, inner.stride, &e.p_, 0, n}, r.element_size, e.tile(piece));
        b.data = e.tile(piece);
        b.across = n;
      } else if (e.layout_ == layout::columns) {
        b.along = e.p_.reduced[0].stride;
      }
      b.outputs = count;
      refuse(piece, reduce_block(r, op, b, init, e.c_.result, e.room(piece)));
      from += count;
      place += count;
      if (place == inner.extent) {
        place = 0;
        line.next();
      }
    }
  }

  /// The pages [from, to) of all groups of longer outputs.
  void fold_long(int piece, std::int64_t from, std::int64_t to) {
    const std::int64_t pages = e.pages_;
    while (from < to) {
      const std::int64_t g = from / pages, first = from % pages, last = std::min(pages, first + to - from);
      const std::size_t which = 2 * static_cast<std::size_t>(piece) + (first == 0);
      node_list& list = e.lists_[which];
      fold_pages(piece, group_of(g), first, last, list);
      if (last - first == pages)
        finish(piece, e.room(piece), group_of(g), list);
      else
        e.left_[which] = g;
      from += last - first;
    }
  }

  /// Neighbouring outputs that are folded together.
  struct group {
    const char* data;     ///< of the first output
    std::int64_t output;  ///< its number
    int width;            ///< how many
  };
  group group_of(std::int64_t g) const {
    const std::int64_t in_line = e.groups_in_line(), line = g / in_line, place = g % in_line * e.width_;
    odometer at(e.p_.kept, e.p_.kept_axes);
    at.seek(line);
    return {element(at.offset() + place * e.inner_.stride), line * e.inner_.extent + place,
            static_cast<int>(std::min(e.width_, e.inner_.extent - place))};
  }

  /// The pages [first, last) of a group, into the list.
  void fold_pages(int piece, const group& g, std::int64_t first, std::int64_t last, node_list& list) {
    const axis along = e.p_.reduced_axes == 1 ? e.p_.reduced[0] : axis{0, 0};
    list.begin(g.width);
    while (first < last) {
      const std::int64_t index = first * r.page;
      int level = 0;
      if (e.layout_ == layout::rows) {  // the longest run that begins here: beyond the end there is nothing
        const bool ends = last == e.pages_;
        level = first == 0 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(last - 1)))
                           : std::countr_zero(static_cast<std::uint64_t>(first));
        while (level > 0 && (first + (std::int64_t{1} << level) > last) &&
               (!ends || first + (std::int64_t{1} << (level - 1)) >= last))
          --level;
      }
      const std::int64_t n = std::min(e.p_.n - index, r.page << level);
      if (e.layout_ == layout::columns) {
        reduce_block(r, op,
                     {g.data + index * along.stride * r.element_size, g.width, n, along.stride, 1, index, e.p_.n,
                      list.next(), list.distance(), false},
                     nullptr, dtype::other, e.room(piece));
      } else {
        const void* elements = g.data + index * r.element_size;
        if (e.layout_ == layout::gathered) {
          elements = e.tile(piece);
          gather({g.data, 1, 0, &e.p_, index, n}, r.element_size, e.tile(piece));
        }
        r.fold(op, {elements, n, index}, 0, 1, level, list.next(), e.room(piece));
      }
      list.push(op, level, first >> level, e.room(piece));
      first += std::int64_t{1} << level;
    }
  }

  /// The results of a group whose nodes are all there.
  void finish(int piece, void* room, const group& g, node_list& list) {
    for (int o = 0; o < g.width; ++o)
      refuse(piece, r.finish(op, list.total(op, o, room), e.p_.n, init, e.c_.result, result(g.output + o), room));
  }

  /// Outputs that several pieces began or ended.
  void join() {
    node_list& whole = e.lists_.back();
    std::int64_t under_way = -1;
    for (std::size_t i = 0; i < e.left_.size(); ++i) {
      if (e.left_[i] < 0) continue;
      if (e.left_[i] != under_way) {
        if (under_way >= 0) finish(pieces, e.room(0), group_of(under_way), whole);
        under_way = e.left_[i];
        whole.begin(e.lists_[i].width());
      }
      whole.push(op, e.lists_[i], e.room(0));
    }
    if (under_way >= 0) finish(pieces, e.room(0), group_of(under_way), whole);
  }

  void refuse(int piece, const char* why) {
    if (why && !e.why_[static_cast<std::size_t>(piece)]) e.why_[static_cast<std::size_t>(piece)] = why;
  }
};

void shape_executor::run(const void* op, const void* data, const void* init, void* results) {
  call c{*this,
         *c_.recipe,
         op,
         static_cast<const char*>(data),
         init,
         static_cast<char*>(results),
         threads_lost() ? 1 : pieces_};
  std::ranges::fill(left_, -1);
  std::ranges::fill(why_, nullptr);
  if (c.pieces == 1) {
    c.fold_piece(0);
  } else {
    c.ready.store(true, std::memory_order_release);
    c_.runs->run(handle_, c.pieces, call::work, &c);
    static_cast<void>(c.done.load(std::memory_order_acquire));
  }
  if (pages_ > 1) c.join();
  for (const char* why : why_) check_result(*c_.recipe, why);
}

}  // namespace onefold::detail
