#include "run/selection_reader.hpp"

#include <algorithm>
#include <cstdlib>

#include "run/gather.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

// The words of a batch and, where its elements are gathered, their copies stay in the first cache. Of large elements
// fewer are read at once.
constexpr std::int64_t large_batch = 64, large_element = 16;

// How many batches ahead elements are asked for, which a mask keeps the CPU from guessing: 4 KiB of f32.
constexpr std::int64_t batches_ahead = 2, cache_line = 64;

/// Bits that lie apart, as bytes: those of [first, first + n) of each output, one output after the other.
void gather_bits(const unsigned char* mask, std::int64_t offset, const problem& axes, std::int64_t outputs,
                 std::int64_t across, std::int64_t first, std::int64_t n, unsigned char* to) {
  odometer at(axes.reduced, axes.reduced_axes);
  at.seek(first);
  for (std::int64_t i = 0; i < n; ++i, at.next())
    for (std::int64_t o = 0; o < outputs; ++o) {
      const std::int64_t bit = offset + at.offset() + o * across;
      to[o * n + i] = (mask[bit >> 3] >> (bit & 7)) & 1;
    }
}

}  // namespace

selection_reader::selection_reader(const problem& p, const selection& s, std::int64_t element_size)
    : p_(p), s_(s), element_size_(element_size) {
  if (p_.n == 0)  // there may be no data, from which no offset leads anywhere
    for (axis* axes : {p_.kept, s_.mask.kept})
      for (int i = 0; i < most_axes; ++i) axes[i].stride = 0;
  if (p_.kept_axes > 0) {
    inner_ = p_.kept[--p_.kept_axes];
    inner_mask_ = s_.mask.kept[p_.kept_axes];
  }
  gathers_ = !rows_are_contiguous(p_);
  gathers_mask_ = is_in_memory(s_.kind) && !rows_are_contiguous(s_.mask);
  batch_ = element_size <= large_element ? most_batch : large_batch;
  const std::int64_t along = p_.reduced_axes > 0 ? p_.reduced[p_.reduced_axes - 1].stride : 1;
  width_ = gathers_ && std::abs(inner_.stride) < std::abs(along)
               ? std::clamp<std::int64_t>(inner_.extent, 1, most_outputs)
               : 1;
}

selected_outputs selection_reader::outputs_at(std::int64_t output, std::int64_t most) const {
  const std::int64_t line = output / inner_.extent, place = output % inner_.extent;
  odometer data(p_.kept, p_.kept_axes), mask(s_.mask.kept, p_.kept_axes);
  data.seek(line);
  if (is_in_memory(s_.kind)) mask.seek(line);
  return {data.offset() + place * inner_.stride, mask.offset() + place * inner_mask_.stride,
          std::min({most, width_, inner_.extent - place})};
}

const char* selection_reader::elements(const selected_data& from, const selected_outputs& of, std::int64_t first,
                                       std::int64_t n, char* room, std::int64_t* distance) const {
  const char* const data = static_cast<const char*>(from.data) + of.first * element_size_;
  *distance = (gathers_ ? n : inner_.stride) * element_size_;
  if (!gathers_) return data + first * element_size_;
  gather(data, {of.count, inner_.stride, &p_, first, n}, element_size_, room);
  return room;
}

void selection_reader::words_of_mask(const selected_data& from, const selected_outputs& of, std::int64_t first,
                                     std::int64_t n, char* room, std::uint64_t* words) const {
  const auto* const mask = static_cast<const unsigned char*>(from.mask);
  const std::int64_t step = batch_ / 64;
  if (gathers_mask_) {
    auto* const bytes = reinterpret_cast<unsigned char*>(room);
    if (s_.kind == mask_kind::bytes)
      gather(mask + of.first_place, {of.count, inner_mask_.stride, &s_.mask, first, n}, 1, room);
    else
      gather_bits(mask, s_.offset + of.first_place, s_.mask, of.count, inner_mask_.stride, first, n, bytes);
    for (std::int64_t o = 0; o < of.count; ++o) words_of_bytes(bytes + o * n, n, words + o * step);
    return;
  }
  for (std::int64_t o = 0; o < of.count; ++o) {
    const std::int64_t place = of.first_place + o * inner_mask_.stride + first;
    if (s_.kind == mask_kind::bytes)
      words_of_bytes(mask + place, n, words + o * step);
    else
      words_of_bits(mask, s_.offset + place, n, words + o * step);
  }
}

void selection_reader::read_words(const selected_data& from, const selected_outputs& of, std::int64_t first,
                                  std::int64_t n, char* room, std::uint64_t* words) const {
  if (is_in_memory(s_.kind)) return words_of_mask(from, of, first, n, room, words);
  std::int64_t distance;
  read(from, of, first, n, room, words, &distance);
}

const char* selection_reader::read(const selected_data& from, const selected_outputs& of, std::int64_t first,
                                   std::int64_t n, char* room, std::uint64_t* words, std::int64_t* distance) const {
  const char* const x = elements(from, of, first, n, room, distance);
  if (is_in_memory(s_.kind)) {
    words_of_mask(from, of, first, n, room + width_ * batch_ * element_size_, words);
  } else {
    for (std::int64_t o = 0; o < of.count; ++o)
      words_of_numbers(s_.element, x + o * *distance, n, words + o * (batch_ / 64));
  }
  if (!gathers_ && std::any_of(words, words + words_for(n), [](std::uint64_t word) { return word != 0; })) {
    const std::int64_t ahead = batches_ahead * batch_, end = std::min(p_.n - first, ahead + n);
    for (std::int64_t b = ahead * element_size_; b < end * element_size_; b += cache_line) __builtin_prefetch(x + b);
  }
  return x;
}

}  // namespace onefold::detail
