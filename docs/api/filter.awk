# Prints a public header as the reference shows it, each line at its number: in the group of its file, without the inline
# namespace of the instruction set, and without what is in descriptors of operations and in specializations of traits,
# whose members catalog/facts.hpp and the traits themselves describe.
BEGIN {
  group["verbs/"] = "verbs"
  group["verbs/nan"] = "nan_verbs"
  group["reduce"] = group["source"] = group["error"] = "reduce"
  group["plan"] = "plans"
  group["options"] = group["report"] = group["profile"] = group["version"] = group["format"] = "options"
  group["array_view"] = group["axes"] = group["shapes"] = group["eigen"] = "shapes"
  group["segments"] = group["keys"] = group["numbered_groups"] = "segments"
  group["where"] = "selections"
  group["scan"] = group["verbs/scans"] = "scans"
  group["bound"] = group["exact"] = group["exact_dot"] = group["exact_moments"] = group["order"] = "accuracy"
  group["mpi"] = group["mpi_error"] = "mpi"
  group["dynamic"] = "dynamic"
  group["catalog/"] = group["catalog"] = group["types"] = "catalog"
  group["operation"] = group["custom"] = group["cuda"] = "operations"
  group["backend"] = group["device"] = group["groups"] = group["problem"] = group["recipe"] = "backends"
  group["selection"] = group["scan_recipe"] = "backends"
}
FNR == 1 {
  name = FILENAME
  sub(/.*include\/onefold\//, "", name)
  sub(/\.[a-z]+$/, "", name)
  folder = name
  sub(/[^\/]*$/, "", folder)
  chosen = name in group ? group[name] : folder in group ? group[folder] : ""
}
/^inline namespace ONEFOLD_LEVEL \{$/ || /^}  \/\/ namespace ONEFOLD_LEVEL$/ {
  print ""
  next
}
/^namespace onefold(::mpi)? \{$/ && chosen { $0 = $0 " /** @addtogroup " chosen "\n@{ */" }
/^}  \/\/ namespace onefold(::mpi)?$/ && chosen { $0 = "/** @} */ " $0 }
inside {
  print /^};$/ ? $0 : ""
  if (/^};$/) inside = 0
  next
}
/struct [a-z0-9_]+<.*\{$/ || (FILENAME ~ /\/catalog\// && /^struct [a-z0-9_]+ : [a-z_]+ \{$/) { inside = 1 }
{ print }
