// One pass: blocks of pages are shared out over threads, and folds whose functions are the same run once for all.
#include "run/fused_pass.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "fork.hpp"
#include "planner/candidates.hpp"
#include "run/aligned_bytes.hpp"
#include "run/cpu_executor.hpp"
#include "run/mapped_reader.hpp"
#include "run/partition.hpp"
#include "run/piece_scratch.hpp"

namespace onefold::detail {
namespace {

// Pages of a block, 128 KiB: they stay in a core's second cache while each fold reads them. From 32 to 512 KiB the
// times differ by less than noise does (min, max and sum of 256 MiB of f32, EPYC with AVX2 and 1 MiB of second cache).
constexpr int block_log2 = 3;

/// A fold with its states, for all members whose recipes differ in what they finish only: a sum and a mean, a variance
/// and a standard deviation.
struct shared_fold {
  shared_fold(const fused_member& m, int pieces, std::int64_t pages)
      : r(*m.c->recipe), op(m.op), members{&m}, scratch(r, pieces, pages) {}

  bool serves(const fused_member& m) const {
    const recipe& other = *m.c->recipe;
    return m.op == op && other.fold == r.fold && other.merge == r.merge && other.state_size == r.state_size;
  }

  const recipe& r;
  const void* op;
  std::vector<const fused_member*> members;
  piece_scratch scratch;
};

/// Blocks of elements: of an array where they are, or computed into a tile of the piece that asks.
class block_reader {
 public:
  block_reader(const fused_elements& elements, std::int64_t element_size, std::int64_t most, int pieces)
      : elements_(elements), element_size_(element_size), tile_bytes_((most * element_size + 63) / 64 * 64) {
    if (!elements.from) return;
    reader_.emplace(*elements.maps);
    tiles_.reserve(static_cast<std::size_t>(tile_bytes_ * pieces));
    tiles_.extend(static_cast<std::size_t>(tile_bytes_ * pieces));
  }

  /// Elements from `index` on, of which n are needed.
  const char* read(int piece, std::int64_t index, std::int64_t n) {
    if (!reader_) return static_cast<const char*>(elements_.data) + index * element_size_;
    auto* const tile = reinterpret_cast<char*>(tiles_.data()) + piece * tile_bytes_;
    reader_->read(*elements_.from, {0, 1, index, n}, false, tile);
    return tile;
  }
  /// How many elements from a block's first on are in memory: all that follow in an array.
  std::int64_t reach(std::int64_t n, std::int64_t left) const { return reader_ ? n : left; }

 private:
  const fused_elements& elements_;
  std::int64_t element_size_, tile_bytes_;
  std::optional<mapped_reader> reader_;
  aligned_bytes tiles_{std::size_t{64}};
};

/// What a piece of work needs to know.
struct block_job {
  std::deque<shared_fold>& folds;
  block_reader& elements;
  std::int64_t n, blocks;
  int log2, pieces;

  void fold_piece(int piece) {
    const std::int64_t from = share(blocks, piece, pieces), to = share(blocks, piece + 1, pieces);
    for (shared_fold& f : folds) f.scratch.list(piece, piece == 0).begin(1);
    for (std::int64_t b = from; b < to; ++b) {
      const std::int64_t length = folds.front().r.page << log2, index = b * length, left = n - index;
      const std::int64_t here = std::min(left, length);
      const char* const block = elements.read(piece, index, here);
      for (shared_fold& f : folds) {
        // The first fold is told of all that follows: what comes from memory is asked for ahead.
        const slice all{block, &f == &folds.front() ? elements.reach(here, left) : here, index};
        node_list& list = f.scratch.list(piece, piece == 0);
        f.r.fold(f.op, all, 0, 1, log2, list.next(), f.scratch.room(piece));
        list.push(f.op, log2, b, f.scratch.room(piece));
      }
    }
    for (shared_fold& f : folds) f.scratch.publish(piece, piece == 0, 0);
  }
};

/// The pages of a block: as many as stay in the cache, but enough blocks that the threads' shares are nearly equal.
int block_level(std::int64_t pages, int threads) {
  if (threads == 1) return block_log2;
  const auto fair = static_cast<std::uint64_t>(pages / (std::int64_t{threads} * runs_per_thread));
  return std::clamp(static_cast<int>(std::bit_width(fair)) - 1, 0, block_log2);
}

}  // namespace

void run_pass(const choice& lead, std::span<const fused_member> members, const fused_elements& elements,
              std::int64_t n) {
  const std::int64_t pages = pages_of(*lead.recipe, n), size = lead.recipe->element_size;
  if (pages <= 1) {  // a page stays in the cache by itself
    block_reader page(elements, size, n, 1);
    const void* const data = page.read(0, 0, n);
    for (const fused_member& m : members) cpu_executor(*m.c).run(m.op, data, n, m.init, m.result);
    return;
  }
  const int threads = threads_lost() || n < lead.gains_from ? 1 : lead.threads, log2 = block_level(pages, threads);
  const std::int64_t blocks = (pages + (std::int64_t{1} << log2) - 1) >> log2;
  const int pieces = static_cast<int>(std::min<std::int64_t>(threads, blocks));

  // What takes longest comes first, so that it is computed while memory is read.
  std::vector<const fused_member*> by_time;
  for (const fused_member& m : members) by_time.push_back(&m);
  std::ranges::stable_sort(by_time, std::greater(), [&](const fused_member* m) {
    return estimate_cpu(*m->c, backend::sequential, n, 1).seconds;
  });
  std::deque<shared_fold> folds;
  for (const fused_member* m : by_time) {
    const auto same = std::ranges::find_if(folds, [&](const shared_fold& f) { return f.serves(*m); });
    if (same == folds.end())
      folds.emplace_back(*m, pieces, pages).scratch.begin();
    else
      same->members.push_back(m);
  }

  const scheduler_session session(*lead.scheduler, threads);
  block_reader reader(elements, size, lead.recipe->page << log2, pieces);
  block_job work{folds, reader, n, blocks, log2, pieces};
  run_pieces(session.s, session.handle, pieces, work);
  for (shared_fold& f : folds)
    f.scratch.join(f.op, [&](std::int64_t, node_list& list) {
      void* const room = f.scratch.room(0);
      const void* const state = list.total(f.op, 0, room);
      for (const fused_member* m : f.members) {
        const recipe& r = *m->c->recipe;
        check_result(r, r.finish(m->op, state, n, m->init, m->c->result, m->result, room));
      }
    });
}

}  // namespace onefold::detail
