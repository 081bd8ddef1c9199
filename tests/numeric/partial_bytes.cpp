// The bytes of partials: what was changed, cut, forged or written for something else is refused, by one sentence.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "onefold/partial.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/entries.hpp"
#include "support/errors.hpp"
#include "support/partial_bytes.hpp"
#include "support/recorded.hpp"

namespace {

using onefold::accuracy;
using onefold::dynamic_partial;
using support::random_numbers;
using support::stored_partial;
namespace op = onefold::op;

std::string refusal(const stored_partial& bytes) {
  try {
    static_cast<void>(dynamic_partial::load(bytes));
  } catch (const onefold::error& e) {
    CHECK(e.code() == onefold::error_code::invalid_argument);
    const std::string start = "these bytes are not a partial: ", text = e.what();
    CHECK(text.starts_with(start));
    return text.substr(start.size());
  }
  return "";
}

/// A partial of each entry, of elements from a position on.
struct sample {
  std::string name;
  stored_partial bytes;
};
std::vector<sample> samples(onefold::isa level) {
  std::vector<sample> all;
  random_numbers r(4);
  support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    constexpr std::int64_t page = onefold::page_elements(sizeof(T));
    std::vector<T> x(static_cast<std::size_t>(3 * page + 5));
    support::fill<T>(x.data(), std::ssize(x), r);
    onefold::options how = support::on_backend(A, 2);
    how.isa = level;
    for (const std::int64_t begin : {std::int64_t{0}, page - 2}) {
      onefold::dynamic_accumulator a(onefold::operation_index<Op>, onefold::dtype_of<T>, how, begin);
      a.push(x.data(), begin == 0 ? std::ssize(x) : 2 * page + 3);
      all.push_back({support::entry_name<Op, T>(A), a.partial().save()});
    }
  });
  return all;
}

/// A few elements of a sum.
stored_partial few() {
  const std::vector<float> x{1, 2, 3};
  return onefold::partial<float, op::sum>(x, 5).save();
}

/// A copy with another byte and a right checksum.
stored_partial forged(stored_partial bytes, std::size_t at, int value) {
  bytes[at] = static_cast<std::byte>(value);
  support::seal_partial(bytes);
  return bytes;
}

}  // namespace

TEST_CASE("the bytes of a partial are those of the documentation") {
  std::string text;
  for (const std::byte b : few()) {
    constexpr const char* digits = "0123456789abcdef";
    text += digits[static_cast<int>(b) / 16];
    text += digits[static_cast<int>(b) % 16];
  }
  CHECK(text.substr(0, 2 * 68) ==
        "31667870"
        "01"
        "01"
        "00"
        "00"
        "04000000"
        "04000000"
        "0500000000000000"
        "0300000000000000"
        "0000000000000000"
        "73756d00000000000000000000000000"
        "0000803f"
        "00000040"
        "00004040");
  CHECK(text.size() == 2 * 72);
}

TEST_CASE("every instruction set writes the same bytes") {
  const auto levels = onefold::isas();
  const auto wanted = samples(levels[0]);
  for (const onefold::isa level : levels) {
    const auto got = samples(level);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (got[i].bytes != wanted[i].bytes) FAIL_CHECK(wanted[i].name << ": isa " << level << " writes other bytes");
  }
}

TEST_CASE("which NaN a state has does not show in its bytes") {
  support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    if constexpr (onefold::detail::is_float<T>) {
      constexpr std::int64_t page = onefold::page_elements(sizeof(T));
      std::vector<T> x(static_cast<std::size_t>(page), T(1));
      const auto saved = [&](T nan) {
        x[7] = x[50] = nan;
        onefold::dynamic_accumulator a(onefold::operation_index<Op>, onefold::dtype_of<T>, support::on_backend(A, 1));
        a.push(x.data(), page);
        return a.partial().save();
      };
      const T nan = support::nearest<T>(std::numeric_limits<double>::quiet_NaN());
      T other = nan;  // with another sign, and other bits of the significand
      char bytes[sizeof other];
      std::memcpy(bytes, &other, sizeof other);
      bytes[0] = static_cast<char>(bytes[0] ^ 5);
      bytes[sizeof other - 1] = static_cast<char>(bytes[sizeof other - 1] ^ 0x80);
      std::memcpy(&other, bytes, sizeof other);
      if (saved(nan) != saved(other)) FAIL_CHECK((support::entry_name<Op, T>(A)));
    }
  });
}

TEST_CASE("every flipped bit and every cut is refused") {
  stored_partial bytes = few();
  REQUIRE(refusal(bytes).empty());
  for (std::size_t i = 0; i < 8 * bytes.size(); ++i) {
    const auto flip = static_cast<std::byte>(1u << i % 8);
    bytes[i / 8] ^= flip;
    CHECK_FALSE(refusal(bytes).empty());
    bytes[i / 8] ^= flip;
  }
  for (std::size_t n = 0; n < bytes.size(); ++n)
    CHECK_FALSE(refusal(stored_partial(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n))).empty());
  bytes.push_back(std::byte{});
  CHECK_FALSE(refusal(bytes).empty());
}

TEST_CASE("what does not fit is refused by name") {
  const stored_partial good = few();
  CHECK(refusal({}) == "they are 0 bytes, and the header alone has 60");
  CHECK(refusal(forged(good, 0, 'x')) == "they do not begin with 1fxp");
  CHECK(refusal(forged(good, 4, 2)) == "their format is version 2; this library has version 1");
  CHECK(refusal(forged(good, 5, 3)) == "their order of the reduction is version 3; this library has version 1");
  CHECK(refusal(forged(good, 6, 99)) == "their header holds a value that is never written");
  CHECK(refusal(forged(good, 7, 4)) == "their header holds a value that is never written");
  CHECK(refusal(forged(good, 23, 0x80)) == "their header holds a value that is never written");
  CHECK(refusal(forged(good, 40, 'n')) == "they hold the operation \"num\", which this library does not have");
  CHECK(refusal(forged(good, 40, '"')) == "they hold the operation \"\"um\", which this library does not have");
  for (const int unprintable : {0x00, 0x07, 0x20, 0xc3})
    CHECK(refusal(forged(good, 40, unprintable)) == "their header holds a value that is never written");
  CHECK(refusal(forged(good, 8, 8)) ==
        "their elements or states have other sizes than those of a sum of f32 at "
        "accuracy native");
  CHECK(refusal(forged(good, 24, 4)) == "they are 72 bytes, expected 76");
  stored_partial longer = good;
  longer.insert(longer.end(), 4, std::byte{});
  support::seal_partial(longer);
  CHECK(refusal(longer) == "they are 76 bytes, expected 72");
  const auto check_not = [&](const std::string& words, auto load) {
    support::check_error(onefold::error_code::invalid_argument, words, load);
  };
  check_not("these bytes hold a sum of f32, not a max of f64", [&] { onefold::partial<double, op::max>::load(good); });
  check_not("these bytes hold a sum of f32, not an argmin of f32",
            [&] { onefold::partial<float, op::argmin>::load(good); });
  CHECK(onefold::partial<float, op::sum>::load(good).end() == 8);
}

TEST_CASE("what is read of changed bytes can be used") {
  std::vector<sample> all = samples(onefold::isa::automatic);
  std::erase_if(all, [](const sample& s) { return s.bytes.size() > 20000; });
  random_numbers r(5);
  const auto wrong = [] { FAIL_CHECK("what was read writes other bytes"); };
  int read = 0;
  for (int i = 0; i < 100000; ++i) {
    stored_partial bytes = all[r.bits() % all.size()].bytes;
    for (int changes = r.integer(1, 3); changes > 0; --changes) {
      // Mostly in the header and the states, where a change means something.
      const std::size_t most = r.integer(0, 3) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 80);
      bytes[r.bits() % most] = static_cast<std::byte>(r.bits());
    }
    if (r.integer(0, 7) == 0) bytes.resize(r.bits() % (bytes.size() + 1));
    if (r.integer(0, 1) == 0) {
      support::seal_partial(bytes);
      read += support::accepted(bytes, wrong);
    } else if (support::accepted(bytes, wrong)) {  // the change was none
      const std::size_t checked = bytes.size() - 4;
      CHECK(onefold::detail::read_bytes(&bytes[checked], 4) == onefold::detail::crc32c(bytes.data(), checked));
    }
  }
  CHECK(read > 5000);
}
