// Reduces a column of an Arrow stream. The producer is written by hand here, so that the program builds without Arrow;
// DuckDB, Polars, PyArrow and Arrow C++ export an ArrowArrayStream like it.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "onefold/arrow.hpp"
#include "onefold/onefold.hpp"

namespace {

namespace op = onefold::op;

/// A batch of two columns: prices, some of which are null, and quantities.
struct batch {
  std::vector<double> price;
  std::vector<std::uint8_t> valid;  ///< a bit for each price
  std::vector<std::int32_t> quantity;
};

/// An array over memory that lives longer: nothing is released.
ArrowArray array_of(std::int64_t n, std::int64_t nulls, const void** buffers, std::int64_t buffer_count) {
  return {n,      nulls, 0, buffer_count, 0, buffers, nullptr, nullptr, [](ArrowArray* a) { a->release = nullptr; },
          nullptr};
}

ArrowSchema schema_of(const char* format, const char* name) {
  return {format, name, nullptr, 0, 0, nullptr, nullptr, [](ArrowSchema* s) { s->release = nullptr; }, nullptr};
}

/// A stream of batches.
struct producer {
  std::vector<batch> batches;
  std::size_t next = 0;
  std::array<const void*, 2> price_buffers = {}, quantity_buffers = {};
  std::array<const void*, 1> row_buffers = {nullptr};
  std::array<ArrowArray, 2> arrays = {};
  std::array<ArrowArray*, 2> array_places = {&arrays[0], &arrays[1]};
  std::array<ArrowSchema, 2> schemas = {};
  std::array<ArrowSchema*, 2> schema_places = {&schemas[0], &schemas[1]};

  static producer& of(ArrowArrayStream* s) { return *static_cast<producer*>(s->private_data); }

  ArrowArrayStream stream() {
    return {[](ArrowArrayStream* s, ArrowSchema* out) {
              producer& p = of(s);
              p.schemas = {schema_of("g", "price"), schema_of("i", "quantity")};
              *out = schema_of("+s", "");
              out->n_children = 2;
              out->children = p.schema_places.data();
              return 0;
            },
            [](ArrowArrayStream* s, ArrowArray* out) {
              producer& p = of(s);
              *out = {};
              if (p.next == p.batches.size()) return 0;
              const batch& b = p.batches[p.next++];
              const auto n = static_cast<std::int64_t>(b.price.size());
              p.price_buffers = {b.valid.data(), b.price.data()};
              p.quantity_buffers = {nullptr, b.quantity.data()};
              p.arrays = {array_of(n, -1, p.price_buffers.data(), 2), array_of(n, 0, p.quantity_buffers.data(), 2)};
              *out = array_of(n, 0, p.row_buffers.data(), 1);
              out->n_children = 2;
              out->children = p.array_places.data();
              return 0;
            },
            [](ArrowArrayStream*) -> const char* { return nullptr; }, [](ArrowArrayStream* s) { s->release = nullptr; },
            this};
  }
};

/// n rows in batches; every 10th price is null.
std::vector<batch> table(std::int64_t n, std::int64_t rows_of_a_batch) {
  std::vector<batch> all;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % rows_of_a_batch == 0) all.emplace_back();
    batch& b = all.back();
    const std::size_t at = b.price.size();
    if (at % 8 == 0) b.valid.push_back(0);
    if (i % 10 != 9) b.valid.back() = static_cast<std::uint8_t>(b.valid.back() | 1u << at % 8);
    b.price.push_back(i % 10 != 9 ? 1.0 / static_cast<double>(i + 1) : -1e300);
    b.quantity.push_back(static_cast<std::int32_t>(i % 7));
  }
  return all;
}

}  // namespace

int main() {
  bool same = true;
  double first = 0;
  for (const std::int64_t rows_of_a_batch : {1 << 20, 65536, 1000, 77}) {
    producer prices{table(100'000, rows_of_a_batch)};
    ArrowArrayStream stream = prices.stream();
    onefold::arrow_column price(&stream, "price");
    const auto results = onefold::reduce_dynamic(price, {"sum", "mean", "argmin"});
    if (rows_of_a_batch == 1 << 20) {
      std::printf("price is %s, %lld valid, %lld null\n", onefold::name_of(price.element()),
                  static_cast<long long>(price.count()), static_cast<long long>(price.missing()));
      std::printf("sum %s  mean %s  smallest in row %s\n", results[0].values[0].text().c_str(),
                  results[1].values[0].text().c_str(), results[2].values[0].text().c_str());
      first = std::bit_cast<double>(results[0].values[0].bits);
    }
    same = same && std::bit_cast<std::uint64_t>(first) == results[0].values[0].bits;
  }
  std::printf("the same bits from batches of every size: %s\n", same ? "yes" : "no");

  producer again{table(100'000, 4096)};
  ArrowArrayStream stream = again.stream();
  onefold::arrow_column quantity(&stream, "quantity");
  std::printf("quantities %lld\n", static_cast<long long>(onefold::reduce<std::int32_t, op::sum>(quantity)));

  producer days;
  ArrowArrayStream third = days.stream();
  third.get_schema = [](ArrowArrayStream*, ArrowSchema* out) {
    *out = schema_of("tdD", "day");
    return 0;
  };
  try {
    onefold::arrow_column day(&third);
  } catch (const onefold::error& e) {
    std::printf("%s\n", e.what());
  }
}
