// The same bits for every thread count, instruction set, alignment and size: those of the scalar reference of the
// order.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/plain.hpp"
#include "support/reference_order.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using support::result_bits;

/// Signed elements whose exponents span twice the precision: compensated and double-double sums round, too.
template <class T>
std::vector<T> spread_data(std::int64_t n, std::uint64_t seed) {
  constexpr support::format f = support::format_of<T>;
  const int span = std::min(2 * f.precision() - 6, f.bias() - 2);
  support::random_numbers r(seed);
  return support::generated<T>(n, [&] { return r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-span, 0)); });
}

template <class Op, class T>
std::vector<T> data_for(std::int64_t n, std::uint64_t seed) {
  if constexpr (!support::is_float<T>)
    return support::integer_data<T>(n, seed);
  else if constexpr (std::is_same_v<Op, onefold::op::product>)
    return support::factor_data<T>(n, seed);
  else
    return spread_data<T>(n, seed);
}

/// Changes one element so that the first n nearly cancel: what is left of their sum shows every rounding on the way.
template <class Op, class T, accuracy A>
void cancel(std::vector<T>& x, std::int64_t n) {
  if constexpr (support::is_float<T> &&
                (std::is_same_v<Op, onefold::op::sum> || std::is_same_v<Op, onefold::op::mean>)) {
    T& y = x[static_cast<std::size_t>(n / 2)];
    for (int k = 0; k < 3; ++k)
      y = support::nearest<T>(support::value_of(y) -
                              double(support::reference_result<onefold::op::sum, T, A>(x.data(), n)));
  }
}

/// The bits that every backend must return: by plain loops where the order does not matter, else by the reference.
template <class Op, class T, accuracy A>
result_bits expected(std::span<const T> x) {
  if constexpr (support::order_independent<Op, T>)
    return support::bits_of(support::plain(Op{}, x));
  else
    return support::bits_of(support::reference_result<Op, T, A>(x.data(), static_cast<std::int64_t>(x.size())));
}

/// Compares without a Catch2 assertion for each of the millions of calls.
class comparison {
 public:
  comparison(std::string entry, std::int64_t n, result_bits wanted)
      : entry_(std::move(entry)), n_(n), wanted_(std::move(wanted)) {}
  void check(const result_bits& got, const onefold::options& how, std::size_t offset) const {
    if (got == wanted_) return;
    FAIL_CHECK(entry_ << " of " << n_ << " elements, isa " << onefold::name_of(how.isa) << ", threads " << how.threads
                      << ", offset " << offset << " bytes: " << support::text_of(got) << "is not "
                      << support::text_of(wanted_));
  }

 private:
  std::string entry_;
  std::int64_t n_;
  result_bits wanted_;
};

/// A copy of elements that starts `offset` bytes behind a 64-byte boundary.
template <class T>
class shifted {
 public:
  explicit shifted(std::span<const T> x) : x_(x), bytes_(x.size_bytes() + 128) {}
  const T* at(std::size_t offset) {
    void* p = bytes_.data();
    std::size_t space = bytes_.size();
    p = static_cast<char*>(std::align(64, x_.size_bytes() + 64, p, space)) + offset;
    std::memcpy(p, x_.data(), x_.size_bytes());
    return static_cast<const T*>(p);
  }

 private:
  std::span<const T> x_;
  std::vector<char> bytes_;
};

/// Sizes around the edges of the order up to one page and a bit: lanes, rows, strips, halves.
std::vector<std::int64_t> small_sizes(std::int64_t lanes) {
  std::vector<std::int64_t> sizes;
  const auto around = [&](std::int64_t n) {
    for (const std::int64_t m : {n - 1, n, n + 1})
      if (m > 0) sizes.push_back(m);
  };
  for (std::int64_t part = 1; part <= lanes; part *= 4) around(part);
  for (const int rows : {1, 2, 7, 8, 9, 16, 24, 31, 32}) around(rows * lanes);
  // Strips whose only row ends within a pack, of any width.
  for (const int rows : {8, 16, 24})
    for (std::int64_t part = 2; part < lanes; part *= 2) sizes.push_back(rows * lanes + part / 2 + part / 4);
  around(8 * lanes + lanes / 2);
  around(19 * lanes + lanes / 8 + 3);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// Enough for deep trees and, from 8 bytes an element on, for arrays beyond the caches.
constexpr std::int64_t millions = 3'000'017;

}  // namespace

TEST_CASE("inputs of up to a page have the bits of the reference at every alignment and instruction set") {
  support::for_each_entry_and_accuracy([]<class Op, class T, accuracy A>() {
    constexpr std::int64_t lanes = 512 / sizeof(T);
    auto x = data_for<Op, T>(33 * lanes, 11);
    std::size_t offset = 0;  // runs through 0, sizeof(T), ... 63 as the sizes go by
    for (const std::int64_t n : small_sizes(lanes)) {
      cancel<Op, T, A>(x, n);
      const std::span<const T> part(x.data(), static_cast<std::size_t>(n));
      const comparison all(support::entry_name<Op, T>(A), n, expected<Op, T, A>(part));
      shifted<T> copy(part);
      for (int k = 0; k < 8; ++k, offset = (offset + sizeof(T)) % 64) {
        const T* p = copy.at(offset);
        for (const auto level : onefold::isas()) {
          auto how = support::on_backend(A, 1 + k);
          how.isa = level;
          all.check(support::run<Op>(p, n, how), how, offset);
        }
      }
    }
  });
  SUCCEED();
}

TEST_CASE("sums that cancel have the bits of the reference where a strip begins in part of a row") {
  // Of all places the one where packs of different widths hold different missing elements.
  onefold::for_each_type(onefold::type_list<float, double, onefold::f16, onefold::bf16>{}, []<class T>() {
    constexpr std::int64_t lanes = 512 / sizeof(T);
    support::for_each_accuracy<onefold::op::sum, T>([]<class Op, class, accuracy A>() {
      for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const std::int64_t n =
            8 * lanes * static_cast<std::int64_t>(1 + seed % 3) + 1 + static_cast<std::int64_t>(seed * 7) % lanes;
        auto x = spread_data<T>(n, seed);
        cancel<Op, T, A>(x, n);
        const comparison all(support::entry_name<Op, T>(A), n, expected<Op, T, A>(x));
        for (const auto level : onefold::isas()) {
          auto how = support::on_backend(A);
          how.isa = level;
          all.check(support::run<Op>(x.data(), n, how), how, 0);
        }
      }
    });
  });
  SUCCEED();
}

TEST_CASE("inputs of several pages have the bits of the reference on every number of threads") {
  onefold::for_each_entry([]<class Op, class T>() {
    constexpr std::int64_t page = 16384 / sizeof(T);
    const std::int64_t most = 37 * page - page / 3;
    auto x = data_for<Op, T>(most, 12);
    int turn = 0;  // runs through offsets, thread counts and instruction sets as the calls go by
    support::for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
      for (const std::int64_t n : {2 * page - 1, 2 * page + 1, 3 * page + 5, 16 * page + 1, most}) {
        cancel<Op, T, A>(x, n);
        const std::span<const T> part(x.data(), static_cast<std::size_t>(n));
        const comparison all(support::entry_name<Op, T>(A), n, expected<Op, T, A>(part));
        shifted<T> copy(part);
        const auto offset = static_cast<std::size_t>(turn) * sizeof(T) % 64;
        const T* p = copy.at(offset);
        for (int k = 0; k < (n == most ? 8 : 2); ++k, ++turn) {
          auto how = support::on_backend(A, 1 + turn % 8);
          how.isa = onefold::isas()[static_cast<std::size_t>(turn) % onefold::isas().size()];
          all.check(support::run<Op>(p, n, how), how, offset);
        }
      }
    });
  });
  SUCCEED();
}

TEST_CASE("millions of elements have the bits of the reference") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    const auto terms = data_for<onefold::op::sum, T>(millions, 13);
    const auto factors = data_for<onefold::op::product, T>(millions, 14);
    onefold::for_each_type(onefold::operations{}, [&]<class Op>() {
      if constexpr (onefold::catalogued<Op, T> && !support::order_independent<Op, T>) {
        const std::span<const T> x = std::is_same_v<Op, onefold::op::product> ? factors : terms;
        support::for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
          const comparison all(support::entry_name<Op, T>(A), millions, expected<Op, T, A>(x));
          for (const int threads : {1, 3, 8}) {
            const auto how = support::on_backend(A, threads);
            all.check(support::run<Op>(x.data(), millions, how), how, 0);
          }
        });
      }
    });
  });
  SUCCEED();
}
