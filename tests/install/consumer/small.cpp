// With a library of i8 and the least level alone: what is built works, what is left out says so, and profiles are read.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"
#include "onefold/profile.hpp"

namespace {

int wrong = 0;

void expect(bool holds, const std::string& what) {
  std::printf("%s: %s\n", holds ? "ok" : "WRONG", what.c_str());
  wrong += !holds;
}

template <class T>
void expect_refusal(const onefold::options& how, const std::string& option) {
  const std::vector<T> data(100, T(1));
  const auto r = onefold::try_reduce<T, onefold::op::sum>(data, how);
  const std::string said = r ? "a result" : r.error().what();
  expect(said.find(option) != std::string::npos, said);
}

}  // namespace

int main(int, char** argv) {
  const std::string path = argv[1];
  std::ofstream(path) << onefold::to_json(onefold::builtin_profile());
  setenv("ONEFOLD_PROFILE", path.c_str(), 1);

  const std::vector<std::int8_t> data(100000, 3);
  expect(onefold::sum(data) == 300000, "sum of i8");
  expect(onefold::max(data) == 3, "max of i8");
  expect_refusal<float>({}, "ONEFOLD_ELEMENTS");
  expect_refusal<std::uint8_t>({}, "ONEFOLD_ELEMENTS");
  expect(onefold::isas().size() == 1, "one instruction set");
#if defined(__x86_64__)
  for (const auto level : {onefold::isa::x86_64_v3, onefold::isa::x86_64_v4})
    expect_refusal<std::int8_t>({.isa = level}, "ONEFOLD_LEVELS");
#endif
  expect(onefold::profile().source == path, "profile of " + onefold::profile().source);
  return wrong ? 1 : 0;
}
