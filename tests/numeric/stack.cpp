// What a call needs of its thread's stack: at most 16 KiB, and 20 KiB for computed elements at accuracy exact, whatever
// the operation, its accuracy and the instruction set.
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/instrumented.hpp"

#if ONEFOLD_TEST_SANITIZED
TEST_CASE("a call needs at most 16 KiB of stack") { support::skip("instrumented code needs more stack"); }
#else
namespace {

constexpr std::size_t stack_size = 1 << 20;
constexpr int paint = 0xa5;

/// Runs f on a thread of its own and returns how many bytes of the thread's stack were written.
template <class F>
std::size_t stack_of(F f) {
  void* const memory = mmap(nullptr, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  std::memset(memory, paint, stack_size);
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstack(&attributes, memory, stack_size) == 0);
  pthread_t thread;
  const auto start = [](void* context) -> void* { return (*static_cast<F*>(context))(), nullptr; };
  REQUIRE(pthread_create(&thread, &attributes, start, &f) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  const auto *bytes = static_cast<const unsigned char*>(memory), *end = bytes + stack_size;
  const auto* lowest = std::find_if(bytes, end, [](unsigned char b) { return b != paint; });
  const auto used = static_cast<std::size_t>(end - lowest);
  munmap(memory, stack_size);
  return used;
}

}  // namespace

TEST_CASE("a call needs at most 16 KiB of stack") {
  constexpr std::size_t most = 16 << 10;
  // Read as each of the element types; of f64, some have far apart exponents, which exact sums put into bins.
  std::vector<double> data(3 * 16384 + 77, 1.5);
  for (std::size_t i = 1; i < data.size(); i += 3) data[i] = i % 2 ? 1e300 : 1e-300;
  const auto all = static_cast<std::int64_t>(data.size());
  const std::size_t idle = stack_of([] {});
  for (const onefold::isa level : support::levels_under_test()) {
    onefold::options how;
    how.backend = onefold::backend::sequential;
    how.isa = level;
    for (int operation = 0; operation < static_cast<int>(onefold::operation_infos().size()); ++operation)
      for (int type = 0; type < onefold::element_types::size; ++type)
        for (int mode = 0; mode < onefold::accuracy_count; ++mode) {
          how.accuracy = static_cast<onefold::accuracy>(mode);
          const auto element = static_cast<onefold::dtype>(type);
          if (onefold::why_not(operation, element, how.accuracy)) continue;
          bool failed = false;
          const std::size_t used = stack_of([&] {
            try {
              for (const std::int64_t n : {std::int64_t{5}, std::int64_t{3000}, all})
                onefold::reduce_dynamic(operation, element, data.data(), n, how);
            } catch (const onefold::error& e) {
              failed = e.code() != onefold::error_code::overflow;  // that an exact sum of integers may do
            }
          });
          INFO(onefold::operation_infos()[static_cast<std::size_t>(operation)].name
               << " of type " << type << ", accuracy " << mode << ", " << level);
          CHECK(!failed);
          CHECK(used - idle <= most);
        }
  }
  CHECK(stack_of([&] { onefold::exact_sum<double>().push(data); }) - idle <= most);
  CHECK(stack_of([&] { onefold::exact_moments<double>().push(data); }) - idle <= most);
  CHECK(stack_of([&] { static_cast<void>(onefold::exact_dot<double>(data, data)); }) - idle <= most);
}

TEST_CASE("and 20 KiB for computed elements at accuracy exact") {
  constexpr std::size_t most = 20 << 10;
  const auto check = [&]<class T>(T large) {
    std::vector<T> x(70'000, T(1.5)), y(x.size(), T(0.75));
    for (std::size_t i = 1; i < x.size(); i += 3) x[i] = i % 2 ? large : 1 / large;
    const auto itself = [](T v) { return v; };
    const std::size_t idle = stack_of([] {});
    for (const onefold::isa level : support::levels_under_test())
      for (const std::size_t n : {std::size_t{5}, std::size_t{500}, std::size_t{2000}, x.size()}) {
        const onefold::options how{
            .backend = onefold::backend::sequential, .accuracy = onefold::accuracy::exact, .isa = level};
        const auto part = std::span(x).first(n), other = std::span(y).first(n);
        INFO(n << " elements of " << sizeof(T) << " bytes, " << level);
        CHECK(stack_of([&] { static_cast<void>(onefold::sum(part, itself, how)); }) - idle <= most);
        CHECK(stack_of([&] { static_cast<void>(onefold::norm2(part, itself, how)); }) - idle <= most);
        CHECK(stack_of([&] { static_cast<void>(onefold::dot(part, other, how)); }) - idle <= most);
      }
  };
  check(1e30f);
  check(1e300);
}
#endif
