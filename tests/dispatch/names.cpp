// The names of the choices: every alias in any case, how they print, the nearest name, and the error for unknown ones.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <sstream>
#include <vector>

#include "onefold/backend.hpp"
#include "onefold/format.hpp"
#include "onefold/onefold.hpp"
#include "onefold/profile.hpp"
#include "support/catch.hpp"

using onefold::accuracy;
using onefold::backend;
using onefold::isa;

namespace {

std::string upper(std::string word) {
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

/// The message of the error that f throws.
template <class F>
std::string message_of(F f) {
  try {
    static_cast<void>(f());
  } catch (const onefold::error& e) {
    CHECK(e.code() == onefold::error_code::invalid_argument);
    return e.what();
  }
  return "no error";
}

/// A value prints as its name, on streams and by fmt.
template <class Value>
void check_printing(Value value, const std::string& name) {
  std::ostringstream stream;
  stream << value << '.';
  CHECK(stream.str() == name + ".");
  std::wostringstream wide;
  wide << value;
  CHECK(wide.str() == std::wstring(name.begin(), name.end()));
  CHECK(fmt::format("{}", value) == name);
  CHECK(fmt::format("{:>24}|", value) == fmt::format("{:>24}|", name));
}

/// Each name gives its choice, in any case, with nothing before or behind it; and the parser knows no other.
template <class Choice, class Parse, class Named>
void check_names(const std::map<std::string, Choice>& table, std::span<const std::string_view> names, Parse parse,
                 Named named) {
  for (const auto& [name, choice] : table) {
    INFO(name);
    CHECK(parse(name) == choice);
    CHECK(parse(upper(name)) == choice);
    CHECK(parse(upper(name.substr(0, 1)) + name.substr(1)) == choice);
    CHECK_FALSE(parse(name + " ").has_value());
    CHECK_FALSE(parse(" " + name).has_value());
    CHECK_FALSE(parse(name.substr(1)) == choice);
    CHECK(parse(onefold::name_of(choice)) == choice);
    CHECK(named(name) == choice);
    CHECK(named(upper(name)) == choice);
    check_printing(choice, onefold::name_of(choice));
  }
  CHECK(names.size() == table.size());
  for (const auto name : names) CHECK(table.count(std::string(name)) == 1);
  std::string list;
  for (const auto name : names) list.append(list.empty() ? " " : ", ").append(name);
  for (const char* word : {"", "?", "\xff", "nothing"}) {
    CHECK_FALSE(parse(word).has_value());
    const std::string text = message_of([&] { return named(word); });
    CHECK(text.starts_with("unknown "));
    CHECK(text.ends_with("; choices:" + list));
  }
  for (const auto name : names) {
    const std::string wrong = std::string(name) + "q";
    CHECK(message_of([&] {
            return named(wrong);
          }).ends_with("; did you mean " + std::string(name) + "? Choices:" + list));
  }
}

}  // namespace

TEST_CASE("names of backends") {
  check_names<backend>({{"automatic", backend::automatic},
                        {"auto", backend::automatic},
                        {"cpu", backend::cpu},
                        {"cuda", backend::cuda},
                        {"gpu", backend::cuda},
                        {"openmp", backend::openmp},
                        {"omp", backend::openmp},
                        {"tbb", backend::tbb},
                        {"threads", backend::threads},
                        {"sequential", backend::sequential},
                        {"serial", backend::sequential},
                        {"seq", backend::sequential}},
                       onefold::backend_names(), onefold::parse_backend, onefold::backend_named);
  CHECK(onefold::name_of(backend::sequential) == std::string("sequential"));
  CHECK(onefold::name_of(backend::automatic) == std::string("automatic"));
}

TEST_CASE("names of accuracies") {
  check_names<accuracy>({{"native", accuracy::native},
                         {"wide", accuracy::wide},
                         {"double", accuracy::wide},
                         {"kahan", accuracy::kahan},
                         {"exact", accuracy::exact}},
                        onefold::accuracy_names(), onefold::parse_accuracy, onefold::accuracy_named);
}

TEST_CASE("names of instruction sets") {
  check_names<isa>({{"automatic", isa::automatic},
                    {"auto", isa::automatic},
                    {"baseline", isa::baseline},
                    {"x86-64-v2", isa::x86_64_v2},
                    {"v2", isa::x86_64_v2},
                    {"x86-64-v3", isa::x86_64_v3},
                    {"v3", isa::x86_64_v3},
                    {"x86-64-v4", isa::x86_64_v4},
                    {"v4", isa::x86_64_v4}},
                   onefold::isa_names(), onefold::parse_isa, onefold::isa_named);
}

TEST_CASE("names of kernels") {
  using onefold::kernel;
  check_names<kernel>({{"automatic", kernel::automatic},
                       {"auto", kernel::automatic},
                       {"canonical", kernel::canonical},
                       {"global_interleaved", kernel::global_interleaved},
                       {"interleaved", kernel::interleaved},
                       {"sequential_addressing", kernel::sequential_addressing},
                       {"first_add", kernel::first_add},
                       {"unrolled", kernel::unrolled},
                       {"shuffle", kernel::shuffle},
                       {"coarsened", kernel::coarsened}},
                      onefold::kernel_names(), onefold::parse_kernel, onefold::kernel_named);
}

TEST_CASE("every public enumeration prints, and what is none of its values too") {
  using onefold::dtype, onefold::error_code, onefold::accelerator_memory, onefold::cost_class;
  for (int i = 0; i <= static_cast<int>(dtype::other); ++i)
    check_printing(static_cast<dtype>(i), onefold::name_of(static_cast<dtype>(i)));
  check_printing(dtype::boolean, "bool");
  check_printing(error_code::invalid_argument, "invalid_argument");
  check_printing(error_code::empty_input, "empty_input");
  check_printing(error_code::unsupported, "unsupported");
  check_printing(error_code::backend_unavailable, "backend_unavailable");
  check_printing(error_code::device, "device");
  check_printing(error_code::overflow, "overflow");
  check_printing(accelerator_memory::pinned, "pinned");
  check_printing(accelerator_memory::device, "device");
  check_printing(accelerator_memory::managed, "managed");
  check_printing(accelerator_memory::pageable, "pageable");
  check_printing(cost_class::light, "light");
  check_printing(static_cast<dtype>(200), "?");
  check_printing(static_cast<backend>(200), "?");
  check_printing(static_cast<accuracy>(200), "?");
  check_printing(static_cast<isa>(200), "?");
  check_printing(static_cast<onefold::kernel>(200), "?");
  check_printing(static_cast<error_code>(200), "?");
  check_printing(static_cast<accelerator_memory>(200), "?");
}

TEST_CASE("an unknown name is an error that names the nearest one and lists all") {
  CHECK(message_of([] { return onefold::backend_named("opnmp"); }) ==
        "unknown backend \"opnmp\"; did you mean openmp? Choices: automatic, auto, cpu, cuda, gpu, openmp, omp, tbb, "
        "threads, sequential, serial, seq");
  CHECK(message_of([] { return onefold::accuracy_named("qqq"); }) ==
        "unknown accuracy \"qqq\"; choices: native, wide, double, kahan, exact");
  CHECK(message_of([] {
          return onefold::isa_named("avx2");
        }).starts_with("unknown instruction set \"avx2\"; did you mean x86-64-v3? Choices: automatic, "));
  CHECK(message_of([] {
          return onefold::kernel_named("shufle");
        }).starts_with("unknown kernel \"shufle\"; did you mean shuffle? Choices: "));
  CHECK(message_of([] { return onefold::dtype_named("float32"); }) ==
        "unknown element type \"float32\"; did you mean f32? Choices: f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, "
        "u32, u64");
  CHECK(message_of([] {
          return onefold::operation_named("avg");
        }).starts_with("unknown operation \"avg\"; did you mean mean? Choices: sum, "));
}

TEST_CASE("what an error repeats is safe to print") {
  const std::string bidirectional = "\xe2\x80\xae", c1 = "\xc2\x9b";
  const std::string text = message_of(
      [&] { return onefold::backend_named("\x1b[31m\n\x7f" + bidirectional + c1 + "\"" + std::string(1, '\0')); });
  for (const char c : text) CHECK((c >= 0x20 && c < 0x7f));
  CHECK(text.starts_with("unknown backend \"\\x1b[31m\\x0a\\x7f\\u202e\\u009b\"\\x00"));
  const auto shown = [](const std::string& name) {
    const std::string message = message_of([&] { onefold::backend_named(name); });
    return message.substr(0, message.find(';'));
  };
  CHECK(shown("d\xc3\xa9j\xc3\xa0") == "unknown backend \"d\xc3\xa9j\xc3\xa0\"");
  CHECK(shown("a\\x0a") == "unknown backend \"a\\\\x0a\"");
  // Characters that are not seen: a soft hyphen, a zero-width space, an invisible operator, a mark, a tag.
  CHECK(shown("\xc2\xad\xe2\x80\x8b\xe2\x81\xa2\xef\xbb\xbf\xf3\xa0\x81\x81") ==
        "unknown backend \"\\u00ad\\u200b\\u2062\\ufeff\\U000e0041\"");
  // Never cut within a character, nor is what is no UTF-8 shown.
  CHECK(shown(std::string(39, 'x') + "\xc3\xa9") == "unknown backend \"" + std::string(39, 'x') + "...\"");
  CHECK(shown(std::string(38, 'x') + "\xc3\xa9") == "unknown backend \"" + std::string(38, 'x') + "\xc3\xa9\"");
  CHECK(shown(std::string(41, '\xa9')).ends_with("\\xa9...\""));
  const std::string longer = message_of([] { return onefold::backend_named(std::string(1 << 20, 'x')); });
  CHECK(longer.starts_with("unknown backend \"" + std::string(40, 'x') + "...\"; choices: "));
}

TEST_CASE("names of element types and operations") {
  onefold::for_each_type(onefold::element_types{}, [&]<class T>() {
    const std::string name = onefold::name_of(onefold::dtype_of<T>);
    CHECK(onefold::parse_dtype(name) == onefold::dtype_of<T>);
    CHECK(onefold::parse_dtype(upper(name)) == onefold::dtype_of<T>);
    CHECK(onefold::dtype_named(upper(name)) == onefold::dtype_of<T>);
  });
  CHECK(onefold::dtype_names().size() == onefold::element_types::size);
  CHECK_FALSE(onefold::parse_dtype("bool").has_value());
  CHECK_FALSE(onefold::parse_dtype("f3").has_value());
  onefold::for_each_type(onefold::operations{}, [&]<class Op>() {
    CHECK(onefold::find_operation(Op::name) == onefold::operation_index<Op>);
    CHECK(onefold::find_operation(upper(std::string(Op::name))) == onefold::operation_index<Op>);
    CHECK(onefold::operation_named(upper(std::string(Op::name))) == onefold::operation_index<Op>);
  });
  CHECK(onefold::find_operation("") == -1);
  CHECK(onefold::find_operation("summ") == -1);
}

TEST_CASE("values outside the enumerations") {
  using onefold::dtype;
  for (int value = 0; value < 256; ++value) {
    INFO(value);
    const auto name_is = [&](const char* name, int last) { return (name == std::string("?")) == (value > last); };
    CHECK(name_is(onefold::name_of(static_cast<backend>(value)), static_cast<int>(backend::sequential)));
    CHECK(name_is(onefold::name_of(static_cast<accuracy>(value)), static_cast<int>(accuracy::exact)));
    CHECK(name_is(onefold::name_of(static_cast<isa>(value)), static_cast<int>(isa::x86_64_v4)));
    CHECK(name_is(onefold::name_of(static_cast<onefold::kernel>(value)), static_cast<int>(onefold::kernel::coarsened)));
    CHECK(name_is(onefold::name_of(static_cast<onefold::cost_class>(value)), onefold::priced_classes));
    const auto type = static_cast<dtype>(value);
    CHECK(name_is(onefold::name_of(type), static_cast<int>(dtype::other)));
    CHECK((onefold::size_of(type) > 0) == (type < dtype::other));
    const onefold::scalar number{"value", type, 1};
    CHECK((number.text() == "?") == (type >= dtype::other));
    CHECK((number.hex() == "?") == (type >= dtype::other));
    if (value >= onefold::element_types::size) CHECK(onefold::why_not(0, type, accuracy::native) != nullptr);
    if (value >= onefold::accuracy_count) {
      const auto mode = static_cast<accuracy>(value);
      CHECK(onefold::why_not(0, dtype::f32, mode) != nullptr);
      CHECK(std::isinf(onefold::sum_error_bound<float>(mode, 10, 1, 1)));
      const std::vector<double> x{1, 2};
      onefold::exact_sum<double> sum;
      CHECK_THROWS_AS(sum.push(x, {.accuracy = mode}), onefold::error);
      CHECK_THROWS_AS(onefold::exact_dot<double>(x, x, {.accuracy = mode}), onefold::error);
      CHECK(std::isinf(onefold::mean_error_bound<double>(mode, 10, 1, 1)));
    }
    onefold::run_report r;
    r.backend = static_cast<backend>(value);
    r.isa = static_cast<isa>(value);
    r.accuracy = static_cast<accuracy>(value);
    r.declined.push_back({r.backend, "why"});
    r.estimates.push_back({r.backend, 1, 1, 1});
    CHECK(r.text().size() > 0);
  }
  for (const int operation : {-1, onefold::operations::size, 1 << 30})
    CHECK(onefold::why_not(operation, dtype::f32, accuracy::native) != nullptr);
}

TEST_CASE("the nearest name") {
  using onefold::nearest_name;
  CHECK(nearest_name("opnmp", onefold::backend_names()) == "openmp");
  CHECK(nearest_name("SEQUENTAL", onefold::backend_names()) == "sequential");
  CHECK(nearest_name("tbbb", onefold::backend_names()) == "tbb");
  CHECK(nearest_name("khan", onefold::accuracy_names()) == "kahan");
  CHECK(nearest_name("x86_64_v3", onefold::isa_names()) == "x86-64-v3");
  CHECK(nearest_name("float32", onefold::dtype_names()) == "f32");
  CHECK(nearest_name("word", {}).empty());
  // One letter too few or too many is nearer than two wrong ones.
  const std::string_view longer[] = {"cd", "abx"}, shorter[] = {"cdx", "ab"};
  CHECK(nearest_name("ab", longer) == "abx");
  CHECK(nearest_name("abx", shorter) == "ab");
  // One wrong letter is nearer than two too few.
  const std::string_view wrong[] = {"yabxz", "abz"};
  CHECK(nearest_name("abx", wrong) == "abz");
  // Two letters in each other's place are one slip.
  const std::string_view swapped[] = {"argmin", "argmax"};
  CHECK(nearest_name("argmxa", swapped) == "argmax");
  // An abbreviation is nearer than any slip, and of several names the shortest.
  const std::string_view begun[] = {"--isa", "--accuracies", "--accuracy"};
  CHECK(nearest_name("--acc", begun) == "--accuracy");
  CHECK(nearest_name("--ACC", begun) == "--accuracy");
  // What is not near is not meant.
  CHECK(nearest_name("", begun).empty());
  CHECK(nearest_name(std::string(1 << 20, 'x'), begun).empty());
  CHECK(nearest_name("help", begun).empty());
  CHECK(nearest_name("accuracy", begun) == "--accuracy");
  CHECK(nearest_name("zzz", onefold::backend_names()).empty());
  CHECK(nearest_name("opencl", onefold::backend_names()).empty());
  CHECK(nearest_name("metal", onefold::backend_names()).empty());
  const std::string_view single[] = {"a", "b"};
  CHECK(nearest_name("x", single).empty());
}

TEST_CASE("the range is a statistic where there are statistics, and otherwise minmax") {
  constexpr std::string_view statistics[] = {"min", "ptp"}, operations[] = {"min", "minmax"},
                             both[] = {"minmax", "ptp"};
  CHECK(onefold::nearest_name("range", statistics) == "ptp");
  CHECK(onefold::nearest_name("range", operations) == "minmax");
  CHECK(onefold::nearest_name("range", both) == "ptp");
}

TEST_CASE("words from elsewhere are known") {
  std::vector<std::string_view> operations;
  for (const auto& op : onefold::operation_infos()) operations.push_back(op.name);
  const std::map<std::string, std::string> meant = {{"avg", "mean"},        {"average", "mean"},
                                                    {"std", "stddev"},      {"var", "variance"},
                                                    {"len", "count"},       {"size", "count"},
                                                    {"total", "sum"},       {"nansum", "sum"},
                                                    {"mul", "product"},     {"prod", "product"},
                                                    {"norm", "norm2"},      {"maximum", "max"},
                                                    {"amax", "max"},        {"minimum", "min"},
                                                    {"amin", "min"},        {"nanmin", "fmin"},
                                                    {"nanmax", "fmax"},     {"max_element", "argmax"},
                                                    {"logical_and", "all"}, {"xor", "bit_xor"},
                                                    {"AVG", "mean"},        {"stdev", "stddev"},
                                                    {"medain", ""},         {"median", ""},
                                                    {"histogram", ""},      {"", ""}};
  for (const auto& [word, name] : meant) {
    INFO(word);
    CHECK(onefold::nearest_name(word, operations) == name);
  }
  // Only where the name can be chosen.
  CHECK(onefold::nearest_name("avg", onefold::backend_names()).empty());
  CHECK(onefold::nearest_name("single", onefold::backend_names()) == "sequential");
  CHECK(onefold::nearest_name("single", onefold::dtype_names()) == "f32");
}
