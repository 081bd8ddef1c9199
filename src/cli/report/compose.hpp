// A record as a document.
#pragma once

#include <string>

#include "report/document.hpp"
#include "report/record.hpp"

namespace onefold::cli {

/// All chapters of the set, with the machine before them and how it was measured after; `no_plots`: why there are no
/// plots, or nothing.
document composed(const record& r, const std::string& no_plots);

}  // namespace onefold::cli
