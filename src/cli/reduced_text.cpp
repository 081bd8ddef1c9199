// A result for people and for shell scripts.
#include <fmt/format.h>

#include "one_line.hpp"
#include "quantity.hpp"
#include "reduced.hpp"

namespace onefold::cli {

double reduced::gigabytes_per_second() const {
  return seconds > 0 ? static_cast<double>(count) * size_of(element) / seconds / 1e9 : 0;
}

std::string as_text(const reduced& r, bool explain) {
  std::string text;
  if (r.result.values.size() == 1) {
    text = r.result.values[0].text() + "\n";
  } else {
    for (const scalar& s : r.result.values) text += fmt::format("{} {}\n", s.name, s.text());
  }
  if (r.missing) text += fmt::format("missing {}\n", *r.missing);
  if (!explain) return text;
  for (const scalar& s : r.result.values) text += fmt::format("{}: {} {}\n", s.name, name_of(s.type), s.hex());
  text += fmt::format("{} of {} {}\n", r.operation, r.count, name_of(r.element));
  for (const input_note& i : r.inputs)
    text += fmt::format("input: {}: {}, {}, {}\n", detail::spelled_out(i.name),
                        input_format_names[static_cast<std::size_t>(i.format)], detail::quantity(i.count, "element"),
                        i.how);
  const std::string who = r.result.ran.text();
  text += who + (who.ends_with('\n') ? "" : "\n");
  return text + fmt::format("time: {:.6f} s, {:.2f} GB/s; reading before: {:.6f} s\n", r.seconds,
                            r.gigabytes_per_second(), r.read_seconds);
}

}  // namespace onefold::cli
