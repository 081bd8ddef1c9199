# Builds the release benchmark; sourced by the scripts that run it.
# shellcheck shell=bash
. scripts/packages.sh

# answer_help WORD...: where --help is among the words, shows the comment that the script begins with, and ends.
answer_help() {
  local word
  for word in "$@"; do
    if [[ $word == -h || $word == --help ]]; then
      sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
      exit 0
    fi
  done
}

# build_bench TARGET...: installs what is missing and builds them, in the directory that BUILD names (build/bench), with the compiler that CXX names.
build_bench() {
  build=${BUILD:-build/bench}
  need "${build_packages[@]}" libbenchmark-dev libeigen3-dev python3
  use_ccache
  local generator=()
  if [[ ! -e $build/CMakeCache.txt ]] && command -v ninja >/dev/null; then generator=(-G Ninja); fi
  cmake -S . -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release -DONEFOLD_BENCH=ON -DONEFOLD_TESTS=OFF \
    -DONEFOLD_PROGRAM=ON -DONEFOLD_EXAMPLES=OFF "-DONEFOLD_CUDA_ARCHITECTURES=$(cuda_architectures)"
  cmake --build "$build" --parallel --target "$@"
}
