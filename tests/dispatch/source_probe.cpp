// Reduces by operations as text, in a process whose environment a test chose, and says what came of it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"

/// The arguments: what to compile, and how many times it is planned.
int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "cubes";
  onefold::source_operation operation{.name = "cubes", .text = R"(
struct cubes {
  struct state { float sum; };
  static constexpr state identity() { return {0}; }
  static constexpr state lift(float x) { return {x * x * x}; }
  static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
  static constexpr float finish(state s) { return s.sum; }
};
)"};
  if (what == "broken") operation.text.replace(operation.text.find("a.sum"), 5, "a.sun");
  if (what == "hosted") operation.text.insert(0, "\n#include <string>");
  if (what == "packed")
    operation.text = R"(
struct cubes {
  template <class V>
  struct state { V sum; };
  template <class V>
  static constexpr state<V> identity() { return {V{}}; }
  template <class V>
  static constexpr state<V> lift(V x) { return {x * x * x}; }
  template <class V>
  static constexpr state<V> combine(state<V> a, state<V> b) { return {a.sum + b.sum}; }
  static constexpr float finish(state<float> s) { return s.sum; }
};
)";
  const char* const named = std::getenv("PROBE_BACKEND");
  onefold::options how{.backend = onefold::backend_named(named ? named : "sequential")};
  try {
    const std::vector<float> data{1, 2, 3};
    const onefold::dynamic_result r = onefold::reduce_dynamic(operation, data.data(), 3, how);
    std::printf("%s by %s with %s\n", r.values.front().text().c_str(), onefold::name_of(r.ran.backend),
                onefold::name_of(r.ran.isa));
  } catch (const onefold::error& e) {
    std::printf("error %s: %s\n", onefold::name_of(e.code()), e.what());
  }
}
