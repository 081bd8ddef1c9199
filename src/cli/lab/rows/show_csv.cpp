// Findings about rows for spreadsheets: RFC 4180, but for line ends of one character.
#include <fmt/format.h>

#include "cells.hpp"
#include "lab/rows/show.hpp"

namespace onefold::cli {

std::string rows_as_csv(const std::vector<row_study>& studies, const std::string& operation) {
  std::string text =
      "data,op,dtype,n,length,seed,asked_condition,mode,backend,isa,threads,ulps,mean_ulps,line,place,relative,"
      "absolute,off_1,same_bits\n";
  for (const row_study& s : studies)
    for (const row_finding& f : s.findings) {
      text += fmt::format("{},{},{},{},{},{},{},{},", csv_field(s.what.name), operation, name_of(s.what.type),
                          s.what.count, s.line, or_empty(s.what.seed), or_empty(s.what.asked), csv_field(f.mode));
      text += f.ran ? fmt::format("{},{},{},", name_of(f.ran->backend), name_of(f.ran->isa), f.ran->threads) : ",,,";
      const row_errors& e = f.errors;
      text += fmt::format("{},{},{},{},{},{},{},{}\n", e.ulps, e.mean_ulps, e.line, e.place, e.relative, e.absolute,
                          or_empty(e.off_1), f.ran ? fmt::format("{}", f.agrees) : "");
    }
  return text;
}

}  // namespace onefold::cli
