// Reduces once, as its arguments say, and prints who ran or the error: the tests start it with another environment.
//
//   onefold_probe [backend=B] [accuracy=A] [isa=I] [threads=T] [n=N] [together=K]
//
// together: K threads start at once, as the first users of the library in this process.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

struct wishes {
  onefold::options how;
  std::size_t n = 1 << 20;
  int together = 1;
};

wishes parse(int argc, char** argv) {
  wishes w;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i], name = word.substr(0, word.find('=')), value = word.substr(name.size() + 1);
    if (name == "backend") w.how.backend = onefold::parse_backend(value).value();
    if (name == "accuracy") w.how.accuracy = onefold::parse_accuracy(value).value();
    if (name == "isa") w.how.isa = onefold::parse_isa(value).value();
    if (name == "threads") w.how.threads = std::stoi(value);
    if (name == "n") w.n = std::stoul(value);
    if (name == "together") w.together = std::stoi(value);
  }
  return w;
}

std::string reduce(const wishes& w, const std::vector<float>& data) try {
  const auto r = onefold::reduce_reported<float, onefold::op::sum>(data, w.how);
  return "value " + std::to_string(r.value) + "\n" + r.ran.text();
} catch (const onefold::error& e) {
  static constexpr const char* codes[] = {"invalid_argument", "empty_input", "unsupported", "backend_unavailable",
                                          "device"};
  return std::string("error ") + codes[static_cast<int>(e.code())] + ": " + e.what() + "\n";
}

}  // namespace

int main(int argc, char** argv) {
  const wishes w = parse(argc, argv);
  const std::vector<float> data(w.n, 0.5f);
  std::vector<std::string> texts(static_cast<std::size_t>(w.together));
  {
    std::vector<std::jthread> threads;
    for (std::string& text : texts) threads.emplace_back([&] { text = reduce(w, data); });
  }
  for (const std::string& text : texts)
    if (text != texts[0]) std::cout << "the threads differ: " << text;
  std::cout << texts[0];
  // Whatever happened, the library can be used.
  const std::vector<int> few{1, 2, 3};
  std::cout << "afterwards "
            << onefold::sum(few, {.backend = onefold::backend::sequential, .threads = 1, .isa = onefold::isas()[0]})
            << "\n";
}
