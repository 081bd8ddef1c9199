// Reads elements of outputs together with the words of their mask, wherever both lie.
#pragma once

#include <cstdint>

#include "onefold/detail/selection.hpp"
#include "run/mask_words.hpp"

namespace onefold::detail {

/// Where some neighboring outputs begin, in elements of the data and places of the mask.
struct selected_outputs {
  std::int64_t first, first_place;
  std::int64_t count;
};

/// How the elements of a selection are read: in batches of neighbors, of several outputs at once where their elements
/// share cache lines.
class selection_reader {
 public:
  /// The most outputs that are read at once, and the words of their masks.
  static constexpr int most_outputs = 16, most_batch = 512, most_words = most_outputs * most_batch / 64;

  selection_reader(const problem& p, const selection& s, std::int64_t element_size);

  /// The most elements of an output that are read at once, a multiple of 64.
  std::int64_t batch() const { return batch_; }
  /// The elements of a block whose selected ones are counted together, 16 batches: some 10 us, and a count for every
  /// 32 KiB of f32.
  std::int64_t counted_block() const { return 16 * batch_; }
  /// How many outputs are.
  std::int64_t width() const { return width_; }
  /// Bytes that a reading thread needs.
  std::int64_t room_bytes() const { return width_ * batch_ * (element_size_ + 1); }

  /// The outputs from number `output` on, up to `most` of them, that lie in one line.
  selected_outputs outputs_at(std::int64_t output, std::int64_t most) const;

  /// Reads the mask of elements [first, first + n) of each output, n at most a batch: to words[o * batch() / 64] on for
  /// output o.
  void read_words(const selected_data& from, const selected_outputs& of, std::int64_t first, std::int64_t n, char* room,
                  std::uint64_t* words) const;

  /// Reads these elements, and as read_words; they lie one after the other from where is returned on, those of
  /// the next output `*distance` bytes farther.
  const char* read(const selected_data& from, const selected_outputs& of, std::int64_t first, std::int64_t n,
                   char* room, std::uint64_t* words, std::int64_t* distance) const;

 private:
  const char* elements(const selected_data& from, const selected_outputs& of, std::int64_t first, std::int64_t n,
                       char* room, std::int64_t* distance) const;
  void words_of_mask(const selected_data& from, const selected_outputs& of, std::int64_t first, std::int64_t n,
                     char* room, std::uint64_t* words) const;

  problem p_;
  selection s_;
  std::int64_t element_size_;
  axis inner_{1, 0}, inner_mask_{1, 0};  ///< the kept axis along which outputs are neighbors
  bool gathers_;
  bool gathers_mask_;
  std::int64_t batch_, width_;
};

}  // namespace onefold::detail
