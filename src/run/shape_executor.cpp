#include "run/shape_executor.hpp"

#include <algorithm>

#include "fork.hpp"
#include "planner/candidates.hpp"
#include "run/block.hpp"
#include "run/gather.hpp"
#include "run/partition.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

// Bytes of one level of nodes of a group of columns: they stay in a core's cache.
constexpr std::int64_t level_bytes = 16 << 10, most_columns = 1024;

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
  const std::int64_t tile_bytes =
      layout_ == layout::gathered ? std::min(r.page, std::max<std::int64_t>(p_.n, 1) * most_gathered) * r.element_size
                                  : 0;
  scratch_.emplace(r, static_cast<int>(std::clamp<std::int64_t>(units, 1, c.threads)), pages_, width_, tile_bytes);
  handle_ = c.scheduler->open(c.threads);
}

/// One run: what a piece of work needs to know.
struct shape_executor::call {
  shape_executor& e;
  piece_scratch& scratch;
  const recipe& r;
  const void* op;
  const char* data;
  const void* init;
  char* results;
  int pieces;

  const char* element(std::int64_t offset) const { return data + offset * r.element_size; }
  void* result(std::int64_t output) const { return results + output * e.c_.result_size; }

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
        count = std::min(count, scratch.tile_bytes() / (n * r.element_size));
        gather(b.data, {count, inner.stride, &e.p_, 0, n}, r.element_size, scratch.tile(piece));
        b.data = scratch.tile(piece);
        b.across = n;
      } else if (e.layout_ == layout::columns) {
        b.along = e.p_.reduced[0].stride;
      }
      b.outputs = count;
      scratch.refuse(piece, reduce_block(r, op, b, init, e.c_.result, scratch.room(piece)));
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
      node_list& list = scratch.list(piece, first == 0);
      fold_group(piece, group_of(g), first, last, list);
      if (last - first == pages)
        finish(piece, group_of(g), list);
      else
        scratch.publish(piece, first == 0, g);
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
  void fold_group(int piece, const group& g, std::int64_t first, std::int64_t last, node_list& list) {
    void* const room = scratch.room(piece);
    if (e.layout_ == layout::rows) return fold_pages(r, op, {g.data, e.p_.n, 0}, first, last, list, room);
    const axis along = e.p_.reduced_axes == 1 ? e.p_.reduced[0] : axis{0, 0};
    list.begin(g.width);
    for (; first < last; ++first) {
      const std::int64_t index = first * r.page, n = std::min(e.p_.n - index, r.page);
      if (e.layout_ == layout::columns) {
        reduce_block(r, op,
                     {g.data + index * along.stride * r.element_size, g.width, n, along.stride, 1, index, e.p_.n,
                      list.next(), list.distance(), false},
                     nullptr, dtype::other, room);
      } else {
        gather(g.data, {1, 0, &e.p_, index, n}, r.element_size, scratch.tile(piece));
        r.fold(op, {scratch.tile(piece), n, index}, 0, 1, 0, list.next(), room);
      }
      list.push(op, 0, first, room);
    }
  }

  /// The results of a group whose nodes are all there.
  void finish(int piece, const group& g, node_list& list) {
    void* const room = scratch.room(piece);
    for (int o = 0; o < g.width; ++o)
      scratch.refuse(piece,
                     r.finish(op, list.total(op, o, room), e.p_.n, init, e.c_.result, result(g.output + o), room));
  }
};

void shape_executor::run(const void* op, const void* data, const void* init, void* results) {
  call c{*this,
         *scratch_,
         *c_.recipe,
         op,
         static_cast<const char*>(data),
         init,
         static_cast<char*>(results),
         threads_lost() ? 1 : scratch_->pieces()};
  scratch_->begin();
  run_pieces(*c_.scheduler, handle_, c.pieces, c);
  scratch_->join(op, [&](std::int64_t g, node_list& list) { c.finish(0, c.group_of(g), list); });
  scratch_->check_results();
}

}  // namespace onefold::detail
