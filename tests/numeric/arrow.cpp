// Columns of Arrow data: every operation has the bits of reduce over the valid elements, however the data is cut.
#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "onefold/arrow.hpp"
#include "onefold/where.hpp"
#include "support/arrow_producer.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/entries.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::arrow_column;
using onefold::dtype;
using support::arrow_content;
using support::random_numbers;
using support::result_bits;
namespace op = onefold::op;

constexpr char formats[] = {'f', 'g', 'e', '?', 'c', 's', 'i', 'l', 'C', 'S', 'I', 'L'};

char format_of(dtype t) { return formats[static_cast<int>(t)]; }

void set_bit(std::vector<unsigned char>& bits, std::int64_t i, bool on) {
  auto& byte = bits[static_cast<std::size_t>(i / 8)];
  byte = static_cast<unsigned char>((byte & ~(1 << i % 8)) | (on ? 1 << i % 8 : 0));
}

/// A bitmap of garbage, so that bits outside of an array would be seen.
std::vector<unsigned char> garbage_bits(std::int64_t n, random_numbers& r) {
  std::vector<unsigned char> bits(static_cast<std::size_t>((n + 7) / 8 + 1));
  for (unsigned char& b : bits) b = static_cast<unsigned char>(r.bits());
  return bits;
}

/// How likely a row is null: never, seldom, often, nearly always, always.
bool random_null(int kind, random_numbers& r) {
  return kind == 0   ? false
         : kind == 1 ? r.integer(0, 99) == 0
         : kind == 2 ? r.integer(0, 1) == 0
         : kind == 3 ? r.integer(0, 99) != 0
                     : true;
}

/// A column of random batches, as a stream and as the valid elements and their rows.
struct made_up_column {
  support::arrow_batches stream;
  std::vector<std::byte> valid;
  std::vector<std::int64_t> rows;
  std::int64_t all_rows = 0;
};

/// `bits`: a column of bool, whose elements are u8.
made_up_column made_up(dtype type, bool bits, void (*fill)(void*, std::int64_t, random_numbers&), random_numbers& r) {
  made_up_column made;
  const std::int64_t width = onefold::size_of(type);
  const bool table = r.integer(0, 1) == 0, other_first = r.integer(0, 1) == 0;
  const std::string format(1, bits ? 'b' : format_of(type));
  const arrow_content other{.format = "u", .name = "text"};
  const auto wrapped = [&](arrow_content column) {
    if (!table) return column;
    arrow_content record{.format = "+s", .name = ""};
    record.length = column.length;
    if (other_first) record.children.push_back(other);
    record.children.push_back(std::move(column));
    if (!other_first) record.children.push_back(other);
    return record;
  };
  made.stream.type = wrapped({.format = format, .name = "price"});
  const int batches = r.integer(0, 5), nulls = r.integer(0, 5);
  for (int b = 0; b < batches; ++b) {
    const int size = r.integer(0, 9);
    const std::int64_t n = size == 0 ? 0 : size == 1 ? r.integer(65530, 140000) : r.integer(1, 5000);
    const std::int64_t before = table && r.integer(0, 1) == 0 ? r.integer(1, 70) : 0;  // the struct's offset
    const std::int64_t offset = r.integer(0, 1) == 0 ? 0 : r.integer(1, 70), end = offset + before + n;
    arrow_content column{.format = format, .name = "price"};
    column.length = before + n;
    column.offset = offset;
    column.skew = r.integer(0, 4) == 0 ? 1 : 16;
    std::vector<std::byte> values(static_cast<std::size_t>(end * width));
    fill(values.data(), end, r);
    if (bits) {
      column.data = garbage_bits(end, r);
      for (std::int64_t i = 0; i < end; ++i) {
        auto& x = values[static_cast<std::size_t>(i)];
        x &= std::byte{1};
        set_bit(column.data, i, x == std::byte{1});
      }
    } else {
      column.data.resize(values.size());
      if (!values.empty()) std::memcpy(column.data.data(), values.data(), values.size());
    }
    const int kind = nulls == 5 ? r.integer(0, 4) : nulls;
    const bool struct_nulls = table && r.integer(0, 3) == 0;
    std::vector<unsigned char> outer = garbage_bits(before + n, r);
    if (kind != 0 || r.integer(0, 1) == 0) column.valid = garbage_bits(end, r);
    for (std::int64_t i = 0; i < n; ++i) {
      const bool null = random_null(kind, r), outer_null = struct_nulls && r.integer(0, 3) == 0;
      if (!column.valid.empty()) set_bit(column.valid, offset + before + i, !null);
      set_bit(outer, before + i, !outer_null);
      if (!null && !outer_null) {
        const auto* const x = values.data() + (offset + before + i) * width;
        made.valid.insert(made.valid.end(), x, x + width);
        made.rows.push_back(made.all_rows + i);
      }
    }
    made.all_rows += n;
    column.null_count = column.valid.empty() ? 0 : -1;
    if (kind == 0 && !column.valid.empty() && r.integer(0, 1) == 0) {
      column.null_count = 0;  // whatever the bits are
      column.valid = garbage_bits(end, r);
    }
    arrow_content batch = wrapped(std::move(column));
    if (table) {
      batch.length = n;
      batch.offset = before;
      if (struct_nulls) {
        batch.valid = std::move(outer);
        batch.null_count = -1;
      }
    }
    made.stream.batches.push_back(std::move(batch));
  }
  return made;
}

arrow_column column_of(ArrowArrayStream* stream, const support::arrow_batches& from) {
  if (from.type.format == "+s") return arrow_column(stream, "price");
  return arrow_column(stream);
}

template <class Call>
std::pair<result_bits, std::string> outcome_of(Call call) {
  std::pair<result_bits, std::string> o;
  if (const auto code = support::error_of([&] {
        for (const onefold::scalar& v : call()) o.first.push_back(v.bits);
      }))
    o.second = onefold::name_of(*code);
  return o;
}

void check_column(const std::string& name, int operation, dtype type, const made_up_column& made,
                  const onefold::options& how) {
  const auto n = static_cast<std::int64_t>(made.rows.size());
  const bool gives_index = onefold::operation_infos()[static_cast<std::size_t>(operation)].gives_index;
  const auto expected = outcome_of([&] {
    auto values = onefold::reduce_dynamic(operation, type, made.valid.data(), n, how).values;
    if (gives_index) values[0].bits = static_cast<std::uint64_t>(made.rows[values[0].bits]);
    return values;
  });
  ArrowArrayStream stream = support::arrow_stream(made.stream);
  std::int64_t count = 0, missing = 0;
  const auto found = outcome_of([&] {
    arrow_column column = column_of(&stream, made.stream);
    const std::string_view word = onefold::operation_infos()[static_cast<std::size_t>(operation)].name;
    const auto all = onefold::reduce_dynamic(column, {word, word}, how);
    count = column.count();
    missing = column.missing();
    if (all[0].values[0].bits != all[1].values[0].bits) FAIL_CHECK(name << ": twice the same operation differs");
    return all[0].values;
  });
  INFO(name << ", " << n << " valid of " << made.all_rows << " rows");
  CHECK(found == expected);
  if (found.second.empty()) CHECK(std::pair(count, missing) == std::pair(n, made.all_rows - n));
  CHECK(stream.release == nullptr);
  if (support::arrow_alive != support::arrow_count{}) FAIL("not everything was released");
}

}  // namespace

TEST_CASE("a column has the bits of a reduction of its valid elements") {
  random_numbers r(1);
  support::for_each_entry_and_accuracy([&]<class Op, class T, onefold::accuracy A>() {
    if constexpr (!std::is_same_v<T, onefold::bf16>)  // which Arrow lacks
      for (int i = 0; i < 3; ++i) {
        const made_up_column made = made_up(onefold::dtype_of<T>, false, support::fill<T>, r);
        check_column(support::entry_name<Op, T>(A), onefold::operation_index<Op>, onefold::dtype_of<T>, made,
                     support::on_backend(A, r.integer(1, 3)));
      }
  });
}

TEST_CASE("a column of bool is one of u8") {
  random_numbers r(2);
  for (const std::string_view name : {"sum", "mean", "argmax", "count", "bit_and", "argmin"})
    for (int i = 0; i < 20; ++i)
      check_column(std::string(name), onefold::operation_named(name), dtype::u8,
                   made_up(dtype::u8, true, support::fill<std::uint8_t>, r), support::on_backend());
}

TEST_CASE("the law of where, with static types") {
  random_numbers r(3);
  for (int i = 0; i < 60; ++i) {
    const std::int64_t n = r.integer(1, 70000), offset = r.integer(0, 70);
    arrow_content c{.format = "g", .name = "x", .length = n, .offset = offset, .null_count = -1};
    c.valid = garbage_bits(offset + n, r);
    set_bit(c.valid, offset + r.integer(0, static_cast<int>(n - 1)), true);
    std::vector<double> x(static_cast<std::size_t>(offset + n));
    support::fill<double>(x.data(), offset + n, r);
    c.data.resize(x.size() * sizeof(double));
    c.skew = 16;
    std::memcpy(c.data.data(), x.data(), c.data.size());
    const std::span<const double> values = std::span(x).subspan(static_cast<std::size_t>(offset));
    const auto selected = onefold::where(values, onefold::bitmap(c.valid.data(), offset, {n}));
    const auto both = [&]<class Op>() {
      ArrowArray array = support::arrow_array(c);
      ArrowSchema schema = support::arrow_schema(c);
      arrow_column column(&array, &schema);
      const onefold::options how = support::on_backend();
      CHECK(support::bits_of(onefold::reduce<double, Op>(column, how)) ==
            support::bits_of(onefold::reduce<double, Op>(selected, how)));
      CHECK(column.next().n == 0);
    };
    both.operator()<op::sum>();
    both.operator()<op::mean>();
    both.operator()<op::argmin>();
    both.operator()<op::argmax>();
    CHECK(support::arrow_alive == support::arrow_count{});
  }
}

TEST_CASE("accumulators of several operations take a column in one pass") {
  random_numbers r(4);
  for (int i = 0; i < 20; ++i) {
    const made_up_column made = made_up(dtype::f32, false, support::fill<float>, r);
    ArrowArrayStream stream = support::arrow_stream(made.stream);
    arrow_column column = column_of(&stream, made.stream);
    onefold::accumulator<float, op::sum> sum(support::on_backend());
    onefold::dynamic_accumulator count(onefold::operation_index<op::count>, dtype::f32, support::on_backend());
    column.push_to(sum, count);
    const auto n = static_cast<std::int64_t>(made.rows.size());
    const auto* const x = reinterpret_cast<const float*>(made.valid.data());
    CHECK(support::bits_of(sum.result()) == support::run<op::sum>(x, n, support::on_backend()));
    CHECK(count.result()[0].bits == support::run<op::count>(x, n, support::on_backend())[0]);
    CHECK(sum.count() == n);
  }
}

TEST_CASE("pieces lie in the producer's memory where nothing prevents it, and know their rows") {
  const std::vector<std::int32_t> x{5, 6, 7, 8, 9};
  arrow_content c{.format = "i", .name = "", .length = 4, .offset = 1};
  c.data.resize(sizeof(std::int32_t) * x.size());
  std::memcpy(c.data.data(), x.data(), c.data.size());
  ArrowArray array = support::arrow_array(c);
  ArrowSchema schema = support::arrow_schema(c);
  const void* const where = static_cast<const std::int32_t*>(array.buffers[1]) + 1;
  arrow_column whole(&array, &schema);
  CHECK(whole.element() == dtype::i32);
  CHECK(whole.name().empty());
  const onefold::element_piece p = whole.next();
  CHECK(p.data == where);
  CHECK(p.n == 4);
  CHECK(whole.row(3) == 3);

  c.valid = {0b10110};  // of elements 1, 2 and 4: rows 0, 1 and 3
  c.null_count = 1;
  array = support::arrow_array(c);
  schema = support::arrow_schema(c);
  arrow_column some(&array, &schema);
  const onefold::element_piece q = some.next();
  CHECK(q.n == 3);
  CHECK(static_cast<const std::int32_t*>(q.data)[2] == 9);
  CHECK(std::vector{some.row(0), some.row(1), some.row(2)} == std::vector<std::int64_t>{0, 1, 3});
  CHECK(some.missing() == 1);
  arrow_column moved(std::move(some));
  CHECK(moved.count() == 3);
  CHECK(moved.next().n == 0);
  CHECK(moved.next().n == 0);
}
