// A column of a Parquet or Arrow (Feather) file, which Python's pyarrow reads: it runs beside the program and writes
// the elements to a pipe, batch by batch.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "child.hpp"
#include "input/progress_counter.hpp"
#include "input/source.hpp"
#include "input/text.hpp"
#include "onefold/types.hpp"

namespace onefold::cli {

/// The text of columns.py.
extern const char* const columns_script;

/// Whether the bytes begin Arrow's IPC stream: a message that is a schema. (A stream has no magic number; raw elements
/// that begin with -1 do not look so.)
bool is_arrow_stream(std::span<const std::byte> start);

/// Whether a file that begins so is one of these, or a Parquet or Arrow file; foreign_start bytes are enough.
bool is_columnar(std::span<const std::byte> start);

/// The Python that reads a column.
class column_child {
 public:
  /// Starts it. The layout chooses the column and what nulls are; `longest_end` is how long it may run that has closed
  /// its output: it has only its objects to destroy.
  column_child(const std::string& path, std::span<const std::byte> start, const text_layout& layout,
               std::chrono::milliseconds longest_end = std::chrono::seconds(10));

  /// The pipe, after the line with the type, which becomes type(). Throws bad_data as end() does.
  std::unique_ptr<source> open(progress_counter& counted);
  dtype type() const { return type_; }
  /// After the elements: waits for its end and returns how many were null. Throws bad_data, with its reason, where it
  /// could not read the file, cannot run, or does not end.
  std::int64_t end();

 private:
  std::string what_;  ///< kind of file
  std::chrono::milliseconds longest_end_;
  running_child child_;
  dtype type_ = dtype::other;
};

}  // namespace onefold::cli
