// Readers of .npy files: of every kind; and no wrong file, raw ones too, is taken for a right one.
#include <algorithm>
#include <utility>
#include <vector>

#include "dispatch/element_reader.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/errors.hpp"

using namespace dispatch;

namespace {

/// Checks that the file is refused when it is opened, with the file's name and these words.
void check_refused(std::string_view content, const std::string& words, onefold::dtype type = onefold::dtype::f32) {
  const scratch_file file(content);
  INFO(words);
  support::check_error(error_code::invalid_argument, file.path() + ": ",
                       [&] { onefold::dynamic_element_reader(file.path(), type); });
  support::check_error(error_code::invalid_argument, words,
                       [&] { onefold::dynamic_element_reader(file.path(), type); });
}

/// Checks that n elements come, and then, each time, an error with these words.
void check_ends(onefold::dynamic_element_reader from, std::int64_t n, const std::string& words) {
  for (int turn = 0; turn < 3; ++turn) {
    support::check_error(error_code::invalid_argument, words, [&] {
      while (from.next().n > 0) {
      }
    });
    CHECK(from.count() == n);
  }
}

}  // namespace

TEST_CASE("npy files of every type, version and byte order") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    const std::string bytes = random_bytes(6 * sizeof(T));
    std::string other = bytes;
    for (std::size_t at = 0; at < other.size(); at += sizeof(T))
      std::reverse(other.begin() + static_cast<std::ptrdiff_t>(at),
                   other.begin() + static_cast<std::ptrdiff_t>(at + sizeof(T)));
    for (const int version : {1, 2, 3})
      for (const bool swapped : {false, true}) {
        const std::string type = std::string("'").append(support::npy_type(onefold::dtype_of<T>, swapped)).append("'");
        const std::string content = npy_start(npy_text(type, "(2, 3)", swapped), version);
        const scratch_file file(content + (swapped ? other : bytes));
        element_reader<T> from(file.path());
        CHECK(from.is_npy());
        CHECK(from.shape() == std::vector<std::int64_t>{2, 3});
        CHECK(from.fortran() == swapped);
        CHECK(rest_of(from) == bytes);
      }
  });
}

TEST_CASE("npy files of any shape and length") {
  const std::pair<const char*, std::size_t> shapes[] = {
      {"()", 1}, {"(6,)", 6}, {"(0,)", 0}, {"(0, 4611686018427387904)", 0}};
  for (const auto& [shape, count] : shapes) {
    const std::string bytes = random_bytes(count * 4);
    CHECK(rest_of(element_reader<float>(scratch_file(npy_start(npy_text("'<f4'", shape)) + bytes).path())) == bytes);
  }
  for (const std::size_t size : {block - 4, block, block + 4, 4 * block + 4}) {
    const std::string bytes = random_bytes(size);
    const std::string content =
        npy_start(npy_text("'<u4'", std::string("(").append(std::to_string(size / 4)).append(",)")) +
                  std::string(1000, ' ')) +
        bytes;
    CHECK(rest_of(element_reader<std::uint32_t>(scratch_file(content).path())) == bytes);
    const fed_pipe piped(content, 12345);
    CHECK(rest_of(element_reader<std::uint32_t>(piped.end())) == bytes);
  }
  // Truth values are u8.
  CHECK(rest_of(element_reader<std::uint8_t>(scratch_file(npy_start(npy_text("'|b1'", "(2,)")) + "\1\2").path())) ==
        "\1\2");
}

TEST_CASE("headers that are damaged or of another type") {
  const auto header = [](std::string_view descr, std::string_view shape = "(1,)") {
    return npy_start(npy_text(descr, shape)) + std::string(64, '\0');
  };
  const std::string whole = header("'<f4'");
  for (const std::size_t size : {std::size_t{6}, std::size_t{7}, std::size_t{8}, std::size_t{9}, std::size_t{10},
                                 std::size_t{11}, std::size_t{40}})
    check_refused(whole.substr(0, size), "byte offset " + std::to_string(size) + ": expected");
  check_refused(whole.substr(0, 6) + "\4" + std::string(1, '\0') + whole.substr(8), "found 4.0");
  check_refused(npy_start("", 2, 0xffffffff), "byte offset 8: expected a header of at most 1048576 bytes");
  check_refused(npy_start("{'descr'", 1, 60000), "byte offset 18: expected a header of 60010 bytes, found the end");
  for (const char* descr : {"'|O'", "'<U5'", "'<c8'", "'<M8[ns]'", "'|V8'", "'<f16'", "'<i3'", "''", "'<'", "'|b2'"})
    check_refused(header(descr), "byte offset 20: expected a numeric type (f2");
  check_refused(header("[('a', '<f4')]"), "not a structured one");
  const std::pair<const char*, const char*> shapes[] = {{"(-1,)", "a length from 0"},
                                                        {"(99999999999999999999,)", "below 2^63"},
                                                        {"(9223372036854775807,)", "2^63 bytes"},
                                                        {"(4294967296, 4294967296)", "2^63 bytes, found \"(42"},
                                                        {"(3)", "',' in a shape of one length"},
                                                        {"[3]", "'('"}};
  for (const auto& [shape, words] : shapes)
    check_refused(header("'<f4'", shape), shape[1] == '4' ? "2^63 bytes, found (4294967296, 4294967296)" : words);
  for (const char* text :
       {"", "{", "}", "{}", "[]", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': 1, 'shape': ()}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x"})
    check_refused(npy_start(text) + "1234", "expected");
  check_refused(header("'<f8'"), "holds elements of f64, not of f32");
  check_refused(header("'<V2'"), "V2 is read as bf16");
}

TEST_CASE("files that are too short or too long") {
  const auto raw = [](std::size_t size) { return scratch_file(random_bytes(size)); };
  using reader = onefold::dynamic_element_reader;
  constexpr auto f32 = onefold::dtype::f32;
  check_ends(reader(raw(10).path(), f32), 2,
             "byte offset 8: expected a multiple of 4 bytes (raw f32), found the end after 10");
  check_ends(reader(raw(block + 1).path(), f32), block / 4, "found the end after 4194305");
  check_ends(reader(raw(100).path(), f32, {.offset = 40, .count = 16}), 15,
             "byte offset 100: expected 64 bytes of elements (16 of f32), found the end after 60");
  const std::string header = npy_start(npy_text("'<f4'", "(1000,)"));
  const std::string at = std::to_string(header.size());
  check_ends(reader(scratch_file(header + random_bytes(402)).path()), 100,
             "byte offset " + std::to_string(header.size() + 402) +
                 ": expected 4000 bytes of elements (1000 of f32), found the end after 402");
  for (const std::size_t more : {std::size_t{1}, std::size_t{4}, block, 2 * block})
    check_ends(reader(scratch_file(header + random_bytes(4000 + more)).path()), 1000,
               "byte offset " + std::to_string(header.size() + 4000) +
                   ": expected the end after 1000 elements, found more bytes");
  // The same at the end of a piece.
  const std::string full = npy_start(npy_text("'<f4'", "(1048576,)"));
  check_ends(reader(scratch_file(full + random_bytes(block + 1)).path()), block / 4, "found more bytes");
  check_ends(reader(scratch_file(full + random_bytes(block - 4)).path()), block / 4 - 1, "found the end after 4194300");

  support::check_error(error_code::invalid_argument, "byte offset 100: expected 101 bytes before the first element",
                       [&] { reader(raw(100).path(), f32, {.offset = 101}); });
  const fed_pipe piped("1234", 4);
  support::check_error(error_code::invalid_argument,
                       "descriptor " + std::to_string(piped.end()) + ": byte offset 4: expected 5 bytes before",
                       [&] { reader(piped.end(), f32, {.offset = 5}); });
}

TEST_CASE("a type that the file's header says") {
  const std::vector<double> x{3, 1, 2};
  onefold::dynamic_element_reader from(
      scratch_file(npy_start(npy_text("'<f8'", "(3,)")) + std::string(bytes_of(x))).path());
  REQUIRE(from.element() == onefold::dtype::f64);
  onefold::dynamic_accumulator sum(onefold::operation_named("sum"), from.element(), support::on_backend());
  for (onefold::element_piece piece = from.next(); piece.n > 0; piece = from.next()) sum.push(piece.data, piece.n);
  CHECK(sum.result().front().text() == "6");
}
