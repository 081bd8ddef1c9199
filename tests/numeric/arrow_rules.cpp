// What Arrow columns refuse, by name, and that everything is released once, also then.
#include <cerrno>
#include <limits>
#include <string>
#include <vector>

#include "onefold/arrow.hpp"
#include "support/arrow_producer.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

namespace {

using onefold::arrow_column;
using onefold::arrow_field;
using onefold::error_code;
using support::arrow_content;
using support::check_error;
namespace op = onefold::op;

arrow_content three_floats(const char* name = "price") {
  return {.format = "f", .name = name, .length = 3, .data = std::vector<unsigned char>(12), .skew = 16};
}

arrow_content table(std::vector<arrow_content> columns) {
  return {.format = "+s", .name = "", .length = 3, .children = std::move(columns)};
}

/// Whatever happens, nothing lives afterwards, and the caller's struct is released.
void refuse_stream(error_code code, const std::string& words, support::arrow_batches from,
                   const arrow_field& field = {}) {
  ArrowArrayStream stream = support::arrow_stream(std::move(from));
  check_error(code, words, [&] {
    arrow_column column(&stream, field);
    static_cast<void>(onefold::reduce<float, op::sum>(column));
  });
  CHECK(stream.release == nullptr);
  CHECK(support::arrow_alive == support::arrow_count{});
}

void refuse_array(const std::string& words, const arrow_content& described, const arrow_content& content,
                  void (*change)(ArrowArray&), const arrow_field& field = {}) {
  ArrowArray array = support::arrow_array(content);
  ArrowSchema schema = support::arrow_schema(described);
  change(array);
  check_error(error_code::invalid_argument, words, [&] {
    arrow_column column(&array, &schema, field);
    while (column.next().n > 0) {
    }
  });
  CHECK(array.release == nullptr);
  CHECK(schema.release == nullptr);
  CHECK(support::arrow_alive == support::arrow_count{});
}

constexpr auto unchanged = [](ArrowArray&) {};

}  // namespace

TEST_CASE("types without numbers are refused, with what to do") {
  const std::pair<const char*, const char*> cases[] = {
      {"tdD", "column \"day\" is of Arrow type date32 (format \"tdD\"), not of numbers; cast it to int32 (days)"},
      {"tdm", "date64 (format \"tdm\"), not of numbers; cast it to int64"},
      {"ttu", "time64"},
      {"tsu:UTC", "timestamp (format \"tsu:UTC\"), not of numbers; cast it to int64"},
      {"tDs", "duration"},
      {"tiM", "interval of months"},
      {"tin", "Arrow type interval (format"},
      {"d:19,2", "decimal (format \"d:19,2\"), not of numbers; cast it to float64"},
      {"n", "null (format"},
      {"u", "type string (format \"u\"), not of numbers; cast it to a number type such as float64"},
      {"vu", "string view"},
      {"w:42", "fixed-size binary"},
      {"+l", "type list (format \"+l\"), not of numbers; flatten it, or reduce its values"},
      {"+vL", "large list view"},
      {"+w:3", "fixed-size list"},
      {"+s", "struct (format"},
      {"+ud:0,1", "union"},
      {"+r", "run-end encoding"},
      {"ff", "has the unknown Arrow format \"ff\"; supported are int8 to int64"},
      {"", "has the unknown Arrow format \"\""},
      {"\x1b[1m", "has the unknown Arrow format \"\\x1b[1m\""},
  };
  for (const auto& [format, words] : cases)
    refuse_stream(error_code::unsupported, words, {.type = table({{.format = format, .name = "day"}})});
  arrow_content encoded = three_floats("city");
  encoded.dictionary = true;
  refuse_stream(error_code::unsupported, "column \"city\" is dictionary-encoded", {.type = table({encoded})});
  refuse_stream(error_code::unsupported, "the column is of Arrow type date32", {.type = {.format = "tdD"}});
}

TEST_CASE("columns are chosen by name or position") {
  const arrow_content both = table({three_floats("price"), three_floats("qty"), three_floats("qty")});
  refuse_stream(error_code::invalid_argument, "unknown column \"prcie\"; did you mean price?", {.type = both}, "prcie");
  refuse_stream(error_code::invalid_argument, "a table of 3 columns; choose one: price, qty, qty", {.type = both});
  refuse_stream(error_code::invalid_argument, "column \"qty\" occurs twice, at positions 1 and 2", {.type = both},
                std::string("qty"));
  refuse_stream(error_code::invalid_argument, "position is 3, but the table has 3 columns, counted from 0",
                {.type = both}, 3);
  refuse_stream(error_code::invalid_argument, "position is -1", {.type = both}, -1);
  refuse_stream(error_code::invalid_argument, "is one column, not a table", {.type = three_floats()}, "price");
  ArrowArrayStream stream = support::arrow_stream({.type = both, .batches = {both}});
  arrow_column third(&stream, 2);
  CHECK(third.name() == "qty");
  CHECK(onefold::reduce<float, op::sum>(third) == 0);
  CHECK(third.count() == 3);
  ArrowArrayStream alone = support::arrow_stream({.type = table({three_floats()})});
  CHECK(arrow_column(&alone).name() == "price");
}

TEST_CASE("a failing stream is an error with its own text, and results of half of it are not given") {
  refuse_stream(error_code::invalid_argument, "the Arrow stream could not be described: Invalid argument: no schema",
                {.type = three_floats(), .schema_failure = EINVAL, .message = "no schema"});
  const support::arrow_batches broken{
      .type = three_floats(), .batches = {three_floats()}, .failure = EIO, .message = "page 3:\n\x1b bad"};
  refuse_stream(error_code::invalid_argument,
                "the Arrow stream could not be read: Input/output error: page 3:\\x0a\\x1b bad", broken);
  ArrowArrayStream stream = support::arrow_stream(broken);
  arrow_column column(&stream);
  CHECK(column.next().n == 3);
  check_error(error_code::invalid_argument, "Input/output error", [&] { column.next(); });
  CHECK(support::arrow_alive == support::arrow_count{});
  check_error(error_code::invalid_argument, "column \"price\" could not be read to its end", [&] { column.next(); });
  // Without a message of its own.
  refuse_stream(error_code::invalid_argument, "could not be read: Input/output error",
                {.type = three_floats(), .failure = EIO});
}

TEST_CASE("arrays that are not what their schema says are refused") {
  const arrow_content x = three_floats();
  refuse_array("its length is -1 and its offset 0", x, x, [](ArrowArray& a) { a.length = -1; });
  refuse_array("its length is 3 and its offset -2", x, x, [](ArrowArray& a) { a.offset = -2; });
  refuse_array("column \"price\" does not match its schema: its length", x, x,
               [](ArrowArray& a) { a.offset = std::numeric_limits<std::int64_t>::max(); });
  refuse_array("it has 3 buffers, not 2", x, x, [](ArrowArray& a) { a.n_buffers = 3; });
  refuse_array("it has 3 elements, but no buffer", x, x, [](ArrowArray& a) { a.buffers[1] = nullptr; });
  refuse_array("it has 1 null, but no validity bitmap", x, x, [](ArrowArray& a) { a.null_count = 1; });
  refuse_array("it has 1 column, not 2", table({x, three_floats("qty")}), table({x}), unchanged, 0);
  refuse_array("it has 3 elements, but its rows end at 4", table({x}), table({x}), [](ArrowArray& a) { a.offset = 1; });
  refuse_array("it has 2 buffers, not 1", table({x}), x, unchanged);
  refuse_array("its list of buffers is null", x, x, [](ArrowArray& a) { a.buffers = nullptr; });
  refuse_array("its list of buffers is null", table({x}), table({x}), [](ArrowArray& a) { a.buffers = nullptr; });
  refuse_array("it has 3 elements, of which 4 are null", x, x, [](ArrowArray& a) { a.null_count = 4; });
  refuse_array("it has 3 elements, of which -2 are null", x, x, [](ArrowArray& a) { a.null_count = -2; });
  refuse_array("the column is null", table({x}), table({x}), [](ArrowArray& a) { a.children = nullptr; });
}

TEST_CASE("schemas and streams with null pointers are refused") {
  const arrow_content x = three_floats(), two = table({x, three_floats("qty")});
  const auto refuse_schema = [&](const std::string& words, const auto& spoil) {
    ArrowArray array = support::arrow_array(two);
    ArrowSchema schema = support::arrow_schema(two);
    spoil(schema);
    check_error(error_code::invalid_argument, words, [&] { arrow_column(&array, &schema, 0); });
  };
  refuse_schema("has 2 columns, but not as many descriptions", [](ArrowSchema& s) { s.children = nullptr; });
  refuse_schema("has -1 columns, but not as many descriptions", [](ArrowSchema& s) { s.n_children = -1; });
  refuse_schema("is a table without columns", [](ArrowSchema& s) { s.n_children = 0; });
  ArrowArrayStream undescribed = support::arrow_stream({.type = x});
  undescribed.get_schema = nullptr;
  check_error(error_code::invalid_argument, "no function get_schema", [&] { arrow_column c(&undescribed); });
  ArrowArrayStream unread = support::arrow_stream({.type = x});
  unread.get_next = nullptr;
  check_error(error_code::invalid_argument, "no function get_next", [&] { arrow_column(&unread).next(); });
}

TEST_CASE("misuse is refused") {
  check_error(error_code::invalid_argument, "stream is null or already released",
              [] { arrow_column(static_cast<ArrowArrayStream*>(nullptr)); });
  ArrowArrayStream stream = support::arrow_stream({.type = three_floats(), .batches = {three_floats()}});
  arrow_column column(&stream);
  check_error(error_code::invalid_argument, "already released", [&] { arrow_column again(&stream); });
  check_error(error_code::invalid_argument, "column \"price\" holds f32, not f64",
              [&] { onefold::reduce<double, op::sum>(column); });
  onefold::dynamic_accumulator wrong(onefold::operation_index<op::sum>, onefold::dtype::i32);
  check_error(error_code::invalid_argument, "holds f32, not i32", [&] { column.push_to(wrong); });
  check_error(error_code::invalid_argument, "did you mean sum?", [&] { onefold::reduce_dynamic(column, {"summ"}); });
  CHECK(column.count() == 0);  // nothing was read
  check_error(error_code::invalid_argument, "element 0 is not one of the last piece", [&] { column.row(0); });
  CHECK(onefold::reduce_dynamic(column, {"SUM", "argmin"})[1].values[0].bits == 0);
  arrow_column taken(std::move(column));
  check_error(error_code::invalid_argument, "the Arrow column was moved from", [&] { column.next(); });
  ArrowArray array = support::arrow_array(three_floats());
  check_error(error_code::invalid_argument, "array or its schema is null", [&] { arrow_column(&array, nullptr); });
  CHECK(array.release == nullptr);
}

TEST_CASE("a column that is not read to its end is released") {
  {
    ArrowArrayStream stream =
        support::arrow_stream({.type = three_floats(), .batches = {three_floats(), three_floats()}});
    arrow_column column(&stream);
    CHECK(column.next().n == 3);
    CHECK(support::arrow_alive == support::arrow_count{1, 1, 0});
  }
  CHECK(support::arrow_alive == support::arrow_count{});
}
