// What is asked of reductions, array after array.
#include "lab/reduction_inquiry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "lab/show.hpp"

namespace onefold::cli {

std::string reduction_inquiry::operation() const {
  return std::string(operation_infos()[static_cast<std::size_t>(how_.operation)].name);
}

void reduction_inquiry::examine(const specimen& what, std::span<const std::byte> elements, progress_counter& counted) {
  studies_.push_back(cli::examine(what, elements, how_, counted));
}

/// A left fold alone is not what was asked for.
void reduction_inquiry::require_findings() const {
  const auto has_run = [](const finding& f) { return f.ran.has_value(); };
  if (std::ranges::any_of(studies_, [&](const study& s) { return std::ranges::any_of(s.findings, has_run); })) return;
  throw no_mode(studies_.front().left_out.front());
}

/// Results that are further off than promised, or differ between backends.
void reduction_inquiry::complain() const {
  std::size_t outside = 0, different = 0;
  for (const study& s : studies_)
    for (const finding& f : s.findings) {
      outside += !f.within_bound();
      different += !f.agrees;
    }
  if (outside + different > 0)
    throw failure(exit_code::failed, fmt::format("{} results are outside their bound, {} differ from the first "
                                                 "backend's: please report this as a bug",
                                                 outside, different));
}

std::string reduction_inquiry::as_text() const { return cli::as_text(studies_, operation()); }
std::string reduction_inquiry::as_json() const { return cli::as_json(studies_, operation()); }
std::string reduction_inquiry::as_csv() const { return cli::as_csv(studies_, operation()); }

}  // namespace onefold::cli
