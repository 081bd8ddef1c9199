// The names of the choices: every alias in any case, and the nearest name.
#include <map>

#include "onefold/onefold.hpp"
#include "support/catch.hpp"

using onefold::accuracy;
using onefold::backend;
using onefold::isa;

namespace {

std::string upper(std::string word) {
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

/// Each name gives its choice, in any case, with nothing before or behind it; and the parser knows no other.
template <class Choice, class Parse>
void check_names(const std::map<std::string, Choice>& table, std::span<const std::string_view> names, Parse parse) {
  for (const auto& [name, choice] : table) {
    INFO(name);
    CHECK(parse(name) == choice);
    CHECK(parse(upper(name)) == choice);
    CHECK(parse(upper(name.substr(0, 1)) + name.substr(1)) == choice);
    CHECK_FALSE(parse(name + " ").has_value());
    CHECK_FALSE(parse(" " + name).has_value());
    CHECK_FALSE(parse(name.substr(1)) == choice);
    CHECK(parse(onefold::name_of(choice)) == choice);
  }
  CHECK(names.size() == table.size());
  for (const auto name : names) CHECK(table.count(std::string(name)) == 1);
  for (const char* word : {"", "?", "\xff", "nothing"}) CHECK_FALSE(parse(word).has_value());
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
                        {"sequential", backend::sequential},
                        {"serial", backend::sequential},
                        {"seq", backend::sequential}},
                       onefold::backend_names(), onefold::parse_backend);
  CHECK(onefold::name_of(backend::sequential) == std::string("sequential"));
  CHECK(onefold::name_of(backend::automatic) == std::string("automatic"));
}

TEST_CASE("names of accuracies") {
  check_names<accuracy>({{"native", accuracy::native},
                         {"wide", accuracy::wide},
                         {"double", accuracy::wide},
                         {"kahan", accuracy::kahan},
                         {"exact", accuracy::exact}},
                        onefold::accuracy_names(), onefold::parse_accuracy);
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
                   onefold::isa_names(), onefold::parse_isa);
}

TEST_CASE("names of element types and operations") {
  onefold::for_each_type(onefold::element_types{}, [&]<class T>() {
    const std::string name = onefold::name_of(onefold::dtype_of<T>);
    CHECK(onefold::parse_dtype(name) == onefold::dtype_of<T>);
    CHECK(onefold::parse_dtype(upper(name)) == onefold::dtype_of<T>);
  });
  CHECK(onefold::dtype_names().size() == onefold::element_types::size);
  CHECK_FALSE(onefold::parse_dtype("bool").has_value());
  CHECK_FALSE(onefold::parse_dtype("f3").has_value());
  onefold::for_each_type(onefold::operations{}, [&]<class Op>() {
    CHECK(onefold::find_operation(Op::name) == onefold::operation_index<Op>);
    CHECK(onefold::find_operation(upper(std::string(Op::name))) == onefold::operation_index<Op>);
  });
  CHECK(onefold::find_operation("") == -1);
  CHECK(onefold::find_operation("summ") == -1);
}

TEST_CASE("the nearest name") {
  using onefold::nearest_name;
  CHECK(nearest_name("opnmp", onefold::backend_names()) == "openmp");
  CHECK(nearest_name("SEQUENTAL", onefold::backend_names()) == "sequential");
  CHECK(nearest_name("tbbb", onefold::backend_names()) == "tbb");
  CHECK(nearest_name("khan", onefold::accuracy_names()) == "kahan");
  CHECK(nearest_name("x86_64_v3", onefold::isa_names()) == "x86-64-v3");
  CHECK(nearest_name("float32", onefold::dtype_names()).size() > 0);
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
  CHECK(nearest_name("", begun) == "--isa");
  CHECK(nearest_name(std::string(1 << 20, 'x'), begun).size() > 0);
}
