// What the chapters have in common: the axes that they begin with, and tables of rows.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "report/document.hpp"
#include "report/record.hpp"

namespace onefold::cli {

/// Sums of f32 by all backends of the CPU, against the sequential one; the lengths are still to be said.
axes on_cpu(const assignment& asked);

/// The same by the accelerators, with data on the host and on the device.
axes on_accelerators(const assignment& asked);

/// first, first * factor, ... up to `last`.
std::vector<std::int64_t> lengths(std::int64_t first, std::int64_t last, std::int64_t factor);

using row_list = std::vector<const measurement*>;

/// The rows of the chapter; none where it has no part.
row_list rows_of(const record& r, std::string_view chapter);

/// What computed, and where the data was, as people say it.
std::string series_of(const measurement& m);

/// The reduction without its length: "sum f32".
std::string reduction_of(const measurement& m);

/// The rows apart by a name, in the order in which the names come first.
std::vector<std::pair<std::string, row_list>> grouped(const row_list& all,
                                                      const std::function<std::string(const measurement&)>& name);

/// A table with a line for each name that `line` gives, a column for each that `column` gives.
table pivot(const std::string& corner, const row_list& all, const std::function<std::string(const measurement&)>& line,
            const std::function<std::string(const measurement&)>& column,
            const std::function<std::string(const measurement&)>& cell);

/// The length, for lines of a pivot.
std::string length_of(const measurement& m);

/// The seconds that the device took, or the caller's where the device has none.
double device_seconds(const measurement& m);

/// Bytes over a time, in GB/s, as text.
std::string rate_text(const measurement& m, double seconds);

/// A cell that rests on noisy rows, marked as such.
std::string marked(const std::string& cell, bool noisy);

/// The row's bandwidth, its time and its speed-up as cells, marked where something disturbed them.
std::string rate_cell(const measurement& m);
std::string time_cell(const measurement& m);
std::string speedup_cell(const measurement& m);

}  // namespace onefold::cli
