#include "run/selected_executor.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "fork.hpp"
#include "planner/candidates.hpp"
#include "run/block.hpp"
#include "run/compress.hpp"
#include "run/cpu_executor.hpp"
#include "run/partition.hpp"

namespace onefold::detail {
namespace {

// From this many outputs a thread on, none is cut: then no thread waits long for another, and nothing is counted first.
constexpr std::int64_t outputs_per_thread = 4;

/// Bytes of a page of selected elements, and what compress may write beyond it.
std::int64_t tile_bytes(const recipe& r) { return (r.page + 128) * r.element_size; }

}  // namespace

selected_executor::selected_executor(const choice& c)
    : c_(c),
      outputs_(c.shape->outputs),
      n_(c.shape->n),
      reader_(*c.shape, *c.selects, c.recipe->element_size),
      pieces_(static_cast<int>(std::clamp<std::int64_t>(c.n / c.recipe->page, 1, c.threads))),
      is_cut_(pieces_ > 1 && outputs_ < outputs_per_thread * pieces_ && n_ > c.recipe->page),
      block_(reader_.counted_block()),
      scratch_(*c.recipe, pieces_ * slots(), pages_of(*c.recipe, n_), 1, tile_bytes(*c.recipe)),
      rooms_(new char[static_cast<std::size_t>(pieces_ * reader_.room_bytes())]),
      first_empty_(static_cast<std::size_t>(pieces_)) {
  if (is_cut_) {
    before_.resize(static_cast<std::size_t>(outputs_ * blocks()));
    selected_.resize(static_cast<std::size_t>(outputs_));
    pages_before_.resize(static_cast<std::size_t>(outputs_ + 1));
  }
  handle_ = c.scheduler->open(c.threads);
}

/// One run: what a piece of work needs to know.
struct selected_executor::call {
  selected_executor& e;
  const recipe& r;
  const void* op;
  const selected_data& from;
  const void* init;
  char* results;
  int pieces;

  char* result(std::int64_t output) const { return results + output * e.c_.result_size; }
  char* room(int piece) const { return e.rooms_.get() + piece * e.reader_.room_bytes(); }

  void fold_piece(int piece) {
    if (e.is_cut_)
      fold_pages_of(piece, share(e.pages_before_.back(), piece, pieces),
                    share(e.pages_before_.back(), piece + 1, pieces));
    else
      fold_outputs(piece, share(e.outputs_, piece, pieces), share(e.outputs_, piece + 1, pieces));
  }

  void fold_outputs(int piece, std::int64_t output, std::int64_t to);
  void fold_pages_of(int piece, std::int64_t page, std::int64_t to);

  /// The result of an output whose elements are all in its list, or, if there is none, in `tile`.
  void finish(int piece, int slot, std::int64_t output, std::int64_t selected, node_list* list, const char* tile);

  /// How many elements of an output come before its selected element of a number.
  std::int64_t position_of(int piece, std::int64_t output, std::int64_t number) const;
};

/// Counts the selected elements of blocks.
struct selected_executor::counting {
  selected_executor& e;
  const selected_data& from;
  int pieces;

  void fold_piece(int piece) {
    char* const room = e.rooms_.get() + piece * e.reader_.room_bytes();
    std::uint64_t words[selection_reader::most_words];
    const std::int64_t all = e.outputs_ * e.blocks();
    for (std::int64_t b = share(all, piece, pieces); b < share(all, piece + 1, pieces); ++b) {
      const selected_outputs of = e.reader_.outputs_at(b / e.blocks(), 1);
      const std::int64_t begin = b % e.blocks() * e.block_, end = std::min(begin + e.block_, e.n_);
      std::int64_t count = 0;
      for (std::int64_t first = begin, n; first < end; first += n) {
        n = std::min(end - first, e.reader_.batch());
        e.reader_.read_words(from, of, first, n, room, words);
        for (std::int64_t w = 0; w < words_for(n); ++w) count += std::popcount(words[w]);
      }
      e.before_[static_cast<std::size_t>(b)] = count;
    }
  }

  /// After the pieces: sums up.
  void sum_up() {
    std::int64_t pages = 0;
    for (std::int64_t o = 0; o < e.outputs_; ++o) {
      std::int64_t count = 0;
      for (std::int64_t b = o * e.blocks(); b < (o + 1) * e.blocks(); ++b)
        count += std::exchange(e.before_[static_cast<std::size_t>(b)], count);
      e.selected_[static_cast<std::size_t>(o)] = count;
      e.pages_before_[static_cast<std::size_t>(o)] = pages;
      pages += std::max<std::int64_t>(1, pages_of(*e.c_.recipe, count));
    }
    e.pages_before_.back() = pages;
  }
};

/// The selected elements of an output that arrive at a thread: those that wait for the rest of their page in a tile,
/// and nodes of the pages before.
struct selected_executor::output {
  call& c;
  int slot;
  char* tile;
  node_list* list;     ///< null where there are no pages to join
  std::int64_t page;   ///< the number of the one that is under way
  std::int64_t first;  ///< of the first one
  std::int64_t waiting = 0;

  output(call& whole, int in_slot, std::int64_t first_page)
      : c(whole),
        slot(in_slot),
        tile(c.e.scratch_.tile(slot)),
        list(c.e.n_ > c.r.page ? &c.e.scratch_.list(slot, first_page == 0) : nullptr),
        page(first_page),
        first(first_page) {
    if (list) list->begin(1);
  }

  std::int64_t selected() const { return page * c.r.page + waiting; }

  void take(const char* x, const std::uint64_t* words, std::int64_t n) {
    const std::int64_t size = c.r.element_size;
    for (std::int64_t w = 0; w < words_for(n);) {
      const compressed done = compress({x + w * 64 * size, words + w, n - w * 64}, size, c.e.c_.level,
                                       c.r.page - waiting, tile + waiting * size);
      w += done.words;
      waiting += done.elements;
      while (waiting > c.r.page) fold_page(c.r.page);
    }
  }

  /// Folds the first n elements that wait.
  void fold_page(std::int64_t n) {
    void* const room = c.e.scratch_.room(slot);
    c.r.fold(c.op, {tile, n, page * c.r.page}, 0, 1, 0, list->next(), room);
    list->push(c.op, 0, page++, room);
    waiting -= n;
    std::memmove(tile, tile + n * c.r.element_size, static_cast<std::size_t>(waiting * c.r.element_size));
  }

  /// After all elements of a whole output: its result.
  void finish(int piece, std::int64_t number) {
    const std::int64_t all = selected();
    if (page > 0 && waiting > 0) fold_page(waiting);
    c.finish(piece, slot, number, all, page > 0 ? list : nullptr, tile);
  }
};

void selected_executor::call::fold_outputs(int piece, std::int64_t at, std::int64_t to) {
  const selection_reader& reader = e.reader_;
  std::uint64_t words[selection_reader::most_words];
  while (at < to) {
    const selected_outputs of = reader.outputs_at(at, to - at);
    std::optional<output> open[selection_reader::most_outputs];
    for (int o = 0; o < of.count; ++o) open[o].emplace(*this, piece * e.slots() + o, std::int64_t{0});
    for (std::int64_t first = 0, n; first < e.n_; first += n) {
      n = std::min(e.n_ - first, reader.batch());
      std::int64_t distance;
      const char* const x = reader.read(from, of, first, n, room(piece), words, &distance);
      for (std::int64_t o = 0; o < of.count; ++o) open[o]->take(x + o * distance, words + o * (reader.batch() / 64), n);
    }
    for (std::int64_t o = 0; o < of.count; ++o) open[o]->finish(piece, at + o);
    at += of.count;
  }
}

void selected_executor::call::fold_pages_of(int piece, std::int64_t at, std::int64_t to) {
  const selection_reader& reader = e.reader_;
  std::uint64_t words[selection_reader::most_words];
  const auto pages = e.pages_before_.begin();
  auto of_page = std::upper_bound(pages, e.pages_before_.end(), at) - 1;
  for (; at < to; ++of_page) {
    const std::int64_t number = of_page - pages, selected = e.selected_[static_cast<std::size_t>(number)];
    const std::int64_t first_page = at - *of_page, last_page = std::min(to, of_page[1]) - *of_page;
    const selected_outputs of = reader.outputs_at(number, 1);
    output one(*this, piece, first_page);
    // The block that the first selected element is in, and how many there are before it.
    std::int64_t left = std::min(selected, last_page * r.page) - first_page * r.page;
    std::int64_t before = first_page * r.page;
    std::int64_t first = e.block_of(number, before) * e.block_;
    if (left > 0) before -= e.before_[static_cast<std::size_t>(number * e.blocks() + first / e.block_)];
    for (std::int64_t n; left > 0; first += n) {
      n = std::min(e.n_ - first, reader.batch());
      std::int64_t distance;
      const char* const x = reader.read(from, of, first, n, room(piece), words, &distance);
      for (std::int64_t w = 0; w < words_for(n); ++w) {
        if (before > 0) {  // those of the page before
          const std::int64_t dropped = std::min<std::int64_t>(before, std::popcount(words[w]));
          before -= dropped;
          words[w] = without_first(words[w], dropped);
        }
        const std::int64_t here = std::popcount(words[w]);
        if (here > left) words[w] &= ~without_first(words[w], left);
        left -= std::min(left, here);
      }
      one.take(x, words, n);
    }
    if (last_page - first_page == of_page[1] - *of_page) {
      one.finish(piece, number);
    } else {
      if (one.waiting > 0) one.fold_page(one.waiting);
      e.scratch_.publish(piece, first_page == 0, number);
    }
    at = *of_page + last_page;
  }
}

void selected_executor::call::finish(int piece, int slot, std::int64_t number, std::int64_t selected, node_list* list,
                                     const char* tile) {
  if (selected == 0 && !r.empty_allowed && !init) {
    std::int64_t& empty = e.first_empty_[static_cast<std::size_t>(piece)];
    empty = std::min(empty, number);
    return;
  }
  void* const room = e.scratch_.room(slot);
  const dtype type = e.c_.result;
  const char* why;
  if (list)
    why = r.finish(op, list->total(op, 0, room), selected, init, type, result(number), room);
  else if (is_small(r, selected))
    why = r.small(op, tile, selected, init, type, result(number));
  else
    why = reduce_block(r, op, {tile, 1, selected, 1, 0, 0, selected, result(number), e.c_.result_size, true}, init,
                       type, room);
  e.scratch_.refuse(slot, why);
  if (!gives_index(e.c_)) return;
  std::int64_t index;
  std::memcpy(&index, result(number), sizeof index);
  index = position_of(piece, number, index);
  std::memcpy(result(number), &index, sizeof index);
}

std::int64_t selected_executor::call::position_of(int piece, std::int64_t number, std::int64_t index) const {
  const selection_reader& reader = e.reader_;
  const selected_outputs of = reader.outputs_at(number, 1);
  std::uint64_t words[selection_reader::most_words];
  std::int64_t first = 0;
  if (e.is_cut_) {
    const std::int64_t block = e.block_of(number, index);
    first = block * e.block_;
    index -= e.before_[static_cast<std::size_t>(number * e.blocks() + block)];
  }
  for (std::int64_t n; first < e.n_; first += n) {
    n = std::min(e.n_ - first, reader.batch());
    reader.read_words(from, of, first, n, room(piece), words);
    for (std::int64_t w = 0; w < words_for(n); ++w) {
      const std::int64_t here = std::popcount(words[w]);
      if (index < here) return first + w * 64 + std::countr_zero(without_first(words[w], index));
      index -= here;
    }
  }
  return -1;  // not reached: the index is below the number of selected elements
}

std::int64_t selected_executor::block_of(std::int64_t number, std::int64_t index) const {
  const auto counts = before_.begin() + number * blocks();
  return std::upper_bound(counts, counts + blocks(), index) - counts - 1;
}

void selected_executor::run(const void* op, const selected_data& from, const void* init, void* results) {
  call c{*this, *c_.recipe, op, from, init, static_cast<char*>(results), threads_lost() ? 1 : pieces_};
  scratch_.begin();
  std::ranges::fill(first_empty_, outputs_);
  if (is_cut_) {
    counting count{*this, from, c.pieces};
    run_pieces(*c_.scheduler, handle_, c.pieces, count);
    count.sum_up();
  }
  run_pieces(*c_.scheduler, handle_, c.pieces, c);
  scratch_.join(op, [&](std::int64_t number, node_list& list) {
    c.finish(0, 0, number, selected_[static_cast<std::size_t>(number)], &list, nullptr);
  });
  const std::int64_t empty = std::ranges::min(first_empty_);
  if (empty < outputs_)
    throw error(error_code::empty_input, std::string(c_.recipe->name) + " of no elements has no value: no element" +
                                             (outputs_ == 1 ? "" : " of result " + std::to_string(empty)) +
                                             " is selected");
  scratch_.check_results();
}

}  // namespace onefold::detail
