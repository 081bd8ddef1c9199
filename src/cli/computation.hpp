// What onefold reduce, onefold quantile, onefold statistic, onefold scan and onefold rows share: operations with their
// options, tried out before a long file is read.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "input/load.hpp"
#include "onefold/error.hpp"
#include "reduced.hpp"

namespace onefold::cli {

/// Operations over the elements of files.
class computation {
 public:
  virtual ~computation() = default;

  /// Threads that were asked for, or 0.
  int threads() const { return list_.front().how.threads; }

  /// Whether the order of the elements counts: then it is C order, whatever the files have.
  virtual bool needs_c_order() const = 0;

  /// The type that elements have whose file does not say it, if it matters.
  virtual std::optional<dtype> type_if_unsaid() const { return std::nullopt; }

  /// What is going on while it runs, one word.
  virtual const char* phase() const = 0;

  /// Adds what there is to say of lines, where the elements make some.
  virtual void describe_lines(reduced_input&) const {}

  /// Refuses, as the library does, what cannot be done with elements of a type, before a long file is read. Returns
  /// what the results of each operation look like.
  std::vector<operation_results> accept(dtype type);
  /// The same for axes.
  virtual void accept_shape(dtype type, std::span<const axis> axes) const = 0;

  /// As input_request::takes_pieces.
  virtual bool takes_pieces(dtype, std::span<const axis>, bool) { return false; }
  /// As input_request::take: what run() then has instead of the array's elements.
  virtual void take(const void*, std::int64_t) {}

  /// The extents of an array whose axes matter.
  std::vector<std::int64_t> shape_of(const loaded_array& array) const;

  /// The results of each column and operation. Throws onefold::error: of a table, with the column's name, and the key's
  /// where it has no value.
  virtual std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const = 0;

 protected:
  struct one {
    int operation;  ///< its place in the catalog; of rows, a row_operation; of quantiles, the place in the list; of
                    ///< statistics, in their table; of a histogram, 0
    options how;
  };

  computation(const arguments& given, std::span<const int> operations, bool keeps_shape);
  computation(const computation&) = default;
  computation& operator=(const computation&) = default;

  /// Runs an operation over an element of a type.
  virtual operation_results tried(const one& r, dtype type) const = 0;

  bool keeps_shape_;
  std::optional<dtype> result_;
  std::vector<one> list_;

 private:
  std::optional<std::string> init_;
};

std::string operation_name(int operation);

/// The error of an empty input without its last part, which says what is empty.
std::string_view without_reason(const error& e);

/// An error of one result of a column with the column's name, where it has one; of an empty input with the reason that
/// the library does not know.
[[noreturn]] void fail_column(const error& e, const loaded_array& array, const reduced_input& from, std::size_t column);

/// A computation of each column by itself, whose elements are a list: of quantiles, statistics and summaries.
class column_computation : public computation {
 public:
  bool needs_c_order() const final { return false; }
  void accept_shape(dtype, std::span<const axis>) const final {}
  std::vector<reduced> run(const loaded_array& array, const reduced_input& from) const final;

 protected:
  column_computation(const arguments& given, std::span<const int> operations)
      : computation(given, operations, false), skips_nan_(given.skip_nan) {}

  /// The results of a column. Throws onefold::error.
  virtual std::vector<reduced> run_column(const loaded_array& array, std::size_t column) const = 0;

  bool skips_nan_;
};

/// The elements of an array in C order, by few axes: NumPy's arrays have up to 64, a view has 8.
std::vector<axis> joined(std::span<const axis> axes);

/// The results of an operation's plan, which run(memory) writes.
template <class Plan, class Run>
reduced results_of(std::string operation, const Plan& plan, const extents& e, std::int64_t size, Run run) {
  reduced made{{std::move(operation), plan}, e, size};
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(size, plan.result_size(), &bytes)) throw std::bad_alloc();
  std::byte* const to = made.results.room(static_cast<std::size_t>(bytes));
  const auto start = std::chrono::steady_clock::now();
  run(to);
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  made.results.grow(static_cast<std::size_t>(bytes));
  made.ran = plan.report();
  return made;
}

}  // namespace onefold::cli
