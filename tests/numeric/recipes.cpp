// The contract of recipe::fold: a run's state is that of its own elements, whichever runs are folded by the same call.
#include <algorithm>
#include <new>
#include <vector>

#include "support/fold_entry.hpp"

namespace {

/// Memory for states, and for what a thread works in, as an engine gives it.
class states {
 public:
  states(const onefold::recipe& r, std::int64_t count, std::int64_t pages)
      : size_(r.state_size),
        room_((static_cast<std::size_t>(count) * size_ + 63) / 64 * 64),
        bytes_(static_cast<char*>(
            ::operator new(room_ + static_cast<std::size_t>(onefold::room_bytes(r, pages)), align))) {}
  ~states() { ::operator delete(bytes_, align); }
  states(const states&) = delete;
  states& operator=(const states&) = delete;
  void* at(std::int64_t i) const { return bytes_ + static_cast<std::size_t>(i) * size_; }
  void* room() const { return bytes_ + room_; }

 private:
  static constexpr std::align_val_t align{64};
  std::size_t size_, room_;
  char* bytes_;
};

template <class Op, class T, onefold::accuracy A>
support::result_bits result_of_state(const onefold::recipe& r, const void* state, std::int64_t n) {
  using R = typename Op::template result<T>;
  R result;
  support::expect(!r.finish(nullptr, state, n, nullptr, onefold::dtype::other, &result, nullptr), "has no result");
  return support::bits_of(result);
}

/// Folds six runs of two pages, the last one shorter, in one call and each alone.
template <class Op, class T, onefold::accuracy A>
void check_runs(const std::vector<T>& x) {
  using F = onefold::detail::fold_of<Op, T, A>;
  using R = typename Op::template result<T>;
  constexpr onefold::recipe r = onefold::detail::make_recipe<F, T, onefold::type_list<R>>(Op::name, Op::empty_allowed);
  const auto n = static_cast<std::int64_t>(x.size());
  const int log2 = 1;
  const std::int64_t pages = (n + r.page - 1) / r.page, runs = (pages + 1) / 2;
  const states all(r, runs, pages), one(r, runs, pages);
  r.fold(nullptr, {x.data(), n, 0}, 0, runs, log2, all.at(0), all.room());
  for (std::int64_t i = 0; i < runs; ++i) {
    const std::int64_t here = std::min(n - i * 2 * r.page, 2 * r.page);
    r.fold(nullptr, {x.data(), n, 0}, i, i + 1, log2, one.at(0), one.room());
    support::expect(result_of_state<Op, T, A>(r, all.at(i), here) == result_of_state<Op, T, A>(r, one.at(i), here),
                    "a run's state depends on the runs before it");
  }
}

}  // namespace

TEST_CASE("a run's state is that of its own elements") {
  const std::int64_t n = 11 * 4096 + 9;
  auto falling = support::uniform_data<float>(n, 21);  // no run improves on the first one's maximum
  for (std::int64_t i = 0; i < n; ++i) falling[static_cast<std::size_t>(i)] -= static_cast<float>(i);
  auto rising = falling;
  for (float& y : rising) y = -y;
  support::for_each_fold([&]<class Op, class T, onefold::accuracy A>() {
    if constexpr (std::is_same_v<T, float>)
      for (const auto& x : {falling, rising}) check_runs<Op, T, A>(x);
  });
  SUCCEED();
}

TEST_CASE("a run's extreme is the first of its own") {
  using F = onefold::detail::fold_of<onefold::op::argmax, float, onefold::accuracy::native>;
  constexpr auto r = onefold::detail::make_recipe<F, float, onefold::type_list<std::int64_t>>("argmax", false);
  std::vector<float> x(8 * 4096, 1.0f);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= static_cast<float>(i / 5000);
  std::vector<F::state> runs(4);
  r.fold(nullptr, {x.data(), static_cast<std::int64_t>(x.size()), 0}, 0, 4, 1, runs.data(), nullptr);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(i * 8192), best = std::max_element(first, first + 8192);
    CHECK(runs[i].index == best - x.begin());
    CHECK(runs[i].value == *best);
  }
}
