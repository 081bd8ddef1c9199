// The laboratory's findings for spreadsheets: RFC 4180, but for line ends of one character.
#include <fmt/format.h>

#include "cells.hpp"
#include "lab/show.hpp"

namespace onefold::cli {

std::string as_csv(const std::vector<study>& studies, const std::string& operation) {
  std::string text =
      "data,op,dtype,n,seed,asked_condition,condition,exact,mode,backend,isa,threads,value,bits,error,ulps,relative,"
      "bound,within_bound,same_bits,seconds,gb_per_s,waited,noisy\n";
  for (const study& s : studies)
    for (const finding& f : s.findings) {
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},", csv_field(s.what.name), operation, name_of(s.what.type),
                      s.what.count, or_empty(s.what.seed), or_empty(s.what.asked), s.condition, s.exact.text(), f.mode);
      text += f.ran ? fmt::format("{},{},{},", name_of(f.ran->backend), name_of(f.ran->isa), f.ran->threads) : ",,,";
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", f.value.text(), f.value.hex(), f.error,
                          or_empty(f.ulps), f.relative, or_empty(f.bound),
                          f.bound ? fmt::format("{}", f.within_bound()) : "", f.ran ? fmt::format("{}", f.agrees) : "",
                          f.seconds, s.gigabytes_per_second(f), f.waited, f.noisy);
    }
  return text;
}

}  // namespace onefold::cli
