#!/usr/bin/env bash
# Builds and runs consumers outside the tree. usage: check.sh STEP; the settings come from the environment:
# CMAKE, CXX, BUILD, SOURCE, WORK, BACKENDS (that can run here, separated by spaces), COMPONENTS (all), VERSION, STATIC (ON or OFF), WERROR, LAUNCHER, TYPE, PKG_CONFIG
set -euo pipefail
: "${CMAKE:?}" "${CXX:?}" "${BUILD:?}" "${SOURCE:?}" "${WORK:?}" "${VERSION:?}" "${STATIC:?}" "${TYPE:?}" "${BACKENDS?}" "${COMPONENTS?}"
prefix=$WORK/prefix
here=$(cd "$(dirname "$0")" && pwd)
read -ra backends <<<"$BACKENDS"
# What the environment of the test says must not help or hinder.
unset ONEFOLD_BACKEND ONEFOLD_BACKEND_PATH LD_LIBRARY_PATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH

configure() {  # source, folder, options
  local source=$1 folder=$2
  shift 2
  rm -rf "$folder"
  "$CMAKE" -S "$source" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_BUILD_TYPE="$TYPE" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$LAUNCHER" -DCMAKE_PREFIX_PATH="$prefix" "$@"
}
run_all() {  # folder
  for program in catalogue catalogue_fast custom; do
    echo "-- $program"
    "$1/$program" sequential "${backends[@]}"
  done
}

case $1 in
  copy)
    rm -rf "$prefix" "$WORK/first"
    "$CMAKE" --install "$BUILD" --prefix "$WORK/first"
    # Whoever depends on where it was built or first installed shows it now.
    mv "$WORK/first" "$prefix"
    ;;
  find_package)
    configure "$here/consumer" "$WORK/find_package" -DONEFOLD_VERSION="$VERSION" -DONEFOLD_COMPONENTS="sequential;${COMPONENTS// /;}"
    "$CMAKE" --build "$WORK/find_package"
    run_all "$WORK/find_package"
    ;;
  missing_component)
    if output=$(configure "$here/consumer" "$WORK/missing" -DONEFOLD_COMPONENTS=abacus 2>&1); then
      echo "the component abacus was found"
      exit 1
    fi
    grep -F "onefold has no backend abacus:" <<<"$output"
    if [[ $STATIC == OFF && ${#backends[@]} -gt 0 ]]; then
      # A module that is not there any more is missing, too.
      module=$(find "$prefix" -name "libonefold_${backends[0]}.so")
      mv "$module" "$module.away"
      output=$(configure "$here/consumer" "$WORK/missing" -DONEFOLD_COMPONENTS="${backends[0]}" 2>&1) && found=yes || found=no
      mv "$module.away" "$module"
      [[ $found == no ]]
      grep -F "onefold has no backend ${backends[0]}: there is no" <<<"$output"
    fi
    ;;
  missing_package)
    without() {  # options
      rm -rf "$WORK/without"
      "$CMAKE" -S "$SOURCE" -B "$WORK/without" -G Ninja -DCMAKE_CXX_COMPILER="$CXX" -DONEFOLD_CUDA=OFF -DONEFOLD_TESTS=OFF \
        -DONEFOLD_PROGRAM=OFF -DONEFOLD_EXAMPLES=OFF -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON "$@" 2>&1
    }
    if output=$(without -DONEFOLD_TBB=ON); then
      echo "ONEFOLD_TBB=ON was configured without TBB"
      exit 1
    fi
    grep -F "libtbb-dev" <<<"$output"
    without | grep -F "tbb: not built, TBB was not found (Debian package libtbb-dev)"
    without -DONEFOLD_TBB=OFF | grep -F "tbb: left out by ONEFOLD_TBB=OFF"
    output=$(without -DONEFOLD_TBB=perhaps) || true
    grep -F "ONEFOLD_TBB=perhaps: it is AUTO, ON or OFF" <<<"$output"
    ;;
  other_version)
    for version in 0.0 0.2 1.0; do
      if configure "$here/consumer" "$WORK/version" -DONEFOLD_VERSION=$version >/dev/null 2>&1; then
        echo "version $VERSION was taken for $version"
        exit 1
      fi
    done
    ;;
  pkg_config)
    [[ -n $PKG_CONFIG ]] || { echo "skipped: there is no pkg-config"; exit 77; }
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name onefold.pc)")
    export PKG_CONFIG_PATH
    rm -rf "$WORK/pkg_config"
    mkdir -p "$WORK/pkg_config"
    [[ $("$PKG_CONFIG" --modversion onefold) == "$VERSION" ]]
    statically=()
    if [[ $STATIC == ON ]]; then statically=(--static); fi
    read -ra cflags <<<"$("$PKG_CONFIG" --cflags onefold)"
    read -ra libs <<<"$("$PKG_CONFIG" --libs "${statically[@]}" onefold)"
    libs+=("-Wl,-rpath,$("$PKG_CONFIG" --variable=libdir onefold)")
    compile() { "$CXX" -std=c++20 "$@" "${cflags[@]}" "${libs[@]}"; }
    compile -O2 "$here/consumer/catalogue.cpp" -o "$WORK/pkg_config/catalogue"
    compile -Ofast "$here/consumer/catalogue.cpp" -o "$WORK/pkg_config/catalogue_fast"
    compile -O2 -ffp-contract=off "$here/consumer/custom.cpp" -o "$WORK/pkg_config/custom"
    run_all "$WORK/pkg_config"
    ;;
  add_subdirectory)
    # With the flags of the build that is tested, so that ccache, where it is used, knows the files.
    configure "$here/consumer" "$WORK/add_subdirectory" -DONEFOLD_SOURCE="$SOURCE" -DONEFOLD_STATIC="$STATIC" -DONEFOLD_CUDA=OFF \
      -DONEFOLD_WERROR="${WERROR:-OFF}"
    "$CMAKE" --build "$WORK/add_subdirectory"
    run_all "$WORK/add_subdirectory"
    ;;
  examples)
    for example in choose_backend own_operation; do
      configure "$SOURCE/examples/$example" "$WORK/$example"
      "$CMAKE" --build "$WORK/$example"
      "$WORK/$example/$example"
    done
    ;;
  program)
    program=$prefix/bin/onefold
    [[ -x $program ]] || { echo "skipped: the program was not built"; exit 77; }
    cd /
    "$program" --version | grep -F "$VERSION"
    "$program" backends
    printf '1 2 3\n' >"$WORK/numbers.txt"
    for backend in sequential "${backends[@]}"; do
      "$program" reduce sum "$WORK/numbers.txt" --backend "$backend"
    done
    find "$prefix" -path '*bash-completion*' -name onefold | grep .
    ;;
  *)
    echo "unknown step $1"
    exit 2
    ;;
esac
