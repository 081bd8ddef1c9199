#!/usr/bin/env bash
# What a file that includes onefold/reduce.hpp has to read of the library's.
#
# usage: weight.sh INCLUDE_FOLDER COMPILER
set -euo pipefail

folder=$1 compiler=$2
source='#include "onefold/reduce.hpp"'

read=$("$compiler" -std=c++20 "-I$folder" -x c++ -M - <<<"$source" | tr -s ' \\\n' '\n')
if heavy=$(grep -E 'immintrin|onefold/detail/(folds|numbers|pack|exact)' <<<"$read"); then
  printf 'onefold/reduce.hpp includes what only folds need:\n%s\n' "$heavy"
  exit 1
fi

# Lines that are left of the library's own headers without comments, empty lines and macros.
lines=$("$compiler" -std=c++20 "-I$folder" -x c++ -E - <<<"$source" |
  awk -v own="$folder/" '/^# [0-9]/ { mine = index($3, own) } !/^#/ && mine && NF { ++n } END { print n + 0 }')
echo "$lines lines"
((lines > 500 && lines <= 2000))
