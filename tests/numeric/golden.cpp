// The bits of results, recorded: golden.txt, made by the sequential backend. Every backend on every machine must give
// them, and a change of the library that changes one is seen.
//
// ONEFOLD_TEST_GOLDEN names the file; with ONEFOLD_TEST_RECORD set it is written instead of compared.
#include <cmath>
#include <map>
#include <span>
#include <string>

#include "support/backend.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/plain.hpp"
#include "support/recorded.hpp"
#include "support/result_bits.hpp"

namespace {

// Only arithmetic and ldexp, which are the same in every C library.
enum class distribution { uniform, spread, factors };
constexpr const char* names[] = {"uniform", "spread", "factors"};

template <class T>
std::vector<T> data_of(distribution d, std::int64_t n) {
  if constexpr (!support::is_float<T>) return support::integer_data<T>(n, 51 + static_cast<std::uint64_t>(d));
  support::random_numbers r(50);
  return support::generated<T>(n, [&] {
    const double sign = r.sign(), x = r.uniform();  // one after the other: compilers order calls as they like
    const int exponent = r.integer(-12, 0);
    return d == distribution::uniform  ? x
           : d == distribution::spread ? std::ldexp(sign * (1 + x), exponent)
                                       : sign * (1 + x / 64);
  });
}

/// "sum f32 kahan uniform" to the digest of the results over all sizes.
std::map<std::string, std::string> digests() {
  std::map<std::string, std::string> all;
  const auto digest = [&]<class Op, class T, onefold::accuracy A>() {
    const auto how = support::on_backend(A);
    constexpr std::int64_t page = 16384 / sizeof(T);
    for (const auto d : {distribution::uniform, distribution::spread, distribution::factors}) {
      static std::map<distribution, std::vector<T>> made;
      auto& x = made[d];
      if (x.empty()) x = data_of<T>(d, 21 * page + 3);
      support::digest all_sizes;
      for (const std::int64_t n :
           {std::int64_t{1}, std::int64_t{37}, page / 2 - 1, page, 3 * page + 5, 21 * page + 3}) {
        if (support::overflows<Op, T, A>({x.data(), static_cast<std::size_t>(n)})) continue;
        const support::result_bits bits = support::run<Op>(x.data(), n, how);
        all_sizes.add(std::as_bytes(std::span(bits)));
      }
      all[support::entry_name<Op, T>(A) + ' ' + names[static_cast<int>(d)]] = all_sizes.text();
    }
  };
  onefold::for_each_entry([&]<class Op, class T>() { onefold::for_each_accuracy<Op, T>(digest); });
  return all;
}

}  // namespace

TEST_CASE("results have the recorded bits") { support::check_recorded("ONEFOLD_TEST_GOLDEN", digests()); }
