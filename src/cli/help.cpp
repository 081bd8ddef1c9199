// What --help shows below the options, in the markup of help_layout.hpp.
#include "help.hpp"

#include "help/texts.hpp"

namespace onefold::cli {
namespace {

std::string about_program() {
  return R"(Examples:
  onefold sum data.npy
  onefold reduce sum data.npy       the same: an operation alone means onefold reduce
  onefold reduce max --column 3 table.csv
  onefold summary data.npy          counts, sum, mean, extremes, deviations
  onefold quantile data.npy         the median
  onefold statistic data.npy        skewness, kurtosis, geometric mean, ...
  onefold histogram data.npy        the number of elements in each bin
  onefold scan sum data.npy         running sums
  onefold rows softmax data.npy     softmax of each row
  onefold join a.partial b.partial  the result of both parts
  onefold accuracy data.npy
  onefold bench
  onefold report
  onefold calibrate
  onefold backends
  onefold help reduce               or onefold reduce --help
)";
}

std::string about_backends() {
  return R"(Examples:
  onefold backends
  onefold backends --format json
)";
}

std::string about_operations() {
  return R"(Examples:
  onefold operations
  onefold operations --format json
)";
}

std::string about_completion() {
  return R"(Examples:
  source <(onefold completion bash)                   for this shell; zsh, too
  onefold completion fish | source                    the same in fish
  onefold completion bash > ~/.local/share/bash-completion/completions/onefold
  onefold completion zsh > ~/.zfunc/_onefold          a folder of fpath
  onefold completion fish > ~/.config/fish/completions/onefold.fish
)";
}

std::string about_manual() {
  return R"(Examples:
  onefold manual > onefold.1
  man ./onefold.1
)";
}

std::string about_help() {
  return R"(Examples:
  onefold help
  onefold help reduce
  onefold help sum                             the same: an operation alone means onefold reduce
)";
}

/// A command, and what writes its text.
struct help_of_command {
  std::string_view name;
  std::string (*text)();
};

constexpr help_of_command texts[] = {{"", about_program},
                                     {"reduce", about_reduce},
                                     {"join", about_join},
                                     {"summary", about_summary},
                                     {"quantile", about_quantile},
                                     {"statistic", about_statistic},
                                     {"histogram", about_histogram},
                                     {"scan", about_scan},
                                     {"rows", about_rows},
                                     {"accuracy", about_accuracy},
                                     {"bench", about_bench},
                                     {"report", about_report},
                                     {"calibrate", about_calibrate},
                                     {"backends", about_backends},
                                     {"operations", about_operations},
                                     {"completion", about_completion},
                                     {"manual", about_manual},
                                     {"help", about_help}};

}  // namespace

std::string help_about(std::string_view command) {
  for (const help_of_command& h : texts)
    if (h.name == command) return h.text();
  return "";
}

}  // namespace onefold::cli
