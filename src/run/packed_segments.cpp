#include "run/packed_segments.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "onefold/error.hpp"
#include "run/compress.hpp"
#include "run/partition.hpp"
#include "run/selection_reader.hpp"

namespace onefold::detail {
namespace {

// Compressed elements of up to 8 bytes may be followed by as many that mean nothing.
constexpr std::int64_t beyond = 64, most_with_beyond = 8;

/// The elements of segments, from the first one's beginning on, with their mask.
struct masked_list {
  std::int64_t begin, n;  ///< of the array
  list_selection by;      ///< from the first one on
  std::int64_t element_size;
  selection_reader reader;
  selected_data data;

  masked_list(const segment_list& from, std::int64_t size)
      : begin(from.offset(0)),
        n(from.elements()),
        by(from.selects.from(begin)),
        element_size(size),
        reader(problem_of_list(n), selection_of(by, n), size),
        data{from.values + begin * size, by.mask} {}

  std::int64_t block() const { return reader.counted_block(); }
  std::int64_t blocks() const { return (n + block() - 1) / block(); }
  void read_words(std::int64_t first, std::int64_t count, char* room, std::uint64_t* words) const {
    reader.read_words(data, {0, 0, 1}, first, count, room, words);
  }
};

/// The number of the first offset that is not less than `place`, counted from the first one's.
std::int64_t offset_from(const segment_list& from, std::int64_t place) {
  std::int64_t low = 0, past = from.count + 1;
  while (low < past) {
    const std::int64_t middle = low + (past - low) / 2;
    if (from.offset(middle) - from.offset(0) < place)
      low = middle + 1;
    else
      past = middle;
  }
  return low;
}

}  // namespace

/// Counts the selected elements of blocks.
struct packed_segments::counting {
  packed_segments& p;
  const masked_list& list;
  int pieces;

  void fold_piece(int piece) {
    char* const room = p.rooms_.data() + piece * list.reader.room_bytes();
    std::uint64_t words[selection_reader::most_words];
    for (std::int64_t b = share(list.blocks(), piece, pieces); b < share(list.blocks(), piece + 1, pieces); ++b) {
      const std::int64_t end = std::min((b + 1) * list.block(), list.n);
      std::int64_t count = 0;
      for (std::int64_t first = b * list.block(), n; first < end; first += n) {
        n = std::min(end - first, list.reader.batch());
        list.read_words(first, n, room, words);
        for (std::int64_t w = 0; w < words_for(n); ++w) count += std::popcount(words[w]);
      }
      p.before_[static_cast<std::size_t>(b)] = count;
    }
  }
};

/// Moves the selected elements of blocks, and finds how many are before each offset. One piece alone needs no counts,
/// but leaves them.
struct packed_segments::moving {
  packed_segments& p;
  const masked_list& list;
  const segment_list& from;
  int pieces;
  char* to;

  void fold_piece(int piece) {
    char* const room = p.rooms_.data() + piece * list.reader.room_bytes();
    std::uint64_t words[selection_reader::most_words];
    const std::int64_t first_block = share(list.blocks(), piece, pieces),
                       past = share(list.blocks(), piece + 1, pieces);
    const std::int64_t begin = std::min(first_block * list.block(), list.n);
    const std::int64_t end = std::min(past * list.block(), list.n);
    std::int64_t rank = pieces == 1 ? 0 : p.before_[static_cast<std::size_t>(first_block)];
    // What follows the elements of a piece is another's, but for the last one.
    const std::int64_t limit = piece == pieces - 1 ? list.n + beyond : p.before_[static_cast<std::size_t>(past)];
    std::int64_t offset = offset_from(from, begin);
    for (std::int64_t first = begin, n; first < end; first += n) {
      n = std::min(end - first, list.reader.batch());
      if (pieces == 1 && first % list.block() == 0) p.before_[static_cast<std::size_t>(first / list.block())] = rank;
      std::int64_t distance;
      const char* const x = list.reader.read(list.data, {0, 0, 1}, first, n, room, words, &distance);
      offset = count_before_offsets(offset, first, n, words, rank);
      rank += move(x, n, words, to + rank * list.element_size, limit - rank);
    }
    if (piece != pieces - 1) return;
    for (; offset <= from.count; ++offset) p.offsets_[static_cast<std::size_t>(offset)] = rank;
    if (pieces == 1) p.before_[static_cast<std::size_t>(list.blocks())] = rank;
  }

  /// Of the offsets from `offset` on that are to elements [first, first + n), before which are `rank` selected ones;
  /// the number of the next offset.
  std::int64_t count_before_offsets(std::int64_t offset, std::int64_t first, std::int64_t n, const std::uint64_t* words,
                                    std::int64_t rank) {
    for (std::int64_t word = 0; offset <= from.count; ++offset) {
      const std::int64_t at = from.offset(offset) - list.begin - first;
      if (at >= n) break;
      for (; word < at / 64; ++word) rank += std::popcount(words[word]);
      const std::uint64_t lower = (std::uint64_t{1} << at % 64) - 1;
      p.offsets_[static_cast<std::size_t>(offset)] = rank + std::popcount(words[word] & lower);
    }
    return offset;
  }

  /// Moves the selected ones of n elements to where there is room for `limit`; how many there are.
  std::int64_t move(const char* x, std::int64_t n, const std::uint64_t* words, char* where, std::int64_t limit) const {
    const masked all{x, words, n};
    if (list.element_size > most_with_beyond || n + beyond <= limit)
      return compress(all, list.element_size, p.c_.level, n, where).elements;
    char tile[(selection_reader::most_batch + beyond) * most_with_beyond];
    const std::int64_t moved = compress(all, list.element_size, p.c_.level, n, tile).elements;
    std::memcpy(where, tile, static_cast<std::size_t>(moved * list.element_size));
    return moved;
  }
};

/// Finds the elements that indices of selected ones mean.
struct packed_segments::restoring {
  packed_segments& p;
  const masked_list& list;
  const segment_list& from;
  int pieces;
  char* results;

  void fold_piece(int piece) {
    char* const room = p.rooms_.data() + piece * list.reader.room_bytes();
    for (std::int64_t s = share(from.count, piece, pieces); s < share(from.count, piece + 1, pieces); ++s) {
      if (p.offsets_[static_cast<std::size_t>(s)] == p.offsets_[static_cast<std::size_t>(s + 1)]) continue;
      char* const result = results + s * p.c_.result_size;
      std::int64_t index;
      std::memcpy(&index, result, sizeof index);
      index = position_of(s, index, room);
      std::memcpy(result, &index, sizeof index);
    }
  }

  /// How many elements of a segment come before its selected element of a number.
  std::int64_t position_of(std::int64_t segment, std::int64_t number, char* room) const {
    const std::int64_t begin = from.offset(segment) - list.begin, end = from.offset(segment + 1) - list.begin;
    const std::int64_t rank = p.offsets_[static_cast<std::size_t>(segment)] + number;
    const auto blocks = p.before_.begin();
    const std::int64_t block = std::upper_bound(blocks, blocks + list.blocks(), rank) - blocks - 1;
    std::int64_t first = begin;
    if (block * list.block() > begin) {
      first = block * list.block();
      number = rank - blocks[block];
    }
    std::uint64_t words[selection_reader::most_words];
    for (std::int64_t n; first < end; first += n) {
      n = std::min(end - first, list.reader.batch());
      list.read_words(first, n, room, words);
      for (std::int64_t w = 0; w < words_for(n); ++w) {
        const std::int64_t here = std::popcount(words[w]);
        if (number < here) return first + w * 64 + std::countr_zero(without_first(words[w], number)) - begin;
        number -= here;
      }
    }
    return -1;  // not reached: the number is below that of the segment's selected elements
  }
};

segment_list packed_segments::pack(const segment_list& from, void* handle, int pieces) {
  offsets_.resize(std::max(offsets_.size(), static_cast<std::size_t>(from.count + 1)));
  segment_list packed{from.values, from.all, offsets_.data(), from.count, true, false, from.some_empty, {}};
  if (from.elements() == 0) {
    std::fill_n(offsets_.begin(), from.count + 1, 0);
    return packed;
  }
  const masked_list list(from, c_.recipe->element_size);
  before_.resize(std::max(before_.size(), static_cast<std::size_t>(list.blocks() + 1)));
  rooms_.resize(std::max(rooms_.size(), static_cast<std::size_t>(pieces * list.reader.room_bytes())));
  if (pieces > 1) {
    counting count{*this, list, pieces};
    run_pieces(*c_.scheduler, handle, pieces, count);
    std::int64_t sum = 0;
    for (std::int64_t b = 0; b < list.blocks(); ++b) sum += std::exchange(before_[static_cast<std::size_t>(b)], sum);
    before_[static_cast<std::size_t>(list.blocks())] = sum;
  }
  char* const to = elements_.room(list.n + beyond, list.element_size);
  moving move{*this, list, from, pieces, to};
  run_pieces(*c_.scheduler, handle, pieces, move);
  packed.values = to;
  packed.all = before_[static_cast<std::size_t>(list.blocks())];
  return packed;
}

void packed_segments::require_elements(std::int64_t count) const {
  const auto empty = std::adjacent_find(offsets_.begin(), offsets_.begin() + count + 1) - offsets_.begin();
  if (empty < count)
    throw error(error_code::empty_input, std::string(c_.recipe->name) + " of no elements has no value: no element of " +
                                             (c_.keys == dtype::other ? "segment " : "group ") + std::to_string(empty) +
                                             " is selected");
}

void packed_segments::restore_indices(const segment_list& from, void* handle, int pieces, void* results) {
  if (from.elements() == 0) return;
  const masked_list list(from, c_.recipe->element_size);
  restoring restore{*this, list, from, pieces, static_cast<char*>(results)};
  run_pieces(*c_.scheduler, handle, pieces, restore);
}

}  // namespace onefold::detail
