// Partials: of any parts of an array, joined in any grouping, with the bits of reduce over the whole.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/entries.hpp"
#include "support/instrumented.hpp"
#include "support/plain.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::dtype;
using onefold::dynamic_accumulator;
using onefold::dynamic_partial;
using support::random_numbers;
using support::result_bits;

/// One entry of the catalog at one accuracy.
struct entry {
  std::string name;
  int operation;
  dtype type;
  accuracy mode;
  std::int64_t size;  ///< bytes of an element
  void (*fill)(void* to, std::int64_t n, random_numbers& r);
  bool takes_init;

  std::int64_t page() const { return onefold::page_elements(size); }
};

const std::vector<entry>& all_entries() {
  static const std::vector<entry> list = [] {
    std::vector<entry> l;
    support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
      l.push_back({support::entry_name<Op, T>(A), onefold::operation_index<Op>, onefold::dtype_of<T>, A, sizeof(T),
                   support::fill<T>, Op::takes_init});
    });
    return l;
  }();
  return list;
}

/// The bits of a result, or the code of the error.
struct outcome {
  std::optional<onefold::error_code> error;
  result_bits bits;
  friend bool operator==(const outcome&, const outcome&) = default;

  template <class Call>
  static outcome of(Call call) {
    outcome o;
    o.error = support::error_of([&] {
      for (const onefold::scalar& v : call()) o.bits.push_back(v.bits);
    });
    return o;
  }
  std::string text() const { return error ? onefold::name_of(*error) : support::text_of(bits); }
};

/// A random length, position or cut: mostly near borders of pages.
std::int64_t random_place(std::int64_t most, std::int64_t page, random_numbers& r) {
  const std::int64_t pages = most / page + 1;
  const std::int64_t border = static_cast<std::int64_t>(r.bits() % static_cast<std::uint64_t>(pages)) * page;
  const std::int64_t any = static_cast<std::int64_t>(r.bits() % static_cast<std::uint64_t>(most + 1));
  return std::clamp<std::int64_t>(r.integer(0, 2) == 0 ? any : border + r.integer(-2, 2), 0, most);
}

/// One random case of an entry.
class trial {
 public:
  trial(const entry& e, random_numbers& r) : e_(e), r_(r) {
    const std::int64_t most = r.integer(0, 19) == 0 ? 21 * e.page() : r.integer(0, 3) * e.page() + 40;
    n_ = random_place(most, e.page(), r);
    data_.resize(static_cast<std::size_t>(n_ * e.size));
    e.fill(data_.data(), n_, r);
    if (e.takes_init && r.integer(0, 3) == 0) init_ = r.integer(0, 3);
  }

  onefold::options how() const {
    onefold::options o = support::on_backend(e_.mode, r_.integer(1, 3));
    const auto levels = onefold::isas();
    o.isa = levels[r_.bits() % levels.size()];
    return o;
  }

  /// The partial of the elements [from, to), pushed in pieces.
  dynamic_partial part(std::int64_t from, std::int64_t to) const {
    dynamic_accumulator a(e_.operation, e_.type, how(), from);
    while (from < to) {
      const std::int64_t piece = r_.integer(0, 1) == 0 ? to - from : 1 + random_place(to - from - 1, e_.page(), r_);
      a.push(data_.data() + from * e_.size, piece);
      from += piece;
    }
    return through_bytes(a.partial());
  }

  /// The same partial, sometimes written and read.
  dynamic_partial through_bytes(dynamic_partial p) const {
    if (r_.integer(0, 3) != 0) return p;
    const std::vector<std::byte> bytes = p.save();
    dynamic_partial read = dynamic_partial::load(bytes);
    if (read.save() != bytes) FAIL_CHECK(e_.name << ": other bytes are written than were read");
    return read;
  }

  std::vector<dynamic_partial> parts() const {
    std::vector<std::int64_t> cuts{0, n_};
    for (int i = r_.integer(0, 6); i > 0; --i) cuts.push_back(random_place(n_, e_.page(), r_));
    std::ranges::sort(cuts);
    std::vector<dynamic_partial> all;
    for (std::size_t i = 1; i < cuts.size(); ++i) all.push_back(part(cuts[i - 1], cuts[i]));
    return all;
  }

  void check() const {
    std::vector<dynamic_partial> all = parts();
    while (all.size() > 1) {
      const auto i = static_cast<std::ptrdiff_t>(r_.bits() % (all.size() - 1));
      dynamic_partial both = join(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i) + 1]);
      all[static_cast<std::size_t>(i)] = through_bytes(std::move(both));
      all.erase(all.begin() + i + 1);
    }
    onefold::options reduced = how();
    if (init_) reduced.init = *init_;
    const outcome wanted =
        outcome::of([&] { return onefold::reduce_dynamic(e_.operation, e_.type, data_.data(), n_, reduced).values; });
    const outcome got = outcome::of([&] { return all[0].result(reduced.init); });
    if (got == wanted && all[0].count() == n_) return;
    FAIL_CHECK(e_.name << " of " << n_ << " elements: " << got.text() << "is not " << wanted.text());
  }

  /// Joins in any order.
  void check_any_order() const {
    std::vector<dynamic_partial> all = parts();
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[r_.bits() % i]);
    for (std::size_t i = 1; i < all.size(); ++i) all[0] = join(std::move(all[0]), all[i]);
    const outcome wanted =
        outcome::of([&] { return onefold::reduce_dynamic(e_.operation, e_.type, data_.data(), n_, how()).values; });
    const outcome got = outcome::of([&] { return all[0].result(); });
    if (got == wanted) return;
    FAIL_CHECK(e_.name << " of " << n_ << " elements in any order: " << got.text() << "is not " << wanted.text());
  }

 private:
  const entry& e_;
  random_numbers& r_;
  std::int64_t n_ = 0;
  std::vector<char> data_;
  std::optional<int> init_;
};

/// Whether partials of an entry keep a state alone: two that are not neighbors can be joined.
bool is_order_independent(const entry& e) {
  const dynamic_partial here(e.operation, e.type, 0, e.mode), there(e.operation, e.type, 5, e.mode);
  return !support::error_of([&] { static_cast<void>(join(here, there)); });
}

}  // namespace

TEST_CASE("any parts joined in any grouping have the bits of reduce") {
  random_numbers r(18);
  int cases = 0;
  while (cases < support::random_cases(100'000))
    for (const entry& e : all_entries()) {
      trial(e, r).check();
      ++cases;
    }
}

TEST_CASE("order-independent partials are joined in any order") {
  random_numbers r(19);
  for (const entry& e : all_entries())
    if (is_order_independent(e))
      for (int i = 0; i < 20; ++i) trial(e, r).check_any_order();
}

TEST_CASE("operations without an order are those of the plain loops") {
  support::for_each_entry_and_accuracy([]<class Op, class T, accuracy A>() {
    const entry e{"", onefold::operation_index<Op>, onefold::dtype_of<T>, A, sizeof(T), nullptr, false};
    constexpr bool has_places = Op::gives_index;
    INFO((support::entry_name<Op, T>(A)));
    // Exact sums of squares and variances are no plain loops, but have no order either.
    CHECK(is_order_independent(e) == ((support::order_independent<Op, T> || A == accuracy::exact) && !has_places));
  });
}
