#!/usr/bin/env bash
# Compiles a case twice: as it stands it must compile; with ONEFOLD_MISTAKE defined, and the flags of its line
# "// flags:", it must not, and the compiler must say the words of each of its lines "// says:", as its only error (but
# for a line "// errors: N").
# usage: check.sh CASE COMPILER FLAG...
set -euo pipefail
case=$1
shift
flags=$(sed -n 's,^// flags: ,,p' "$case")
words=$(sed -n 's,^// says: ,,p' "$case")
if [[ -z $words ]]; then
  echo "$case does not say which words to expect"
  exit 1
fi
if ! "$@" "$case"; then
  echo "$case does not compile without its mistake"
  exit 1
fi
# shellcheck disable=SC2086  # several flags in one line
if output=$("$@" $flags -DONEFOLD_MISTAKE "$case" 2>&1); then
  echo "$case compiles with its mistake"
  exit 1
fi
wanted=$(sed -n 's,^// errors: ,,p' "$case")
errors=$(grep -c 'error: ' <<<"$output" || true)
if ((errors != ${wanted:-1})); then
  printf '%s\n%s errors, expected %s\n' "$output" "$errors" "${wanted:-1}"
  exit 1
fi
while read -r line; do
  if [[ $output != *"$line"* ]]; then
    printf '%s\nexpected the words: %s\n' "$output" "$line"
    exit 1
  fi
done <<<"$words"
