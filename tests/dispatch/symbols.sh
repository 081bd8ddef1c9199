#!/usr/bin/env bash
# No function of one instruction-set level may be merged with the same function of another level, or of the core: the
# linker would keep one of them, and a CPU that lacks its instructions would stop there. So what the files of folds
# define for others carries its level in its name, and no two levels define the same name.
# usage: symbols.sh NM LIST; LIST has lines "level object"
set -euo pipefail
nm=$1
list=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
total=0
while read -r level object; do
  # Visible to the linker: capital letters, weak (w, v) and unique (u); without those of sanitizers and coverage,
  # whose constructors and counters hold no instructions of a level.
  "$nm" --defined-only "$object" | awk '$2 ~ /^[A-Zwvu]$/ { print $3 }' |
    grep -Ev '^(__(asan|tsan|ubsan|odr_asan|llvm|gcov|prof|sancov)|DW\.ref\.)' >"$work/symbols" || true
  total=$((total + $(wc -l <"$work/symbols")))
  sed "s/\$/ $level/" "$work/symbols" >>"$work/all"
  # A name in C++'s mangling is preceded by its length.
  if grep -v "${#level}$level" "$work/symbols" >"$work/bad"; then
    echo "$object (level $level) defines symbols without its level's name:"
    head -5 "$work/bad" | c++filt
    status=1
  fi
done <"$list"
if sort -u "$work/all" | awk '{ print $1 }' | uniq -d | grep . >"$work/shared"; then
  echo "symbols that several levels define:"
  head -5 "$work/shared" | c++filt
  status=1
fi
if ((total < $(wc -l <"$list"))); then
  echo "only $total symbols in $(wc -l <"$list") files: were they read?"
  status=1
fi
exit $status
