// An application whose user chooses backend and accuracy; it says what ran and why, and goes on where one is missing.
//
//   choose_backend [--backend NAME] [--accuracy NAME] [--threads N] [--elements N]
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

struct arguments {
  onefold::options how;
  std::size_t elements = 10'000'000;
};

[[noreturn]] void usage(const char* words, std::string_view value) {
  std::fprintf(stderr, "choose_backend: %s: %.*s\n", words, static_cast<int>(value.size()), value.data());
  std::exit(2);
}

template <class Number>
Number number(std::string_view text) {
  Number n{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (problem != std::errc{} || end != text.data() + text.size()) usage("not a number", text);
  return n;
}

// onefold knows the names and aliases of its choices in any case; of an unknown one its error says which was meant.
arguments parse(int argc, char** argv) {
  arguments a;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view flag = argv[i];
    if (i + 1 == argc) usage("a value is missing", flag);
    const std::string_view value = argv[i + 1];
    if (flag == "--backend")
      a.how.backend = onefold::backend_named(value);
    else if (flag == "--accuracy")
      a.how.accuracy = onefold::accuracy_named(value);
    else if (flag == "--threads")
      a.how.threads = number<int>(value);
    else if (flag == "--elements")
      a.elements = number<std::size_t>(value);
    else
      usage("unknown flag", flag);
  }
  return a;
}

void reduce(const std::vector<float>& data, const onefold::options& how) {
  const auto r = onefold::reduce_reported<float, onefold::op::sum>(data, how);
  std::printf("sum %.9g\n%s", static_cast<double>(r.value), r.ran.text().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    arguments a = parse(argc, argv);
    std::vector<float> data(a.elements);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = 1.0f / static_cast<float>(i + 1);
    try {
      reduce(data, a.how);
    } catch (const onefold::error& e) {
      // The library never replaces a backend that was asked for by name. Whether to go on with another is the
      // application's decision; this one does, and says so.
      if (e.code() != onefold::error_code::backend_unavailable) throw;
      std::fprintf(stderr, "choose_backend: %s; going on with the best that can run\n", e.what());
      a.how.backend = onefold::backend::cpu;
      reduce(data, a.how);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "choose_backend: %s\n", e.what());
    return 1;
  }
}
