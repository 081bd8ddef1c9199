#include "run/shape_executor.hpp"

#include <algorithm>
#include <cstdlib>

#include "fork.hpp"
#include "planner/candidates.hpp"
#include "run/block.hpp"
#include "run/gather.hpp"
#include "run/known_functions.hpp"
#include "run/partition.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

// Bytes of one level of nodes of a group of columns: they stay in a core's cache.
constexpr std::int64_t level_bytes = 16 << 10, most_outputs = 1024;

// Bytes of a tile of columns, which stays in a core's second cache together with what it is computed from.
constexpr std::int64_t columns_tile = 256 << 10;

// Outputs that are gathered together; and where those share cache lines and pages of memory, bytes of their tile: the
// longer a piece of each row, the faster it is read.
constexpr std::int64_t most_gathered = 256, near_tile = 4 << 20;

}  // namespace

shape_executor::shape_executor(const choice& c) : c_(c), p_(*c.shape), inner_{1, 0}, pages_(pages_of(*c.recipe, p_.n)) {
  const recipe& r = *c.recipe;
  if (p_.n == 0 || c.maps)  // there may be no data, from which no offset leads anywhere
    for (axis& a : p_.kept) a.stride = 0;
  if (p_.kept_axes > 0) inner_ = p_.kept[--p_.kept_axes];  // the others count lines of outputs
  if (c.maps && p_.n > 0) reader_.emplace(*c.maps);
  const bool in_rows = p_.n == 0 || (!reader_ && rows_are_contiguous(p_));
  const bool in_columns =
      !in_rows && r.many && (reader_ ? reader_->prefers_columns() : p_.reduced_axes == 1 && inner_.stride == 1);
  layout_ = in_columns ? layout::columns : layout::rows;
  tiled_ = reader_ || !(in_rows || in_columns);
  const std::int64_t in_page = std::min(p_.n, r.page);  // of an output
  std::int64_t tile = tiled_ ? std::min(r.page, in_page * std::min(p_.outputs, most_gathered)) : 0;
  pitch_ = in_page;
  if (tiled_ && !reader_ && are_near()) {
    pitch_ = pitch_of(in_page, r.element_size);
    std::int64_t near = std::min(near_tile / (pitch_ * r.element_size), most_gathered);
    if (pages_ > 1) near = std::min<std::int64_t>(near, level_bytes / r.state_size);
    near = std::clamp<std::int64_t>(near, 1, inner_.extent);
    tile = std::max(tile, pitch_ * near);
    if (pages_ > 1) width_ = near;
  }
  if (in_columns) {
    std::int64_t most = std::min({level_bytes / r.state_size, inner_.extent, most_outputs});
    if (tiled_) most = std::min(most, columns_tile / (in_page * r.element_size));
    width_ = std::max<std::int64_t>(1, most);
    if (tiled_) tile = in_page * width_;
  }
  groups_ = inner_.extent == 0 ? 0 : p_.outputs / inner_.extent * groups_in_line();
  const std::int64_t units = pages_ <= 1 ? p_.outputs : groups_ * pages_;
  scratch_.emplace(r, static_cast<int>(std::clamp<std::int64_t>(units, 1, c.threads)), pages_, width_,
                   tile * r.element_size);
  handle_ = c.scheduler->open(c.threads);
}

bool shape_executor::are_near() const {
  return p_.outputs > 0 && p_.reduced_axes > 0 &&
         std::abs(inner_.stride) < std::abs(p_.reduced[p_.reduced_axes - 1].stride);
}

/// One run: what a piece of work needs to know.
struct shape_executor::call {
  shape_executor& e;
  piece_scratch& scratch;
  const recipe& r;
  const void* op;
  const char* data;                    ///< null where elements are computed
  const mapped_source* from;           ///< null where they are not
  computed_pages::fold fold_computed;  ///< null, or folds pages while it computes them
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

  /// Elements of neighboring outputs, the first of which begins at `at`, in the tile of a piece.
  const char* read(int piece, const char* at, const computed& which) {
    char* const tile = scratch.tile(piece);
    if (e.reader_)
      e.reader_->read(*from, which, e.layout_ == layout::columns, tile);
    else
      gather(at, {which.count, e.inner_.stride, &e.p_, which.first, which.n, e.pitch_}, r.element_size, tile);
    return tile;
  }

  /// The outputs [output, to), each of up to a page.
  void fold_short(int piece, std::int64_t output, std::int64_t to) {
    const axis inner = e.inner_;
    const std::int64_t n = e.p_.n;
    odometer line(e.p_.kept, e.p_.kept_axes);
    if (output < to) line.seek(output / inner.extent);
    for (std::int64_t place = output % std::max<std::int64_t>(inner.extent, 1); output < to;) {
      std::int64_t count = std::min(to - output, inner.extent - place);
      block b{element(line.offset() + place * inner.stride),
              0,
              n,
              1,
              inner.stride,
              0,
              n,
              result(output),
              e.c_.result_size,
              true};
      if (e.tiled_) {
        count = std::min(count, scratch.tile_bytes() / (e.pitch_ * r.element_size));
        b.data = read(piece, element(line.offset() + place * inner.stride), {output, count, 0, n});
        b.across = e.pitch_;
      }
      if (e.layout_ == layout::columns) {
        b.along = e.tiled_ ? count : e.p_.reduced[0].stride;
        b.across = 1;
      }
      b.outputs = count;
      scratch.refuse(piece, reduce_block(r, op, b, init, e.c_.result, scratch.room(piece)));
      output += count;
      place += count;
      if (place == inner.extent) {
        place = 0;
        line.next();
      }
    }
  }

  /// The pages [page, to) of all groups of longer outputs.
  void fold_long(int piece, std::int64_t page, std::int64_t to) {
    const std::int64_t pages = e.pages_;
    while (page < to) {
      const std::int64_t g = page / pages, first = page % pages, last = std::min(pages, first + to - page);
      node_list& list = scratch.list(piece, first == 0);
      fold_group(piece, group_of(g), first, last, list);
      if (last - first == pages)
        finish(piece, group_of(g), list);
      else
        scratch.publish(piece, first == 0, g);
      page += last - first;
    }
  }

  /// Neighboring outputs that are folded together.
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
    if (e.layout_ == layout::rows && !e.tiled_) {
      const slice whole{g.data, e.p_.n, 0, e.p_.outputs * e.p_.n};
      return fold_pages(r, op, whole, first, last, list, room);
    }
    const std::int64_t along = e.tiled_ ? g.width : e.p_.reduced[0].stride;
    list.begin(g.width);
    if (fold_computed && e.layout_ == layout::rows) first = fold_full_pages(g.output, first, last, list, room);
    for (; first < last; ++first) {
      const std::int64_t index = first * r.page, n = std::min(e.p_.n - index, r.page);
      const char* const elements =
          e.tiled_ ? read(piece, g.data, {g.output, g.width, index, n}) : g.data + index * along * r.element_size;
      if (e.layout_ == layout::columns)
        reduce_block(r, op, {elements, g.width, n, along, 1, index, e.p_.n, list.next(), list.distance(), false},
                     nullptr, dtype::other, room);
      else
        for (int o = 0; o < g.width; ++o)
          r.fold(op, {elements + o * e.pitch_ * r.element_size, n, index}, 0, 1, 0,
                 static_cast<char*>(list.next()) + o * list.distance(), room);
      list.push(op, 0, first, room);
    }
  }

  /// The full ones of these pages of an output, computed as they are folded; returns the first page that is left.
  std::int64_t fold_full_pages(std::int64_t output, std::int64_t first, std::int64_t last, node_list& list,
                               void* room) const {
    const char* at[2] = {};
    std::int64_t bytes[2] = {};
    for (int k = 0; k < e.c_.maps->arrays; ++k) {
      const mapped_array& array = from->arrays[k];
      bytes[k] = r.page * array.element_size;
      at[k] = static_cast<const char*>(array.data) + e.reader_->place_of(k, output) * array.element_size;
    }
    const std::int64_t pages = e.p_.outputs * e.pages_;
    for (last = std::min(last, e.p_.n / r.page); first < last; ++first) {
      fold_computed(at[0] + first * bytes[0], at[1] + first * bytes[1], pages * (bytes[0] + bytes[1]), list.next());
      list.push(op, 0, first, room);
    }
    return first;
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
  run({*this, *scratch_, *c_.recipe, op, static_cast<const char*>(data), nullptr, nullptr, init,
       static_cast<char*>(results), threads_lost() ? 1 : scratch_->pieces()});
}

void shape_executor::run(const void* op, const mapped_source& from, const void* init, void* results) {
  const computed_pages::fold by = reader_ && reader_->reads_lines() ? find_fold_of_known(c_, from) : nullptr;
  run({*this, *scratch_, *c_.recipe, op, nullptr, &from, by, init, static_cast<char*>(results),
       threads_lost() ? 1 : scratch_->pieces()});
}

void shape_executor::run(call c) {
  scratch_->begin();
  run_pieces(*c_.scheduler, handle_, c.pieces, c);
  scratch_->join(c.op, [&](std::int64_t g, node_list& list) { c.finish(0, c.group_of(g), list); });
  scratch_->check_results();
}

}  // namespace onefold::detail
