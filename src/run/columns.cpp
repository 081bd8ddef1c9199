#include "run/columns.hpp"

#include <algorithm>

#include "onefold/order.hpp"

namespace onefold::detail {
namespace {

/// How many rows are read at once, each in its own place: more of them are in each other's way in the caches.
constexpr int most_streams = 8;

/// One call. What is folded at once is a group of lanes: as many neighboring rows as a lane array holds, for narrow
/// matrices read as one long row. The groups are halved depth first, and the lanes of the last one in place.
class column_fold {
 public:
  column_fold(const pack_functions& functions, const recipe& r, const void* op, const void* data, std::int64_t along,
              int n, int count, void* room)
      : functions_(functions),
        op_(op),
        data_(static_cast<const char*>(data)),
        along_(along),
        size_(r.element_size),
        value_(r.many->value_size),
        array_(r.many->lanes_bytes),
        count_(count),
        width_(r.many->width),
        room_(static_cast<char*>(room)) {
    lanes_ = lanes_of(size_);
    while (lanes_ / 2 >= n) lanes_ /= 2;  // the others hold nothing
    full_rows_ = n / lanes_;
    rest_ = n % lanes_;
    present_ = std::min(n, lanes_);
    whole_packs_ = !functions.rows;
    joined_ = along == count && (!whole_packs_ || count % width_ == 0);
    pitch_ = joined_ ? count : (count + width_ - 1) / width_ * width_;
    group_ = 1;
    while (2 * group_ <= lanes_ && 2 * group_ * pitch_ <= r.many->most) group_ *= 2;
  }

  void run() const {
    node(0, 1, room_);
    const int lanes = lanes_in(0);
    for (int w = group_ / 2; w >= 1; w /= 2) {
      const int right = std::min(lanes - w, w);
      if (right > 0) functions_.combine(op_, room_, at(room_, w), right * pitch_);
    }
  }

 private:
  /// How many lanes of the group from lane j on hold anything.
  int lanes_in(int j) const { return std::min(present_ - j, group_); }

  /// The columns of a lane of a group.
  char* at(char* to, int lane) const { return to + std::int64_t{lane} * pitch_ * value_; }

  /// Group g after halving to w groups, into `to`; the arrays after it are free.
  void node(int g, int w, char* to) const {
    if (w * most_joined_lanes * group_ >= lanes_ && joined(g, w, to)) return;
    if (w * group_ == lanes_) return leaf(g * group_, to);
    node(g, 2 * w, to);
    const int right = (g + w) * group_;
    if (right >= present_) return;
    node(g + w, 2 * w, to + array_);
    functions_.combine(op_, to, to + array_, lanes_in(right) * pitch_);
  }

  /// Groups g, g + w, g + 2w, .. at once, if all of them have the same lanes, of a few rows.
  bool joined(int g, int w, char* to) const {
    const int first = g * group_, step = w * group_, lanes = lanes_in(first),
              groups = (present_ - 1 - first) / step + 1;
    const int longer = first < rest_ ? std::min((rest_ - 1 - first) / step + 1, groups) : 0;
    const int rows = full_rows_ + (longer > 0), values = joined_ ? lanes * count_ : count_;
    if (groups * rows > most_streams || values < width_ || (whole_packs_ && values % width_ != 0)) return false;
    if (lanes_in(first + (groups - 1) * step) < lanes) return false;
    if (longer > 0 && first + (longer - 1) * step + lanes > rest_) return false;
    const lane_steps by{step * along_, lanes_ * along_, groups, rows, longer > 0 ? longer : groups};
    for (int i = 0; i < (joined_ ? 1 : lanes); ++i)
      functions_.lanes(op_, data_ + (first + i) * along_ * size_, by, values, at(to, i));
    return true;
  }

  /// The lanes from j on, each of its own rows: those before lane rest_ have one more.
  void leaf(int j, char* to) const {
    const int lanes = lanes_in(j), split = std::clamp(rest_ - j, 0, lanes);
    if (split > 0) rows(j, split, full_rows_ + 1, to);
    if (split < lanes) rows(j + split, lanes - split, full_rows_, at(to, split));
  }

  /// `lanes` lanes from j on, of `count` rows each: (s0 o s1) o (s2 o s3).
  void rows(int j, int lanes, int count, char* to) const {
    const std::int64_t step = lanes_ * along_;
    for (int s = 0; s * strip_rows < count; ++s) {
      const int here = std::min(count - s * strip_rows, strip_rows);
      const bool last = (s + 1) * strip_rows >= count;
      const char* const p = data_ + (j + s * strip_rows * lanes_) * along_ * size_;
      if (joined_)
        functions_.strip(op_, p, step, here, lanes * count_, s, last, to);
      else
        for (int i = 0; i < lanes; ++i)
          functions_.strip(op_, p + i * along_ * size_, step, here, count_, s, last, at(to, i));
    }
  }

  const pack_functions& functions_;
  const void* op_;
  const char* data_;
  std::int64_t along_, size_, value_, array_;
  int count_, width_;
  char* room_;
  int lanes_, full_rows_, rest_, present_, pitch_, group_;
  bool whole_packs_;  ///< whether lanes begin at whole packs only
  bool joined_;
};

}  // namespace

// Arrays of lanes: one for each halving, a group's first two strips and its other two.
std::int64_t columns_room(const recipe& r) {
  return (__builtin_ctz(static_cast<unsigned>(lanes_of(r.element_size))) + 2) * std::int64_t{r.many->lanes_bytes};
}

void fold_columns(const pack_functions& functions, const recipe& r, const void* op, const void* data,
                  std::int64_t along, int n, int count, void* room) {
  column_fold(functions, r, op, data, along, n, count, room).run();
}

}  // namespace onefold::detail
