#include "run/selected_lines.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "run/compress.hpp"
#include "run/expand.hpp"
#include "run/gather.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

/// The bits of what a place gets that is not selected: 0, or of log_softmax log(0).
std::uint64_t fill_of(const row_request& what) {
  if (what.operation != row_operation::log_softmax) return 0;
  switch (what.element) {
    case dtype::f16:
      return 0xfc00;
    case dtype::bf16:
      return 0xff80;
    case dtype::f32:
      return 0xff800000;
    default:  // f64
      return 0xfff0000000000000;
  }
}

}  // namespace

selected_lines::selected_lines(const row_request& what, const selection& by, isa level, std::int64_t width)
    : to_(what.to),
      inner_to_(to_.kept_axes > 0 ? to_.kept[to_.kept_axes - 1] : axis{1, 0}),
      n_(what.from.n),
      size_(size_of(what.element)),
      across_((n_ + 63) / 64 * 64 + 64),  // compress writes up to 64 elements beyond the last
      level_(level),
      fill_(fill_of(what)),
      reader_(what.from, by, size_) {
  const std::int64_t parts[] = {width * across_ * size_,
                                width * words_for(n_) * std::int64_t{sizeof(std::uint64_t)},
                                width * std::int64_t{sizeof(std::int64_t)},
                                reader_.room_bytes(),
                                what.has_weight ? across_ * size_ : 0,
                                what.has_bias ? across_ * size_ : 0};
  for (int i = 0; i < 6; ++i) {
    offsets_[i] = end_;
    end_ += (parts[i] + 63) / 64 * 64;
  }
}

selected_lines::room selected_lines::room_at(char* memory) const {
  return {memory + offsets_[0],
          reinterpret_cast<std::uint64_t*>(memory + offsets_[1]),
          reinterpret_cast<std::int64_t*>(memory + offsets_[2]),
          memory + offsets_[3],
          memory + offsets_[4],
          memory + offsets_[5]};
}

void selected_lines::compress_lines(const selected_data& from, std::int64_t first, std::int64_t count,
                                    const room& r) const {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  std::uint64_t words[selection_reader::most_words];
  std::fill_n(r.counts, count, 0);
  for (std::int64_t line = 0; line < count;) {
    const selected_outputs of = reader_.outputs_at(first + line, count - line);
    for (std::int64_t at = 0, n; at < n_; at += n) {
      n = std::min(n_ - at, reader_.batch());
      std::int64_t distance;
      const char* const x = reader_.read(from, of, at, n, r.batch, words, &distance);
      for (std::int64_t o = 0; o < of.count; ++o) {
        const std::uint64_t* const own = words + o * (reader_.batch() / 64);
        std::copy_n(own, words_for(n), r.words + (line + o) * words_for(n_) + at / 64);
        std::int64_t& taken = r.counts[line + o];
        char* const to = r.tile + ((line + o) * across_ + taken) * size_;
        taken += compress({x + o * distance, own, n}, size_, level_, all, to).elements;
      }
    }
    line += of.count;
  }
}

const void* selected_lines::compress_parameter(const void* parameter, std::int64_t line, const room& r,
                                               char* to) const {
  if (!parameter || r.counts[line] == n_) return parameter;
  compress({static_cast<const char*>(parameter), words_of(line, r), n_}, size_, level_,
           std::numeric_limits<std::int64_t>::max(), to);
  return to;
}

void selected_lines::expand_lines(std::int64_t count, const room& r, char* results) const {
  if (rows_are_contiguous(to_)) {
    for (std::int64_t line = 0; line < count; ++line) expand_to(line, r, results + line * inner_to_.stride * size_);
    return;
  }
  for (std::int64_t line = 0; line < count; ++line)
    std::memmove(r.tile + line * n_ * size_, expand_line(line, r), static_cast<std::size_t>(n_ * size_));
  scatter(r.tile, {count, inner_to_.stride, &to_, 0, n_}, size_, results);
}

const char* selected_lines::expand_line(std::int64_t line, const room& r) const {
  char* const own = r.tile + line * across_ * size_;
  expand_to(line, r, own);
  return own;
}

void selected_lines::expand_to(std::int64_t line, const room& r, char* to) const {
  const char* const own = r.tile + line * across_ * size_;
  expand(own, {words_of(line, r), n_, r.counts[line], fill_}, size_, level_, to);
}

}  // namespace onefold::detail
