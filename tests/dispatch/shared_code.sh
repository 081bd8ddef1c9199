#!/usr/bin/env bash
# What two files of a user share by name must hold no instruction that the lesser one's CPU lacks: the linker keeps one
# of the two. Looked at are the functions of onefold that both files define weakly; of the AVX kinds, whose names begin
# with a v, none may be there.
# usage: shared_code.sh NM OBJDUMP LESSER GREATER
set -euo pipefail
# shellcheck disable=SC2034  # lesser and greater are read by name
nm=$1 objdump=$2 lesser=$3 greater=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for object in lesser greater; do
  "$nm" --defined-only "${!object}" | awk '$2 ~ /^[wvVuW]$/ { print $3 }' | grep -E '^_ZNK?7onefold' | sort -u >"$work/$object" || true
done
if ! [[ -s $work/lesser && -s $work/greater ]]; then
  echo "no weak symbols of onefold: were the files read?"
  exit 1
fi
comm -12 "$work/lesser" "$work/greater" >"$work/shared"
"$objdump" -d --no-show-raw-insn "$greater" |
  awk 'FNR == NR { shared[$1]; next }
       /^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); next }
       /^ / && (name in shared) && $2 ~ /^v[a-z0-9]+$/ && $2 !~ /^ver[rw]$/ { print name, $2 }' "$work/shared" - |
  awk '!seen[$1]++' >"$work/bad"
if [[ -s $work/bad ]]; then
  echo "functions that both files define, with vector code in $greater:"
  head -5 "$work/bad" | c++filt
  exit 1
fi
# The folds themselves are there, with their vector code, under names of their own.
if ! "$objdump" -d --no-show-raw-insn "$greater" | grep -E '^ .*[[:space:]]v[a-z0-9]+ ' >/dev/null; then
  echo "$greater holds no vector code at all: was it compiled for its instruction set?"
  exit 1
fi
