// onefold bench: axes, rows, what they took; and whether all of them had the right bits.
#include <algorithm>

#include <fmt/format.h>

#include "bench/axes.hpp"
#include "bench/interrupt.hpp"
#include "bench/runner.hpp"
#include "bench/show.hpp"
#include "commands.hpp"
#include "input/failure.hpp"
#include "output.hpp"

namespace onefold::cli {
namespace {

/// What must not be, in the order of its gravity.
void complain(const findings& found) {
  const auto wrong = std::ranges::count_if(found.rows, [](const measurement& m) { return m.same_bits == false; });
  if (wrong > 0)
    throw failure(exit_code::failed, fmt::format("{} of {} rows have other bits than the sequential backend: please "
                                                 "report this as a bug",
                                                 wrong, found.rows.size()));
  for (const left_out& l : found.without)
    if (l.code == error_code::device) throw failure(exit_code::failed, l.what + ": " + l.why);
  if (found.interrupted)
    throw failure(exit_code::interrupted, fmt::format("interrupted after {} rows", found.rows.size()));
}

}  // namespace

void run_bench(const arguments& given) {
  const axes a = chosen_axes(given);
  const findings found = [&] {
    const interrupt caught;
    return measure_all(a, interrupt::wanted());
  }();
  write_output(given.format == output_format::json  ? as_json_lines(found, a)
               : given.format == output_format::csv ? as_csv(found, a)
                                                    : as_text(found, a));
  complain(found);
}

}  // namespace onefold::cli
