// What the tests of the slice law share: options drawn by lot, elements that begin anywhere, and the comparison of the
// results with those of the slices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/result_bits.hpp"

namespace support {

/// Options on the backend under test, with any accuracy, threads and instruction set, and now and then an initial
/// value; none where the operation does not have the accuracy.
inline std::optional<onefold::options> random_options(random_numbers& r, int operation, onefold::dtype element,
                                                      bool takes_init) {
  onefold::options how = on_backend(static_cast<onefold::accuracy>(r.integer(0, 3)), r.integer(1, 4));
  if (onefold::why_not(operation, element, how.accuracy)) return std::nullopt;
  how.isa = onefold::isas()[r.bits() % onefold::isas().size()];
  if (takes_init && r.integer(0, 3) == 0) how.init = 1;
  return how;
}

inline std::string text_of(const onefold::options& how) {
  return std::string(onefold::name_of(how.accuracy)) + ' ' + onefold::name_of(how.isa) + ", " +
         std::to_string(how.threads) + " threads";
}

/// Memory for n elements of a size, which begin at any address that suits it.
class placed_elements {
 public:
  placed_elements(std::int64_t n, std::int64_t size, random_numbers& r)
      : memory_(static_cast<std::size_t>(n * size) + 64 + 16),
        first_(memory_.data() + 64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64 +
               r.integer(0, 15) / size * size) {}
  placed_elements(const placed_elements&) = delete;
  placed_elements& operator=(const placed_elements&) = delete;
  char* data() { return first_; }

 private:
  std::vector<char> memory_;
  char* first_;
};

/// What a call left: results, or an error.
struct outcome {
  std::vector<result_bits> results;
  std::optional<onefold::error_code> error;
};
/// Of a call that appends its results to a vector.
template <class Call>
outcome outcome_of(Call call) {
  outcome o;
  o.error = error_of([&] { call(o.results); });
  return o;
}

/// Whether a reduction left what its slices did; if not, checks fail, and say `what` of which result.
inline bool check_outcome(const outcome& found, const outcome& meant, const std::string& what) {
  if (found.error == meant.error && (found.error || found.results == meant.results)) return true;
  std::size_t i = 0;
  while (i < found.results.size() && i < meant.results.size() && found.results[i] == meant.results[i]) ++i;
  INFO(what << ": result " << i << " of " << meant.results.size());
  CHECK(found.error == meant.error);
  if (!found.error) CHECK(text_of(found.results.at(i)) == text_of(meant.results.at(i)));
  return false;
}

}  // namespace support
