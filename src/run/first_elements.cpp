// The first elements of an array in an order: a few are filtered out in one pass; of more, the last one is selected,
// then all up to it are collected and sorted.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cpu.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/order_statistics.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/cpu_team.hpp"
#include "run/selector.hpp"
#include "run/widest.hpp"

namespace onefold::detail {
namespace {

/// An element and its place: in the order of the keys, then of the indices.
template <class Word>
struct placed_key {
  Word key;
  std::int64_t index;

  friend bool operator<(const placed_key& a, const placed_key& b) {
    return a.key < b.key || (a.key == b.key && a.index < b.index);
  }
};

/// The first elements of a piece, by a filter: an element passes if its key is in front of the last one of the first k
/// that were found before. Those that pass are collected, and now and then all but the first k of them dropped.
template <class Word>
class first_filter {
 public:
  explicit first_filter(std::int64_t k) : k_(static_cast<std::size_t>(k)), kept_(2 * k_ + room) {}

  /// Takes elements whose indices ascend from call to call.
  template <key_kind Kind>
  [[gnu::always_inline]] void take(const void* data, std::int64_t first, std::int64_t end,
                                   const ordered_keys<Word, Kind> keys) {
    std::int64_t i = first;
    for (; i < end && count_ < k_; ++i) kept_[count_++] = {keys.key(word_at<Word>(data, i)), i};
    if (count_ < k_) return;
    if (!filters_) prune();
    for (; i + at_once <= end; i += at_once) {
      Word block[at_once];
      int passing = 0;
      for (int j = 0; j < at_once; ++j) {
        block[j] = keys.key(word_at<Word>(data, i + j));
        passing += block[j] < limit_;
      }
      if (passing == 0) continue;
      for (int j = 0; j < at_once; ++j) {
        kept_[count_] = {block[j], i + j};
        count_ += block[j] < limit_;
      }
      if (count_ + at_once >= kept_.size()) prune();
    }
    for (; i < end; ++i) {
      kept_[count_] = {keys.key(word_at<Word>(data, i)), i};
      count_ += kept_[count_].key < limit_;
    }
    if (count_ + at_once >= kept_.size()) prune();
  }

  std::span<const placed_key<Word>> found() const { return {kept_.data(), count_}; }

 private:
  static constexpr int at_once = 32;
  static constexpr std::size_t room = 4 * at_once;

  /// Drops all but the first k.
  void prune() {
    const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(kept_.begin(), last, kept_.begin() + static_cast<std::ptrdiff_t>(count_));
    limit_ = last->key;
    count_ = k_;
    filters_ = true;
  }

  std::size_t k_, count_ = 0;
  std::vector<placed_key<Word>> kept_;
  Word limit_{};
  bool filters_ = false;
};

/// The first k > 0 elements of n, of which they are few, in the order of their keys, then of their indices.
template <class Word, key_kind Kind>
std::vector<placed_key<Word>> few_first_keys(const void* data, std::int64_t n, std::int64_t k,
                                             const ordered_keys<Word, Kind>& keys, const team& threads) {
  std::vector<first_filter<Word>> filters(static_cast<std::size_t>(threads.pieces(n)), first_filter<Word>(k));
  threads.share_out(n, [&](int piece, std::int64_t first, std::int64_t end) {
    first_filter<Word>& own = filters[static_cast<std::size_t>(piece)];
    run_widest([ =, &own ]() __attribute__((always_inline)) { own.take(data, first, end, keys); });
  });
  std::vector<placed_key<Word>> found;
  for (const first_filter<Word>& own : filters) found.insert(found.end(), own.found().begin(), own.found().end());
  std::partial_sort(found.begin(), found.begin() + k, found.end());
  found.resize(static_cast<std::size_t>(k));
  return found;
}

/// The same, whatever k is.
template <class Word, key_kind Kind>
std::vector<placed_key<Word>> first_keys(const void* data, std::int64_t n, std::int64_t k,
                                         const ordered_keys<Word, Kind>& keys, const team& threads) {
  if (k <= n / threads.pieces(n) / 8) return few_first_keys(data, n, k, keys, threads);
  const std::int64_t last_rank[] = {k - 1};
  Word last{};
  selector(data, n, keys, threads, &last).select(last_rank);
  const Word limit = keys.key(last);

  // Where each piece writes its elements in front of the limit, and those at the limit.
  struct share_of_piece {
    std::int64_t before = 0, at = 0;
  };
  std::vector<share_of_piece> shares(static_cast<std::size_t>(threads.pieces(n)));
  threads.share_out(n, [&](int piece, std::int64_t first, std::int64_t end) {
    share_of_piece own;
    for (std::int64_t i = first; i < end; ++i) {
      const Word key = keys.key(word_at<Word>(data, i));
      own.before += key < limit;
      own.at += key == limit;
    }
    shares[static_cast<std::size_t>(piece)] = own;
  });
  share_of_piece next;
  for (const share_of_piece& s : shares) next.at += s.before;
  const std::int64_t in_front = next.at;
  for (share_of_piece& s : shares) {
    const share_of_piece own = s;
    s = next;
    next = {next.before + own.before, next.at + own.at};
  }

  std::vector<placed_key<Word>> found(static_cast<std::size_t>(k));
  threads.share_out(n, [&](int piece, std::int64_t first, std::int64_t end) {
    share_of_piece to = shares[static_cast<std::size_t>(piece)];
    for (std::int64_t i = first; i < end; ++i) {
      const Word key = keys.key(word_at<Word>(data, i));
      if (key < limit)
        found[static_cast<std::size_t>(to.before++)] = {key, i};
      else if (key == limit && to.at < k)
        found[static_cast<std::size_t>(to.at++)] = {key, i};
    }
  });
  std::sort(found.begin(), found.begin() + in_front);
  return found;
}

}  // namespace

void require_count(std::int64_t k, std::int64_t n) {
  if (k < 0) refuse("the number of elements that are wanted is negative: " + std::to_string(k));
  if (k > n) refuse(quantity(k, "element is", "elements are") + " wanted, but " + there_are(n, "element"));
}

void select_first(dtype element, const void* data, std::int64_t n, std::int64_t k, element_order order, void* values,
                  std::int64_t* indices, const options& how) {
  const float_environment ieee;
  require_count(k, n);
  const cpu_team opened("order statistics", element, data, n, how, nullptr);
  if (k == 0) return;
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != element) return;
    const keys_of<T> keys = keys_in<T>(order);
    const auto found = first_keys(data, n, k, keys, opened.threads());
    if (is_float<T> && !order.nan_first) {
      const auto numbers = std::ranges::find_if(found, [&](const auto& e) { return keys.is_nan(e.key); });
      if (numbers != found.end())
        refuse(quantity(k, "element is", "elements are") + " wanted, but " +
               there_are(numbers - found.begin(), "element") + " that are not NaN");
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      set_word(values, static_cast<std::int64_t>(i), keys.bits(found[i].key));
      indices[i] = found[i].index;
    }
  });
}

}  // namespace onefold::detail
