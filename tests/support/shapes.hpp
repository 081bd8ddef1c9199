// Random rows and columns for a recipe, each output compared with a contiguous copy of its elements.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "run/block.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

namespace support {

inline constexpr std::int64_t pool_elements = 1 << 16;
inline std::int64_t cases = 0;  ///< checked so far

/// A type that a recipe's result may have.
struct result_kind {
  onefold::dtype type;
  std::size_t size;
  void (*init)(void* to);  ///< null where the recipe takes none
};

struct checked_recipe {
  const onefold::recipe& r;
  const void* op;
  std::string name;
  const std::vector<char>& pool;  ///< pool_elements elements
  std::vector<result_kind> kinds;
  bool padded;  ///< whether bytes 4 to 7 of the own result are padding
};

/// Memory at 64 bytes.
class bytes {
 public:
  explicit bytes(std::size_t size) : p_(static_cast<char*>(::operator new (size + 1, std::align_val_t{64}))) {
    std::memset(p_, 0x5a, size);
  }
  ~bytes() { ::operator delete (p_, std::align_val_t{64}); }
  bytes(const bytes&) = delete;
  bytes& operator=(const bytes&) = delete;
  char* at(std::size_t i = 0) const { return p_ + i; }

 private:
  char* p_;
};

/// A shape: `outputs` outputs of n elements.
struct shape {
  std::int64_t outputs, n, along, across;
  std::string text() const {
    return std::to_string(outputs) + " outputs of " + std::to_string(n) + ", along " + std::to_string(along) +
           ", across " + std::to_string(across);
  }
};

class shape_check {
 public:
  shape_check(const checked_recipe& c, std::uint64_t seed) : c_(c), r_(c.r), random_(seed) {}

  void run() {
    const std::int64_t page = r_.page;
    for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}, std::int64_t{32}})
      check(rows(any(1, 70), n), n, 0);
    for (int k = 0; k < 6; ++k) {
      const std::int64_t few = any(1, 20), n = near_power(page / 4);
      check(rows(any(1, 70), few), few, 0);
      check(rows(any(1, std::max<std::int64_t>(1, 6000 / n)), n), n, 0);
    }
    check(rows(any(1, 3), page), page, 0);
    check(rows(any(1, 3), page), 2 * page, 0);
    check_two_pages(rows(any(1, 3), any(1, page)), true);
    const std::int64_t late = any(1, 200);
    check(rows(any(1, 20), late), late, any(1, 1000) * page);
    if (r_.empty_allowed) check(rows(any(1, 70), 0), 0, 0);
    if (!r_.many) return;
    for (const std::int64_t n : {std::int64_t{1}, std::int64_t{3}, std::int64_t{8}})
      check(columns(any(900, 2200), n), n, 0);
    for (int k = 0; k < 6; ++k) {
      const std::int64_t few = any(1, 20), n = near_power(page / 4);
      check(columns(any(1, 300), few), few, 0);
      check(columns(any(1, std::max<std::int64_t>(1, 20000 / n)), n), n, 0);
    }
    check(columns(any(1, 3), page), page, 0);
    check(columns(any(1, 40), page / 16 + any(0, 9)), 2 * page, 0);
    check_two_pages(columns(any(1, 3), any(1, page)), false);
  }

 private:
  std::int64_t any(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_.bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// Around a power of two, up to `most`.
  std::int64_t near_power(std::int64_t most) {
    const std::int64_t n = (std::int64_t{1} << any(1, 14)) + any(-3, 3);
    return std::clamp<std::int64_t>(n, 1, std::max<std::int64_t>(most, 1));
  }
  shape rows(std::int64_t m, std::int64_t n) {
    const std::int64_t across[] = {n, n, n + any(1, 9), -(n + any(0, 9)), 0, any(1, 3)};
    return {m, n, 1, across[any(0, 5)]};
  }
  shape columns(std::int64_t m, std::int64_t n) {
    const std::int64_t along[] = {m, m, m + any(1, 9), -(m + any(0, 9)), 0, any(1, 3)};
    return {m, n, along[any(0, 5)], 1};
  }

  /// Elements for a shape, with nothing before or after them that may be read.
  struct placed {
    std::unique_ptr<char[]> memory;
    const char* first;
  };
  placed place(const shape& s, std::int64_t extra = 0) {
    const std::int64_t size = r_.element_size, n = std::max<std::int64_t>(s.n + extra, 1);
    const std::int64_t over = (s.outputs - 1) * s.across, down = (n - 1) * s.along;
    const std::int64_t low = std::min<std::int64_t>(over, 0) + std::min<std::int64_t>(down, 0);
    const std::int64_t high = std::max<std::int64_t>(over, 0) + std::max<std::int64_t>(down, 0);
    const std::int64_t count = high - low + 1, shift = any(0, 64);
    placed p{std::unique_ptr<char[]>(new char[static_cast<std::size_t>((count + shift) * size)]), nullptr};
    for (std::int64_t i = 0; i < count;) {
      const std::int64_t from = any(0, pool_elements - 1),
                         here = std::min({count - i, pool_elements - from, any(1, 5000)});
      std::memcpy(p.memory.get() + (shift + i) * size, c_.pool.data() + from * size,
                  static_cast<std::size_t>(here * size));
      i += here;
    }
    p.first = p.memory.get() + (shift - low) * size;
    return p;
  }
  /// A contiguous copy of one output's elements.
  const char* copy(const placed& x, const shape& s, std::int64_t output, std::int64_t n) {
    const std::int64_t size = r_.element_size;
    copied_.resize(static_cast<std::size_t>(n * size) + 64);
    char* to = copied_.data();
    to += 64 - reinterpret_cast<std::uintptr_t>(to) % 64;
    for (std::int64_t k = 0; k < n; ++k)
      std::memcpy(to + k * size, x.first + (output * s.across + k * s.along) * size, static_cast<std::size_t>(size));
    return to;
  }

  bool same(const char* a, const char* b, const result_kind& kind) const {
    if (c_.padded && kind.type == onefold::dtype::other)
      return std::memcmp(a, b, 4) == 0 && std::memcmp(a + 8, b + 8, kind.size - 8) == 0;
    return std::memcmp(a, b, kind.size) == 0;
  }
  void report(const shape& s, std::int64_t output, const char* what) const {
    FAIL_CHECK(c_.name << ": " << s.text() << ": output " << output << " differs: " << what);
  }
  std::size_t room() const {
    return static_cast<std::size_t>(onefold::room_bytes(r_, 2)) + 4 * static_cast<std::size_t>(r_.state_size) + 256;
  }

  /// Results where the block holds whole outputs and index is 0; else states, finished as parts of `total`.
  void check(const shape& s, std::int64_t total, std::int64_t index) {
    const result_kind& kind =
        c_.kinds[static_cast<std::size_t>(any(0, static_cast<std::int64_t>(c_.kinds.size()) - 1))];
    const bool finished = total == s.n && index == 0;
    const placed x = place(s);
    const bytes init(64), work(room()), state(r_.state_size + 64), wanted(kind.size), got(kind.size);
    const void* begin = nullptr;
    if (kind.init && any(0, 2) == 0) kind.init(init.at()), begin = init.at();
    const std::size_t align = finished ? 8 : r_.state_align, size = finished ? kind.size : r_.state_size;
    const std::size_t distance =
        any(0, 1) ? size : (size + align - 1) / align * align + align * static_cast<std::size_t>(any(0, 3));
    const bytes out(distance * static_cast<std::size_t>(s.outputs)),
        block_room(static_cast<std::size_t>(onefold::detail::block_room(r_)));
    const onefold::detail::block b{
        x.first, s.outputs, s.n, s.along, s.across, index, total, out.at(), static_cast<std::int64_t>(distance),
        finished};
    const char* const why = onefold::detail::reduce_block(r_, c_.op, b, begin, kind.type, block_room.at());
    bool refused = false;
    for (std::int64_t i = 0; i < s.outputs; ++i) {
      const char* const alone = copy(x, s, i, s.n);
      const char* const here = out.at(static_cast<std::size_t>(i) * distance);
      const char* none;
      if (finished && r_.small_limit > 0) {
        none = r_.small(c_.op, alone, s.n, begin, kind.type, wanted.at());
      } else {
        r_.fold(c_.op, {alone, s.n, index}, 0, 1, 0, state.at(), work.at());
        none = r_.finish(c_.op, state.at(), total, begin, kind.type, wanted.at(), work.at());
      }
      refused |= finished && none;
      const char* result = here;
      if (!finished) {
        const char* const also = r_.finish(c_.op, here, total, begin, kind.type, got.at(), work.at());
        if (!also != !none) report(s, i, "one has no result");
        result = got.at();
      }
      if (!none && !same(result, wanted.at(), kind)) return report(s, i, finished ? "result" : "state");
    }
    if (refused != (why != nullptr)) report(s, 0, "who has a result");
    ++cases;
  }

  /// Outputs of a page and s.n elements more: states of two blocks, and slices of either page, merged.
  void check_two_pages(const shape& s, bool by_rows) {
    const std::int64_t page = r_.page, total = page + s.n;
    const shape all =
        by_rows ? shape{s.outputs, total, 1, total + any(-5, 5)} : shape{s.outputs, total, s.outputs + any(0, 5), 1};
    const result_kind& kind = c_.kinds[0];
    const placed x = place(all);
    const std::size_t size = r_.state_size;
    const bytes work(room()), block_room(static_cast<std::size_t>(onefold::detail::block_room(r_))),
        nodes(2 * size * static_cast<std::size_t>(s.outputs)), two(2 * size);
    const bytes got(kind.size), wanted(kind.size), sliced(kind.size);
    onefold::detail::block b{
        x.first, s.outputs, page, all.along, all.across, 0, total, nodes.at(), static_cast<std::int64_t>(2 * size),
        false};
    onefold::detail::reduce_block(r_, c_.op, b, nullptr, kind.type, block_room.at());
    b.data = x.first + page * all.along * r_.element_size;
    b.n = s.n;
    b.index = page;
    b.to = nodes.at(size);
    onefold::detail::reduce_block(r_, c_.op, b, nullptr, kind.type, block_room.at());
    for (std::int64_t i = 0; i < s.outputs; ++i) {
      char* const mine = nodes.at(2 * size * static_cast<std::size_t>(i));
      const auto finish = [&](char* states, const bytes& to) {
        return r_.finish(c_.op, states, total, nullptr, kind.type, to.at(), work.at());
      };
      r_.merge(c_.op, mine, 2, work.at());
      const char* const a = finish(mine, got);
      const char* const alone = copy(x, all, i, total);
      r_.fold(c_.op, {alone, total, 0}, 0, 1, 1, two.at(), work.at());
      const char* const c = finish(two.at(), wanted);
      r_.fold(c_.op, {alone, page, 0}, 0, 1, 0, two.at(), work.at());
      r_.fold(c_.op, {alone + page * r_.element_size, s.n, page}, 0, 1, 0, two.at(size), work.at());
      r_.merge(c_.op, two.at(), 2, work.at());
      const char* const d = finish(two.at(), sliced);
      if (!a != !c || (!c && !same(got.at(), wanted.at(), kind))) return report(all, i, "two blocks");
      if (!d != !c || (!c && !same(sliced.at(), wanted.at(), kind))) return report(all, i, "two slices");
    }
    ++cases;
  }

  const checked_recipe& c_;
  const onefold::recipe& r_;
  random_numbers random_;
  std::vector<char> copied_;
};

inline void check_shapes(const checked_recipe& c) { shape_check(c, std::hash<std::string>{}(c.name)).run(); }

}  // namespace support
