// Operations as text: the bits of the same operations that were compiled with the program, on every CPU backend.
#include <cstring>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/source_runs.hpp"

namespace {

using onefold::dtype;
using onefold::error_code;
using onefold::options;
using support::check_error;
using support::source_elements;
using support::source_of;

constexpr std::int64_t sizes[] = {0, 1, 7, 4096, 100'003, 1'000'000};

template <class R>
bool same_bits(const R& a, const R& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Compares the operation Op with its text.
template <class Op, class T>
void check_text(const char* name, const char* file = "source_text.hpp", options how = support::on_backend()) {
  using R = onefold::default_result<T, Op>;
  const onefold::source_operation text = source_of(name, onefold::dtype_of<T>, file);
  for (const std::int64_t n : sizes)
    for (const int threads : {1, 3}) {
      CAPTURE(name, n, threads);
      how.threads = threads;
      const auto x = source_elements<T>(n);
      onefold::dynamic_plan p(text, n, how);
      REQUIRE(p.result_size() == sizeof(R));
      R result;
      p.run(x.data(), n, &result);
      CHECK(same_bits(result, onefold::reduce<T, Op>(x.data(), n, how)));
      CHECK(p.report().backend == how.backend);
    }
}

}  // namespace

TEST_CASE("an operation as text has the bits of the same operation compiled before") {
  check_text<mine::cubes, float>("cubes");
  check_text<mine::scaled, std::int16_t>("scaled");
  check_text<mine::logsumexp, double>("logsumexp");
  check_text<mine::polynomial, float>("polynomial");
  check_text<mine::histogram, std::uint8_t>("histogram");
}

TEST_CASE("so it has with every instruction set, over packs too, and says which") {
  for (const onefold::isa level : onefold::isas()) {
    options how = support::on_backend();
    how.isa = level;
    check_text<mine::squares, float>("squares", "packed_source_text.hpp", how);
    onefold::dynamic_plan p(source_of("squares", dtype::f32, "packed_source_text.hpp"), 9, how);
    CHECK(p.report().isa == level);
  }
}

TEST_CASE("what onefold's headers compute by the CPU's instructions is right in a text, with every instruction set") {
  const float one = 1;
  for (const onefold::isa level : onefold::isas()) {
    CAPTURE(onefold::name_of(level));
    options how = support::on_backend();
    how.isa = level;
    const auto text = source_of("intrinsics", dtype::f32, "intrinsics_text.hpp");
    CHECK(onefold::reduce_dynamic(text, &one, 1, how).values[0].text() == "0");
  }
}

#ifdef __x86_64__
TEST_CASE("g++ reads its intrinsics for a text that includes them, and for no other") {
  constexpr const char* text = R"(
    #if defined(__GNUC__) && !defined(__clang__) && defined(_MM_FROUND_CUR_DIRECTION)
    #error "they take longer to read than all the rest"
    #endif
    #include <immintrin.h>
    #include <onefold/math.hpp>
    struct roots {
      struct state { float sum; };
      static constexpr state identity() { return {0}; }
      static state lift(float x) { return {_mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(onefold::sqrt(x))))}; }
      static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
      static constexpr float finish(state s) { return s.sum; }
    };)";
  const std::vector<float> x{16, 81};
  const onefold::source_operation roots{.name = "roots", .element = dtype::f32, .text = text};
  CHECK(onefold::reduce_dynamic(roots, x.data(), 2, support::on_backend()).values[0].text() == "5");
}
#endif

TEST_CASE("results that are numbers are named, others are bytes") {
  const auto x = source_elements<float>(1000);
  const auto r = onefold::reduce_dynamic(source_of("cubes", dtype::f32), x.data(), 1000, support::on_backend());
  REQUIRE(r.values.size() == 1);
  CHECK(r.values[0].name == "value");
  CHECK(r.values[0].type == dtype::f32);
  float value;
  std::memcpy(&value, &r.values[0].bits, sizeof value);
  CHECK(same_bits(value, onefold::reduce<float, mine::cubes>(x)));
  onefold::dynamic_plan p(source_of("histogram", dtype::u8), 10, support::on_backend());
  CHECK(p.members().empty());
  CHECK(p.result_size() == 2048);
  CHECK(p.run(source_elements<std::uint8_t>(10).data(), 10).values.empty());
}

TEST_CASE("an initial value is one that the operation takes") {
  const auto x = source_elements<std::int16_t>(1000);
  options how = support::on_backend();
  how.init = 0.3;
  double result;
  onefold::dynamic_plan(source_of("scaled", dtype::i16), 1000, how).run(x.data(), 1000, &result);
  CHECK(same_bits(result, onefold::reduce<std::int16_t, mine::scaled>(x, how)));
  check_error(error_code::invalid_argument, "operation mine::cubes takes no initial value: it has no start(init)",
              [&] { onefold::dynamic_plan(source_of("cubes", dtype::f32), 9, how); });
}

TEST_CASE("over axes, segments, keys and selected elements the bits are the same") {
  support::check_source_plans(support::on_backend(), support::on_backend());
}

TEST_CASE("two operations of one name are two operations") {
  const auto how = support::on_backend();
  const std::vector<float> x{1, 2, 3};
  auto text = source_of("cubes", dtype::f32);
  const auto value = [&] { return onefold::reduce_dynamic(text, x.data(), 3, how).values[0].text(); };
  CHECK(value() == "42");
  text.text.replace(text.text.find("x * x * x + x"), 13, "x * x * x");
  CHECK(value() == "36");
  CHECK(onefold::reduce_dynamic(source_of("cubes", dtype::f32), x.data(), 3, how).values[0].text() == "42");
}

TEST_CASE("what cannot be compiled is an error with the text's own lines") {
  const auto refused = [](const std::string& words, onefold::source_operation text) {
    check_error(error_code::invalid_argument, words, [&] { onefold::dynamic_plan(text, 9, support::on_backend()); });
  };
  const std::string start =
      "struct one {\n  struct state { float s; };\n  static constexpr state identity() { return {}; }\n";
  refused("operation one cannot be compiled by ", {.name = "one", .text = start});
  refused("sums.hpp:4:", {.name = "one", .text = start + "  static stat lift(float);\n};", .file = "sums.hpp"});
  refused("one:4:", {.name = "one", .text = start + "  static stat lift(float);\n};"});
  refused("static stat lift(float);", {.name = "one", .text = start + "  static stat lift(float);\n};"});
  refused("a \"b\"\\x0a:4:", {.name = "one", .text = start + "  static stat lift(float);\n};", .file = "a \"b\"\n"});
  refused("onefold: an operation needs combine(state, state)",
          {.name = "one", .text = start + "static state lift(float); static float finish(state);};"});
  refused("onefold, after the text:2:", {.name = "two", .text = start + "};"});
  refused("is that of a struct, such as cubes or mine::cubes, not \"1\"", {.name = "1", .text = ""});
  for (const char* name : {"", "a::", "::a", "a b", "a<int>", "a;b", "a:b"})
    refused("is that of a struct", {.name = name, .text = ""});
  auto of_bool = source_of("cubes", dtype::boolean);
  refused("operation mine::cubes: elements of type bool are not supported", of_bool);
}

TEST_CASE("other options are checked as for any operation") {
  options how = support::on_backend();
  how.accuracy = onefold::accuracy::kahan;
  check_error(error_code::unsupported, "accuracy kahan does not apply to operation mine::cubes",
              [&] { onefold::dynamic_plan(source_of("cubes", dtype::f32), 9, how); });
  how.accuracy = {};
  check_error(error_code::invalid_argument, "is negative",
              [&] { onefold::dynamic_plan(source_of("cubes", dtype::f32), -1, how); });
}
