#include "run/segment_executor.hpp"

#include <algorithm>

#include "planner/candidates.hpp"
#include "run/block.hpp"
#include "run/cpu_executor.hpp"
#include "run/partition.hpp"

namespace onefold::detail {
namespace {

/// No more pieces than threads, and a page of work for each.
int pieces_for(const choice& c, std::int64_t work) {
  return static_cast<int>(std::clamp<std::int64_t>(work / c.recipe->page, 1, c.threads));
}

}  // namespace

segment_executor::segment_executor(const choice& c)
    : c_(c),
      scratch_(*c.recipe, pieces_for(c, c.n), pages_of(*c.recipe, c.n)),
      packed_(c),
      handle_(c.scheduler->open(c.threads)) {}

/// One run: what a piece of work needs to know.
struct segment_executor::call {
  segment_executor& e;
  const recipe& r;
  const void* op;
  const segment_list& segments;
  const void* init;
  char* results;
  int pieces;

  void fold_piece(int piece) {
    const std::int64_t work = segments.work_before(segments.count, r);
    const segment_place end = segments.place_of(share(work, piece + 1, pieces), r);
    segment_place at = segments.place_of(share(work, piece, pieces), r);
    for (std::int64_t from = segments.offset(at.segment), to; at.is_before(end); at = {at.segment + 1, 0}, from = to) {
      to = segments.offset(at.segment + 1);
      const std::int64_t n = to - from;
      const char* const data = segments.values + from * r.element_size;
      if (is_small(r, n))
        refuse(piece, r.small(op, data, n, init, e.c_.result, result(at.segment)));
      else if (n <= r.page)
        refuse(piece, reduce_block(r, op, {data, 1, n, 1, 0, 0, n, result(at.segment), e.c_.result_size, true}, init,
                                   e.c_.result, e.scratch_.room(piece)));
      else
        fold_long(piece, at, at.segment == end.segment ? end.page : pages_of(r, n), {data, n, 0, segments.elements()});
    }
  }

  /// The pages of a segment from a place on, up to page `last`.
  void fold_long(int piece, segment_place from, std::int64_t last, const slice& whole) {
    const bool begins = from.page == 0;
    node_list& list = e.scratch_.list(piece, begins);
    fold_pages(r, op, whole, from.page, last, list, e.scratch_.room(piece));
    if (begins && last == pages_of(r, whole.n))
      finish(piece, from.segment, list);
    else
      e.scratch_.publish(piece, begins, from.segment);
  }

  /// The result of a segment whose nodes are all there.
  void finish(int piece, std::int64_t segment, node_list& list) {
    void* const room = e.scratch_.room(piece);
    refuse(piece,
           r.finish(op, list.total(op, 0, room), segments.size(segment), init, e.c_.result, result(segment), room));
  }

  void* result(std::int64_t segment) const { return results + segment * e.c_.result_size; }
  void refuse(int piece, const char* why) { e.scratch_.refuse(piece, why); }
};

void segment_executor::run(const void* op, const segment_list& segments, const void* init, void* results) {
  if (segments.selects.kind == mask_kind::all) return run_all(op, segments, init, results);
  const std::int64_t n = segments.elements();
  const int pieces = threads_lost() || n < c_.gains_from ? 1 : pieces_for(c_, n);
  const segment_list packed = packed_.pack(segments, handle_, pieces);
  if (!c_.recipe->empty_allowed && !init) packed_.require_elements(segments.count);
  run_all(op, packed, init, results);
  if (gives_index(c_)) packed_.restore_indices(segments, handle_, pieces, results);
}

/// Reduces segments of which all elements count.
void segment_executor::run_all(const void* op, const segment_list& segments, const void* init, void* results) {
  const recipe& r = *c_.recipe;
  const std::int64_t work = segments.work_before(segments.count, r);
  const bool alone = threads_lost() || work < c_.gains_from;
  call c{*this, r, op, segments, init, static_cast<char*>(results), alone ? 1 : pieces_for(c_, work)};
  scratch_.begin();
  run_pieces(*c_.scheduler, handle_, c.pieces, c);
  scratch_.join(op, [&](std::int64_t segment, node_list& list) { c.finish(0, segment, list); });
  scratch_.check_results();
}

}  // namespace onefold::detail
