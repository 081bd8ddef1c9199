#!/usr/bin/env bash
# Which stages scripts/test and .ci/run take, in a copy of the tree's scripts. usage: SOURCE=tree WORK=folder stages.sh
set -euo pipefail
: "${SOURCE:?}" "${WORK:?}"
rm -rf "$WORK"
mkdir -p "$WORK/tree/tests/packages" "$WORK/bin" "$WORK/tree/build/clang" "$WORK/tree/build/coverage" "$WORK/tree"/{include,src,backends,bench,tests,examples}
cp -r "$SOURCE/scripts" "$SOURCE/.ci" "$WORK/tree"
log=$WORK/calls
printf '#!/bin/sh\necho "check.sh $*" >>"%s"\n' "$log" >"$WORK/tree/tests/packages/check.sh"
chmod +x "$WORK/tree/tests/packages/check.sh"
# Tools that succeed and write down how they were called; dpkg-query says that everything is installed.
for tool in cmake ctest shellcheck clang-format run-clang-tidy gcovr apt-get sudo; do
  printf '#!/bin/sh\necho "%s $*" >>"%s"\n' "$tool" "$log" >"$WORK/bin/$tool"
done
# shellcheck disable=SC2016
printf '#!/bin/sh\nfor name in $ABSENT; do case "$*" in *" $name") exit 1 ;; esac; done\necho installed\n' >"$WORK/bin/dpkg-query"
printf '#!/bin/sh\nexit 9\n' >"$WORK/bin/nvidia-smi"
printf '#!/bin/sh\necho " --Ofast-compile <level>"\n' >"$WORK/bin/nvcc"
chmod +x "$WORK"/bin/*
export PATH=$WORK/bin:$PATH
cd "$WORK/tree"

fail() {
  echo "$1"
  exit 1
}
# expect STAGES COMMAND...: it runs these stages, in this order
expect() {
  local output
  : >"$log"
  output=$("${@:2}") || fail "${*:2}: $output"
  output=$(sed -n 's/^== //p' <<<"$output" | tr '\n' ' ')
  [[ $output == "$1 " ]] || fail "${*:2}: expected the stages $1, ran $output"
}
# refuse TEXT COMMAND...: it says TEXT, and touches nothing
refuse() {
  local output status=0
  : >"$log"
  output=$("${@:2}" 2>&1) || status=$?
  [[ $status == 2 && $output == *"$1"* && $output != *$'\n'* ]] || fail "${*:2}: expected \"$1\", got $status: $output"
  [[ ! -s $log ]] || fail "${*:2}: called $(cat "$log")"
}

ci="lint release packages static readers"
expect "$ci" scripts/test
# One architecture, and kernels that are not made fast, where no GPU is present.
grep -F -- "-DONEFOLD_CUDA_ARCHITECTURES=90-real -DCMAKE_CUDA_FLAGS=--Ofast-compile=max" "$log"
expect "$ci" .ci/run
expect "$ci clang fuzz asan tsan coverage" scripts/test all
if [[ $(uname -m) == x86_64 ]]; then grep -F -- "--preset asan -DONEFOLD_LEVELS=v3" "$log"; fi
expect "tsan lint" scripts/test tsan lint
expect "fuzz" .ci/run fuzz
refuse 'unknown stage "relase"; did you mean release? use lint release' scripts/test relase
refuse 'unknown stage "asn"; did you mean asan?' scripts/test lint asn
refuse 'unknown stage "ALLL"; did you mean all?' scripts/test ALLL
refuse 'unknown stage "everything"; use lint release' scripts/test everything
refuse 'unknown stage "lint release"; use' scripts/test "lint release"
refuse 'unknown stage ""; use' scripts/test ""
[[ $(scripts/test --help) == *"usage: scripts/test [STAGE... | all]"* ]] || fail "--help shows no usage"
for script in bench bench-check bench-peers gpu-check; do
  : >"$log"
  [[ $("scripts/$script" --help) == *"scripts/$script"* && ! -s $log ]] || fail "scripts/$script --help shows no usage, or builds"
done
# What is missing is installed; where that fails it is named, and optional packages are done without.
export ABSENT="fish cmake"
output=$(scripts/test tsan)
[[ $output == *"Installing cmake fish"* ]] || fail "expected the packages that are installed, got $output"
grep -E "apt-get install .*cmake fish" "$log"
printf '#!/bin/sh\nexit 100\n' | tee "$WORK/bin/apt-get" >"$WORK/bin/sudo"
output=$(scripts/test tsan 2>&1) && fail "went on without cmake"
[[ $output == *"Missing packages: cmake fish. Install them as root:"* ]] || fail "expected the missing packages, got $output"
[[ $output != *"== tsan"* ]] || fail "a stage ran without cmake"
export ABSENT=libtbb-dev
output=$(scripts/test tsan 2>&1) || fail "did not go on without libtbb-dev: $output"
[[ $output == *"Going on without libtbb-dev"*"== tsan"* ]] || fail "expected to go on without libtbb-dev, got $output"
export ABSENT=
# The GPU that is present decides, not one for a check.
printf '#!/bin/sh\nexit 0\n' >"$WORK/bin/nvidia-smi"
expect release scripts/test release
grep -xE -- ".* -DONEFOLD_CUDA_ARCHITECTURES=auto -DCMAKE_CUDA_FLAGS=" "$log"
# A failure is counted and named.
printf '#!/bin/sh\nexit 1\n' >"$WORK/bin/cmake"
output=$(scripts/test static) && fail "a failed build passed"
grep -E '^static +[0-9]+ s +FAILED' <<<"$output"
grep -F "0 passed, 1 failed, 0 skipped" <<<"$output"
