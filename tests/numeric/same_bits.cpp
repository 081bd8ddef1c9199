// The same bits for every thread count, instruction set, alignment and size: those of the scalar reference of the
// order.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/instrumented.hpp"
#include "support/plain.hpp"
#include "support/reference_order.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using support::result_bits;

/// Elements of a type that is known at run time only, `offset` bytes behind a 64-byte boundary.
class elements {
 public:
  explicit elements(std::size_t bytes) : size_(bytes), bytes_(bytes + 128) {}
  template <class T>
  explicit elements(const std::vector<T>& x) : elements(x.size() * sizeof(T)) {
    std::memcpy(at(0), x.data(), size_);
  }
  const void* at(std::size_t offset) const {
    const void* p = bytes_.data();
    return static_cast<const char*>(p) + (64 - reinterpret_cast<std::uintptr_t>(p) % 64) % 64 + offset;
  }
  void* at(std::size_t offset) { return const_cast<void*>(std::as_const(*this).at(offset)); }
  /// The first `bytes` of x, moved to that place.
  const void* copy(const void* x, std::size_t bytes, std::size_t offset) { return std::memcpy(at(offset), x, bytes); }

 private:
  std::size_t size_;
  std::vector<char> bytes_;
};

/// Signed elements whose exponents span twice the precision: compensated and double-double sums round, too.
template <class T>
std::vector<T> spread_data(std::int64_t n, std::uint64_t seed) {
  constexpr support::format f = support::format_of<T>;
  const int span = std::min(2 * f.precision() - 6, f.bias() - 2);
  support::random_numbers r(seed);
  return support::generated<T>(n, [&] { return r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-span, 0)); });
}

template <bool Factors, class T>
elements data_for(std::int64_t n, std::uint64_t seed) {
  if constexpr (!support::is_float<T>) {
    auto x = support::integer_data<T>(n, seed);
    if constexpr (sizeof(T) == 8 && !Factors)
      for (T& y : x) y >>= 18;  // so that exact sums of up to a hundred pages have a result
    return elements(x);
  } else if constexpr (Factors) {
    return elements(support::factor_data<T>(n, seed));
  } else {
    return elements(spread_data<T>(n, seed));
  }
}

/// Changes one element so that the first n nearly cancel: what is left of their sum shows every rounding on the way.
template <bool Adds, class T, accuracy A>
void cancel([[maybe_unused]] void* data, [[maybe_unused]] std::int64_t n) {
  if constexpr (support::is_float<T> && Adds) {
    T* x = static_cast<T*>(data);
    for (int k = 0; k < 3; ++k)
      x[n / 2] = support::nearest<T>(support::value_of(x[n / 2]) -
                                     double(support::reference_result<onefold::op::sum, T, A>(x, n)));
  }
}

/// The bits that every backend must return: by plain loops where the order does not matter, else by the reference.
template <class Op, class T, accuracy A>
result_bits expected(const void* data, std::int64_t n) {
  const std::span<const T> x(static_cast<const T*>(data), static_cast<std::size_t>(n));
  if constexpr (support::order_independent<Op, T>)
    return support::bits_of(support::plain(Op{}, x));
  else
    return support::bits_of(support::reference_result<Op, T, A>(x.data(), n));
}

template <class F>
constexpr bool has_powers = false;
template <class F>
requires requires { typename F::state; }
constexpr bool has_powers<F> = std::is_same_v<typename F::state, onefold::detail::power_sums>;

/// One entry of the catalog at one accuracy. What runs over it is compiled once, not once for each entry: the
/// templates are the data and the expected bits only.
struct entry {
  std::string name;
  int operation;
  onefold::dtype type;
  accuracy mode;
  std::int64_t size;     ///< bytes of an element
  bool order_dependent;  ///< and the reference of the order is fast: exact sums of squares have it copy large states
  result_bits (*expected)(const void* x, std::int64_t n);
  elements (*data)(std::int64_t n, std::uint64_t seed);
  void (*cancel)(void* x, std::int64_t n);

  template <class Op, class T, accuracy A>
  static entry of() {
    return {support::entry_name<Op, T>(A),
            onefold::operation_index<Op>,
            onefold::dtype_of<T>,
            A,
            sizeof(T),
            !support::order_independent<Op, T> && !has_powers<onefold::detail::fold_of<Op, T, A>>,
            ::expected<Op, T, A>,
            data_for<std::is_same_v<Op, onefold::op::product>, T>,
            ::cancel < std::is_same_v<Op, onefold::op::sum> || std::is_same_v<Op, onefold::op::mean>,
            T,
            A > };
  }

  /// Compares without a Catch2 assertion for each of the millions of calls.
  void check(const void* x, std::int64_t n, const result_bits& wanted, const onefold::options& how,
             std::size_t offset) const {
    const result_bits got = support::run(operation, type, x, n, how);
    if (got == wanted) return;
    FAIL_CHECK(name << " of " << n << " elements, isa " << onefold::name_of(how.isa) << ", threads " << how.threads
                    << ", offset " << offset << " bytes: " << support::text_of(got) << "is not "
                    << support::text_of(wanted));
  }
};

const std::vector<entry>& all_entries() {
  static const std::vector<entry> list = [] {
    std::vector<entry> l;
    support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() { l.push_back(entry::of<Op, T, A>()); });
    return l;
  }();
  return list;
}

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

TEST_CASE("eight threads are had") {
  const std::vector<float> x(1'000'000, 1.0f);
  const auto backend = support::backend_under_test();
  const bool alone = backend == onefold::backend::sequential;
  const auto ran = onefold::reduce_reported<float, onefold::op::sum>(x, support::on_backend(accuracy::native, 8)).ran;
  CHECK(ran.threads == (onefold::is_accelerator(backend) ? 0 : alone ? 1 : 8));
}

TEST_CASE("inputs of up to a page have the bits of the reference at every alignment and instruction set") {
  for (const entry& e : all_entries()) {
    const std::int64_t lanes = 512 / e.size;
    elements x = e.data(33 * lanes, 11), copy(static_cast<std::size_t>(33 * 512));
    std::size_t offset = 0;  // runs through 0, size, ... 63 as the sizes go by
    for (const std::int64_t n : small_sizes(lanes)) {
      e.cancel(x.at(0), n);
      const result_bits wanted = e.expected(x.at(0), n);
      for (int k = 0; k < support::random_cases(8); ++k, offset = (offset + static_cast<std::size_t>(e.size)) % 64) {
        const void* p = copy.copy(x.at(0), static_cast<std::size_t>(n * e.size), offset);
        for (const auto level : support::levels_under_test()) {
          auto how = support::on_backend(e.mode, 1 + k);
          how.isa = level;
          e.check(p, n, wanted, how, offset);
        }
      }
    }
  }
  SUCCEED();
}

TEST_CASE("sums that cancel have the bits of the reference where a strip begins in part of a row") {
  // Of all places the one where packs of different widths hold different missing elements.
  for (const entry& e : all_entries()) {
    if (e.operation != onefold::operation_index<onefold::op::sum> || !e.order_dependent) continue;
    const std::int64_t lanes = 512 / e.size;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(support::random_cases(300)); ++seed) {
      const std::int64_t n =
          8 * lanes * static_cast<std::int64_t>(1 + seed % 3) + 1 + static_cast<std::int64_t>(seed * 7) % lanes;
      elements x = e.data(n, seed);
      e.cancel(x.at(0), n);
      const result_bits wanted = e.expected(x.at(0), n);
      for (const auto level : support::levels_under_test()) {
        auto how = support::on_backend(e.mode);
        how.isa = level;
        e.check(x.at(0), n, wanted, how, 0);
      }
    }
  }
  SUCCEED();
}

TEST_CASE("inputs of several pages have the bits of the reference on every number of threads") {
  int turn = 0;  // runs through offsets, thread counts and instruction sets as the calls go by
  for (const entry& e : all_entries()) {
    const std::int64_t page = 16384 / e.size, most = 37 * page - page / 3;
    elements x = e.data(most, 12), copy(static_cast<std::size_t>(most * e.size));
    for (const std::int64_t n : {2 * page - 1, 2 * page + 1, 3 * page + 5, 16 * page + 1, most}) {
      e.cancel(x.at(0), n);
      const result_bits wanted = e.expected(x.at(0), n);
      const auto offset = static_cast<std::size_t>(turn * e.size) % 64;
      const void* p = copy.copy(x.at(0), static_cast<std::size_t>(n * e.size), offset);
      for (int k = 0; k < (n == most ? 8 : 2); ++k, ++turn) {
        auto how = support::on_backend(e.mode, 1 + turn % 8);
        how.isa = onefold::isas()[static_cast<std::size_t>(turn) % onefold::isas().size()];
        e.check(p, n, wanted, how, offset);
      }
    }
  }
  SUCCEED();
}

TEST_CASE("millions of elements have the bits of the reference") {
  std::map<elements (*)(std::int64_t, std::uint64_t), std::vector<const entry*>> by_data;
  for (const entry& e : all_entries())
    if (e.order_dependent) by_data[e.data].push_back(&e);
  int turn = 0;  // runs through offsets, thread counts and instruction sets as the calls go by
  for (const auto& [data, entries] : by_data) {
    const elements x = data(millions, 13);
    for (const entry* e : entries) {
      const result_bits wanted = e->expected(x.at(0), millions);
      elements copy(static_cast<std::size_t>(millions * e->size));
      for (int k = 0; k < support::random_cases(3); ++k, ++turn) {
        const auto offset = static_cast<std::size_t>(turn * e->size) % 64;
        auto how = support::on_backend(e->mode, 1 + turn % 8);
        how.isa = onefold::isas()[static_cast<std::size_t>(turn) % onefold::isas().size()];
        e->check(copy.copy(x.at(0), static_cast<std::size_t>(millions * e->size), offset), millions, wanted, how,
                 offset);
      }
    }
  }
  SUCCEED();
}
