# Prints a public header as the reference shows it: the file and what it declares in their group, without the inline
# namespace of the instruction set, without macros that have no doc comment, and without what is in descriptors of
# operations and in specializations of traits, whose members catalog/facts.hpp and the traits themselves describe.
BEGIN {
  group["onefold"] = group["verbs/"] = "verbs"
  group["verbs/nan"] = "nan_verbs"
  group["reduce"] = group["complex"] = group["source"] = group["error"] = "reduce"
  group["plan"] = "plans"
  group["options"] = group["report"] = group["profile"] = group["version"] = group["format"] = "options"
  group["array_view"] = group["array_output"] = group["axes"] = group["shapes"] = group["eigen"] = "shapes"
  group["segments"] = group["keys"] = group["numbered_groups"] = "segments"
  group["where"] = "selections"
  group["fused"] = group["summary"] = "several"
  group["first"] = group["quantile"] = group["top_k"] = group["histogram"] = "order_statistics"
  group["map_reduce"] = group["mapped"] = group["ranges"] = group["statistics"] = group["covariance"] = group["complex_vectors"] = group["vectors"] = group["vector_norm"] = group["norm"] = "computed"
  group["row_operations"] = group["verbs/rows"] = "rows"
  group["scan"] = group["verbs/scans"] = "scans"
  group["partial"] = group["partial_array"] = group["concatenated"] = group["element_reader"] = group["arrow"] = "partials"
  group["mpi"] = group["mpi_error"] = "mpi"
  group["nccl"] = group["nccl_error"] = "mpi"
  group["bound"] = group["exact"] = group["exact_dot"] = group["exact_moments"] = group["order"] = "accuracy"
  group["math"] = "math"
  group["dynamic"] = group["dynamic/"] = group["dynamic_fused"] = group["dynamic_partial"] = "dynamic"
  group["catalog/"] = group["catalog"] = group["types"] = "catalog"
  group["operation"] = group["custom"] = group["cuda"] = group["source_operation"] = "operations"
  group["central_moments"] = group["comoments"] = group["integer_sum"] = "operations"
  group["backend"] = group["device"] = group["groups"] = group["problem"] = group["recipe"] = "backends"
  group["bin_request"] = group["map_request"] = group["row_request"] = group["row_problem"] = group["selection"] = group["scan_recipe"] = "backends"
}
FNR == 1 {
  name = FILENAME
  sub(/.*include\/onefold\//, "", name)
  sub(/\.[a-z]+$/, "", name)
  folder = name
  sub(/[^\/]*$/, "", folder)
  chosen = name in group ? group[name] : folder in group ? group[folder] : ""
  if (chosen) print "/** @file\n@ingroup " chosen " */"
}
/^inline namespace ONEFOLD_LEVEL \{$/ || /^}  \/\/ namespace ONEFOLD_LEVEL$/ {
  print ""
  next
}
/^namespace onefold(::mpi|::nccl)? \{$/ && chosen { $0 = $0 " /** @addtogroup " chosen "\n@{ */" }
/^}  \/\/ namespace onefold(::mpi|::nccl)?$/ && chosen { $0 = "/** @} */ " $0 }
/^ *#define / && before !~ /^ *\/\/\// { macro = 1 }
{ before = $0 }
macro {
  print ""
  macro = /\\$/
  next
}
inside {
  print /^};$/ ? $0 : ""
  if (/^};$/) inside = 0
  next
}
/struct [a-z0-9_]+<.*\{$/ || (FILENAME ~ /\/catalog\// && /^struct [a-z0-9_]+ : [a-z_]+ \{$/) { inside = 1 }
{ print }
