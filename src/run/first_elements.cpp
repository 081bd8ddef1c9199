// The first elements of an array in an order: the last of them is selected, then all up to it are collected and sorted.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "cpu.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/order_statistics.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/cpu_team.hpp"
#include "run/selector.hpp"

namespace onefold::detail {
namespace {

template <class Word>
struct placed_key {
  Word key;
  std::int64_t index;
};

/// The first k > 0 elements of n, in the order of their keys, then of their indices.
template <class Word, key_kind Kind>
std::vector<placed_key<Word>> first_keys(const void* data, std::int64_t n, std::int64_t k,
                                         const ordered_keys<Word, Kind>& keys, const team& threads) {
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
  std::sort(found.begin(), found.begin() + in_front, [](const placed_key<Word>& a, const placed_key<Word>& b) {
    return std::tie(a.key, a.index) < std::tie(b.key, b.index);
  });
  return found;
}

}  // namespace

void require_count(std::int64_t k, std::int64_t n) {
  if (k < 0) refuse("the number of elements that are wanted is negative: " + std::to_string(k));
  if (k > n) refuse(quantity(k, "element") + " are wanted, but " + there_are(n, "element"));
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
        refuse(quantity(k, "element") + " are wanted, but " + there_are(numbers - found.begin(), "element") +
               " that are not NaN");
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      set_word(values, static_cast<std::int64_t>(i), keys.bits(found[i].key));
      indices[i] = found[i].index;
    }
  });
}

}  // namespace onefold::detail
