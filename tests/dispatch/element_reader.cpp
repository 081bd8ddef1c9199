// Readers of files and pipes: every element in its place, whatever the length, in little memory; and reductions.
#include "dispatch/element_reader.hpp"

#include <fcntl.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <utility>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

using namespace dispatch;

TEST_CASE("raw elements of every type") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    const std::string bytes = random_bytes(block + 5 * sizeof(T));
    const scratch_file file(bytes);
    element_reader<T> from(file.path());
    CHECK(!from.is_npy());
    CHECK(rest_of(from) == bytes);
    CHECK(rest_of(element_reader<T>(file.path(), {.offset = 1, .count = 3})) == bytes.substr(1, 3 * sizeof(T)));
  });
  enum class color : std::uint16_t { red, green };
  const std::vector<color> colors{color::green, color::red};
  CHECK(rest_of(element_reader<color>(scratch_file(bytes_of(colors)).path())) == bytes_of(colors));
}

TEST_CASE("files of any length, and the same from a pipe") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, std::size_t{16}, block - 8, block, block + 8,
                                 2 * block, 3 * block - 8, 3 * block, 3 * block + 8, 7 * block + 24}) {
    INFO(size);
    const std::string bytes = random_bytes(size);
    const scratch_file file(bytes);
    CHECK(rest_of(element_reader<double>(file.path())) == bytes);
    for (const std::size_t step : {std::size_t{999'999}, 2 * block}) {
      const fed_pipe piped(bytes, step);
      CHECK(rest_of(element_reader<double>(piped.end())) == bytes);
    }
  }
}

TEST_CASE("a part of a raw file") {
  const std::string bytes = random_bytes(2 * block + 1001);
  const scratch_file file(bytes);
  const auto part = [&](std::size_t offset, std::size_t count) {
    INFO(offset << ' ' << count);
    const onefold::raw_elements which{.offset = static_cast<std::int64_t>(offset),
                                      .count = static_cast<std::int64_t>(count)};
    const std::string expected = bytes.substr(offset, 4 * count);
    CHECK(rest_of(element_reader<float>(file.path(), which)) == expected);
    const fed_pipe piped(bytes, 99'999);
    CHECK(rest_of(element_reader<float>(piped.end(), which)) == expected);
  };
  part(0, 0);
  part(0, 5);
  part(3, block / 4);
  part(block + 1, block / 4 + 250);
  part(bytes.size(), 0);
  CHECK(rest_of(element_reader<float>(file.path(), {.offset = 1001})) == bytes.substr(1001));

  // An .npy file's bytes, header and all.
  const std::string npy = npy_start(npy_text("'<f4'", "(1,)") + "  ") + "1234";
  CHECK(rest_of(element_reader<std::uint8_t>(scratch_file(npy).path(), onefold::raw_elements{})) == npy);
}

TEST_CASE("a descriptor is read from where it stands, and stays open") {
  const std::string bytes = random_bytes(4000);
  const scratch_file file(bytes);
  const int descriptor = open(file.path().c_str(), O_RDONLY);
  REQUIRE(lseek(descriptor, 400, SEEK_SET) == 400);
  CHECK(rest_of(element_reader<float>(descriptor, {.offset = 4, .count = 10})) == bytes.substr(404, 40));
  // Nothing after the elements that were wanted was read.
  CHECK(lseek(descriptor, 0, SEEK_CUR) == 444);
  CHECK(rest_of(element_reader<float>(descriptor)) == bytes.substr(444));
  CHECK(close(descriptor) == 0);
}

TEST_CASE("a file that becomes shorter while it is read") {
  const scratch_file file(random_bytes(16 * block));
  element_reader<float> from(file.path());
  REQUIRE(from.next().size_bytes() == block);
  REQUIRE(from.next().size_bytes() == block);
  std::filesystem::resize_file(file.path(), block);
  support::check_error(error_code::invalid_argument,
                       "expected 67108864 bytes, found the end: the file became shorter while it was read",
                       [&] { rest_of(from); });
}

#ifndef __SANITIZE_THREAD__  // which calls it a race that a descriptor is closed behind the reader's back
TEST_CASE("a file that cannot be read on is never taken for a shorter one") {
  const scratch_file file(random_bytes(16 * block));
  const int descriptor = open(file.path().c_str(), O_RDONLY);
  element_reader<float> from(descriptor);
  for (int i = 0; i < 2; ++i) REQUIRE(from.next().size_bytes() == block);
  close(descriptor);
  for (int turn = 0; turn < 2; ++turn)
    support::check_error(error_code::invalid_argument, "cannot be read: Bad file descriptor", [&] { rest_of(from); });
  CHECK(from.count() < 16 * static_cast<std::int64_t>(block / sizeof(float)));
}
#endif

TEST_CASE("files that cannot be read, and arguments that make no sense") {
  using reader = onefold::dynamic_element_reader;
  constexpr auto f32 = onefold::dtype::f32;
  const auto refused = [](const std::string& words, auto f) {
    support::check_error(error_code::invalid_argument, words, f);
  };
  refused("/none/a\\x0ab: cannot be opened: No such file or directory", [] { element_reader<float>("/none/a\nb"); });
  refused("\"\": cannot be opened: No such file or directory", [] { element_reader<float>(""); });
  refused("/: cannot be read: Is a directory", [] { element_reader<float>("/"); });
  refused("descriptor -1: cannot be read: Bad file descriptor", [] { element_reader<float>(-1); });
  const scratch_file file("12345678");
  refused("raw elements need a type", [&] { reader{file.path()}; });
  for (const onefold::dtype type : {onefold::dtype::boolean, onefold::dtype::other}) {
    refused(std::string("a file cannot have elements of type ") + name_of(type), [&] { reader(file.path(), type); });
    refused("a file cannot have elements of type", [&] { reader(file.path(), type, {}); });
  }
  refused("the offset is negative: -1", [&] { reader(file.path(), f32, {.offset = -1}); });
  refused("the number of elements is negative: -1", [&] { reader(file.path(), f32, {.count = -1}); });
  refused("2305843009213693952 elements of f32 have more than 2^63 - 1 bytes",
          [&] { reader(file.path(), f32, {.count = std::int64_t{1} << 61}); });
  reader from(file.path(), f32);
  const reader other(std::move(from));
  CHECK(other.element() == f32);
  refused("was moved from", [&] { from.next(); });  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("a reader that waits for a pipe can be destroyed") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::thread writer([&] { support::write_all(ends[1], std::string(2 * block + 8, 'x')); });
  std::chrono::steady_clock::time_point begin;
  {
    element_reader<double> from(ends[0]);
    for (int i = 0; i < 2; ++i) REQUIRE(from.next().size_bytes() == block);
    writer.join();
    begin = std::chrono::steady_clock::now();
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("memory does not grow with the file") {
  const auto resident = [] {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    return pages * sysconf(_SC_PAGESIZE);
  };
  const scratch_file file("");
  std::filesystem::resize_file(file.path(), 32 * block);
  malloc_trim(0);
  const long before = resident();
  element_reader<std::uint64_t> from(file.path());
  long most = before;
  while (!from.next().empty()) most = std::max(most, resident());
  CHECK(from.count() == 32 * block / sizeof(std::uint64_t));
#ifdef __SANITIZE_THREAD__
  constexpr long shadow = 5;  // bytes of memory for one of the program's
#else
  constexpr long shadow = 1;
#endif
  CHECK(most - before < shadow * static_cast<long>(4 * block));
}

TEST_CASE("reductions of files have the bits of reduce") {
  const auto how = support::on_backend();
  std::vector<float> x(3'000'001);
  support::random_numbers r(7);
  for (float& value : x) value = static_cast<float>(r.sign() * r.uniform(0, 1));
  const scratch_file raw(bytes_of(x));
  const scratch_file npy(npy_start(npy_text("'<f4'", "(3000001,)")) + std::string(bytes_of(x)));
  for (const std::string& path : {raw.path(), npy.path()}) {
    CHECK(support::bits_of(onefold::reduce_file<float, onefold::op::sum>(path, how)) ==
          support::bits_of(onefold::reduce<float, onefold::op::sum>(x, how)));
    CHECK(onefold::reduce_file<float, onefold::op::argmax>(path, how) ==
          onefold::reduce<float, onefold::op::argmax>(x, how));
    auto exact = how;
    exact.accuracy = onefold::accuracy::exact;
    exact.init = 3;
    CHECK(support::bits_of(onefold::reduce_file<float, onefold::op::sum, double>(path, exact)) ==
          support::bits_of(onefold::reduce<float, onefold::op::sum, double>(x, exact)));
  }
  support::check_error(error_code::empty_input, "",
                       [&] { onefold::reduce_file<float, onefold::op::max>(scratch_file("").path(), how); });

  // A file that goes on where another one ends.
  const auto half = std::ptrdiff_t{1'234'567};
  const scratch_file first(bytes_of(std::span(x).first(half))), second(bytes_of(std::span(x).subspan(half)));
  const auto left = onefold::partial_of_file<float, onefold::op::sum>(first.path(), 0, how);
  const auto right = onefold::partial_of_file<float, onefold::op::sum>(second.path(), left.end(), how);
  CHECK(right.begin() == half);
  CHECK(support::bits_of(join(left, right).result()) ==
        support::bits_of(onefold::reduce<float, onefold::op::sum>(x, how)));

  // Several operations read it once.
  onefold::accumulator<float, onefold::op::min> least(how);
  onefold::accumulator<float, onefold::op::mean> mean(how);
  element_reader<float> from(raw.path());
  from.push_to(least, mean);
  CHECK(from.count() == std::ssize(x));
  CHECK(least.result() == onefold::reduce<float, onefold::op::min>(x, how));
  CHECK(support::bits_of(mean.result()) == support::bits_of(onefold::reduce<float, onefold::op::mean>(x, how)));
}
