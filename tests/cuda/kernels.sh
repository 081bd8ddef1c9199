#!/usr/bin/env bash
# Every kernel that a fold launches has device code. nvcc leaves it out, without a word, where only the default of a
# template argument leads to a kernel; the launch fails then.
#
# usage: kernels.sh NVCC OPTIONS...
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" -std=c++20 --expt-relaxed-constexpr --extended-lambda -diag-suppress=177 -arch=sm_90 -cubin -Xptxas -O0 \
  -o "$folder/kernels.cubin" "$(dirname "$0")/kernels.cu"
strings -a -n 8 "$folder/kernels.cubin" | sed -n 's/^\.text\.//p' | c++filt | sort -u >"$folder/there"

missing=0 found=0
for fold in rounded_additive arg_fold absolute_sum; do
  tiles=fold_tiles
  if [[ $fold == arg_fold ]]; then tiles="fold_tiles search_words"; fi
  for kernel in $tiles fold_columns fold_segments join_pages; do
    if grep -qE "::$kernel<[^(]*$fold" "$folder/there"; then
      ((++found))
    else
      echo "$kernel has no code for $fold"
      ((++missing))
    fi
  done
done
for of in "true, twice" "false, twice" "true, computed.*lambda" "false, computed.*lambda"; do
  if grep -qE "::compute_elements<$of" "$folder/there"; then
    ((++found))
  else
    echo "compute_elements has no code for $of"
    ((++missing))
  fi
done
echo "$found kernels found"
((missing == 0 && found == 17))
