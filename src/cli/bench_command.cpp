// onefold bench: axes, rows, what they took; and whether all of them had the right bits.
#include "bench/axes.hpp"
#include "bench/runner.hpp"
#include "bench/show.hpp"
#include "commands.hpp"
#include "input/failure.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "quantity.hpp"

namespace onefold::cli {

void run_bench(const arguments& given) {
  const axes a = chosen_axes(given);
  const findings found = [&] {
    const interrupt caught;
    return measure_all(a, interrupt::wanted());
  }();
  write_output(given.format == output_format::json  ? as_json_lines(found, a)
               : given.format == output_format::csv ? as_csv(found, a)
                                                    : as_text(found, a));
  require_sound({&found});
  if (found.interrupted)
    throw failure(exit_code::interrupted, "interrupted after " + detail::quantity(found.rows.size(), "row"));
}

}  // namespace onefold::cli
