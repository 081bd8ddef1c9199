#!/usr/bin/env bash
# Builds and runs consumers outside the tree. usage: check.sh STEP; the settings come from the environment:
# CMAKE, CXX, BUILD, SOURCE, WORK, BACKENDS (that can run here, separated by spaces), COMPONENTS (all), VERSION, STATIC (ON or OFF), WERROR, LAUNCHER, TYPE, PKG_CONFIG,
# CUDA (ON or OFF), LEVEL (the least)
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
  for program in catalog catalog_fast custom; do
    echo "-- $program"
    "$1/$program" sequential "${backends[@]}"
  done
}

mkdir -p "$WORK"
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
    without -DONEFOLD_MPI=OFF | grep -F "mpi: left out by ONEFOLD_MPI=OFF"
    without -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON | grep -F "mpi: left out, MPI was not found (Debian package libopenmpi-dev or libmpich-dev)"
    if output=$(without -DONEFOLD_MPI=ON -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON); then
      echo "ONEFOLD_MPI=ON was configured without MPI"
      exit 1
    fi
    grep -F "ONEFOLD_MPI=ON, but MPI was not found" <<<"$output"
    output=$(without -DONEFOLD_TBB=perhaps) || true
    grep -F "ONEFOLD_TBB=perhaps: it is AUTO, ON or OFF" <<<"$output"
    ;;
  other_version)
    IFS=. read -r major minor _ <<<"$VERSION"
    for version in "$major.$((minor - 1))" "$major.$((minor + 1))" "$((major + 1)).$minor"; do
      if configure "$here/consumer" "$WORK/version" -DONEFOLD_VERSION="$version" >/dev/null 2>&1; then
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
    compile() {  # package, source, program, options: README's one line
      read -ra flags <<<"$("$PKG_CONFIG" --cflags --libs "${statically[@]}" "$1")"
      "$CXX" -std=c++20 "${@:4}" "$2" "${flags[@]}" -o "$WORK/pkg_config/$3"
    }
    compile onefold "$here/consumer/catalog.cpp" catalog -O2
    compile onefold "$here/consumer/catalog.cpp" catalog_fast -Ofast
    "$PKG_CONFIG" --cflags onefold-custom | grep -F -e -ffp-contract=off
    compile onefold-custom "$here/consumer/custom.cpp" custom -O2
    run_all "$WORK/pkg_config"
    ;;
  add_subdirectory)
    # What the consumer reduces, with the flags of the build that is tested, so that ccache, where it is used, knows the files.
    subproject=(-DONEFOLD_SOURCE="$SOURCE" -DONEFOLD_STATIC="$STATIC" -DONEFOLD_CUDA=OFF -DONEFOLD_WERROR="${WERROR:-OFF}" -DONEFOLD_ELEMENTS=f32)
    configure "$here/consumer" "$WORK/add_subdirectory" "${subproject[@]}"
    "$CMAKE" --build "$WORK/add_subdirectory"
    run_all "$WORK/add_subdirectory"
    # The parent's install carries what its programs need, and starts elsewhere.
    "$CMAKE" "$WORK/add_subdirectory" -DCONSUMER_INSTALLS=ON
    "$CMAKE" --build "$WORK/add_subdirectory"
    rm -rf "$WORK/parent" "$WORK/parent.first"
    "$CMAKE" --install "$WORK/add_subdirectory" --prefix "$WORK/parent.first"
    mv "$WORK/parent.first" "$WORK/parent"
    mv "$WORK/add_subdirectory" "$WORK/add_subdirectory.away"
    run_all "$WORK/parent/bin" || moved=broken
    mv "$WORK/add_subdirectory.away" "$WORK/add_subdirectory"
    [[ -z ${moved:-} ]]
    # Headers and packages only where they are asked for.
    [[ ! -e $WORK/parent/include ]]
    "$CMAKE" "$WORK/add_subdirectory" -DONEFOLD_INSTALL=ON
    "$CMAKE" --install "$WORK/add_subdirectory" --prefix "$WORK/parent"
    [[ -e $WORK/parent/include/onefold/onefold.hpp && -e $WORK/parent/include/onefold/eigen.hpp ]]
    find "$WORK/parent" -name onefold-config.cmake | grep .
    ;;
  optimized)
    # commands TYPE OPTIONS: the compiler commands of the library within a parent project
    commands() {
      local type=$1
      shift
      rm -rf "$WORK/optimized"
      "$CMAKE" -S "$here/consumer" -B "$WORK/optimized" -G Ninja -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_BUILD_TYPE="$type" \
        -DONEFOLD_SOURCE="$SOURCE" -DONEFOLD_STATIC="$STATIC" -DONEFOLD_CUDA="$CUDA" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >"$WORK/optimized.log"
      # The folds are compiled by sources that CMake writes.
      grep '"command"' "$WORK/optimized/compile_commands.json" |
        grep -F -e " -c $SOURCE/src/" -e " -c $SOURCE/backends/" -e "/Unity/" >"$WORK/optimized.commands"
      grep -q "onefold_fold.*/Unity/" "$WORK/optimized.commands"  # there is something to look at
    }
    for type in "" Debug Release RelWithDebInfo MinSizeRel; do
      commands "$type"
      if grep -v -E -e ' -O[23s] ' "$WORK/optimized.commands" | grep .; then
        echo "build type \"$type\": compiled without optimization"
        exit 1
      fi
      expected=$type
      if [[ -z $type ]]; then expected="no build type (the library is compiled with -O3)"; fi
      if [[ $type == Debug ]]; then expected="Debug (the library is compiled with -O3)"; fi
      grep -F ", $expected, " "$WORK/optimized.log"
    done
    # What the parent says itself is kept.
    commands Debug -DCMAKE_CXX_FLAGS_DEBUG="-g -O1"
    if grep -v -e ' -O1 ' "$WORK/optimized.commands" | grep . || grep -e ' -O3 ' "$WORK/optimized.commands"; then exit 1; fi
    grep -F ", Debug, " "$WORK/optimized.log"
    commands "" -DCMAKE_CXX_FLAGS=-O2
    if grep -e ' -O3 ' "$WORK/optimized.commands"; then exit 1; fi
    # Several build types in one tree.
    commands "" -G "Ninja Multi-Config"
    if grep -v -E -e ' -O[23s] ' "$WORK/optimized.commands" | grep .; then exit 1; fi
    grep -F "Debug, Release, RelWithDebInfo (the library is compiled with -O3 in Debug)" "$WORK/optimized.log"
    ;;
  architectures)
    mkdir -p "$WORK/smi"
    # chosen TEXT [OPTION]: what is compiled for where nvidia-smi prints TEXT; status is its exit code
    status=0
    chosen() {
      printf '#!/bin/sh\nprintf "%%b" "%s"\nexit %d\n' "$1" "$status" >"$WORK/smi/nvidia-smi"
      chmod +x "$WORK/smi/nvidia-smi"
      PATH=$WORK/smi:$PATH "$CMAKE" -DSOURCE="$SOURCE" "${@:2}" -P "$here/architectures.cmake" 2>&1 | tr '\n' ' ' | tr -s ' '
    }
    # expect ARCHITECTURES NOTE TEXT [OPTION]
    expect() {
      local output
      output=$(chosen "${@:3}")
      if [[ $output != "$1: "*"$2"* ]]; then
        echo "nvidia-smi printed \"$3\": expected $1: $2, got $output"
        exit 1
      fi
    }
    # refuse TEXT OPTION
    refuse() {
      local output
      if output=$(set -o pipefail && chosen 9.0 "$2") || [[ $output != *"$1"* ]]; then
        echo "$2: expected \"$1\", got $output"
        exit 1
      fi
    }
    release="80-real 86-real 89-real 90-real 100-real 120"
    here_note="the GPUs of this machine"
    expect 89-real "$here_note" "8.9\n"
    expect 80-real "$here_note" "8.0"
    expect 89-real "$here_note" "8.9\n8.9\n"
    expect "80-real 90-real" "$here_note" "9.0\n8.0\n"
    expect "90-real 120-real" "$here_note" "12.0\r\n9.0\r\n"
    expect "$release" "7.5 is too old, the kernels need 8.0" "7.5\n"
    expect 86-real "$here_note" "7.5\n8.6\n"
    for garbage in "" "NVIDIA-SMI has failed because it could not communicate with the driver.\n" "[N/A]\n" "9\n" "9.0;rm\n" "\0\377"; do
      expect "$release" "nvidia-smi lists no GPU" "$garbage"
    done
    # A GPU that is newer than nvcc runs the PTX of the newest that nvcc has.
    printf '#!/bin/sh\nprintf "compute_80\\ncompute_120\\ncompute_90\\n"\n' >"$WORK/smi/nvcc"
    chmod +x "$WORK/smi/nvcc"
    expect 120 "$here_note" "12.1\n" -DCMAKE_CUDA_COMPILER="$WORK/smi/nvcc"
    expect "80 90" "$here_note" "8.9\n10.3\n" -DCMAKE_CUDA_COMPILER="$WORK/smi/nvcc"
    status=9 && expect "$release" "nvidia-smi lists no GPU" "9.0\n" && status=0
    expect "$release" "ONEFOLD_CUDA_ARCHITECTURES=release" 9.0 -DONEFOLD_CUDA_ARCHITECTURES=release
    expect "80 90-virtual" "ONEFOLD_CUDA_ARCHITECTURES=80" 8.9 "-DONEFOLD_CUDA_ARCHITECTURES=80,90-virtual"
    refuse "75 is too old" -DONEFOLD_CUDA_ARCHITECTURES="75;90"
    refuse "unknown compute capability \"hopper\"" -DONEFOLD_CUDA_ARCHITECTURES=hopper
    refuse "is empty" -DONEFOLD_CUDA_ARCHITECTURES=
    ;;
  small)
    # One element type, one level, and no JSON library on the system: the least that builds.
    configure "$here/consumer" "$WORK/small" -DONEFOLD_SOURCE="$SOURCE" -DONEFOLD_STATIC="$STATIC" -DONEFOLD_WERROR="${WERROR:-OFF}" -DONEFOLD_CUDA=OFF \
      -DONEFOLD_OPENMP=OFF -DONEFOLD_TBB=OFF -DONEFOLD_THREADS=OFF -DONEFOLD_ELEMENTS=i8 -DONEFOLD_LEVELS="$LEVEL" -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON |
      tee "$WORK/small.log"
    grep -F "json: nlohmann-json 3.11.2 of third_party" "$WORK/small.log"
    "$CMAKE" --build "$WORK/small" --target small
    "$WORK/small/small" "$WORK/small/profile.json"
    for option in ELEMENTS=i7 LEVELS=v9 ELEMENTS= LEVELS=; do
      if output=$(configure "$here/consumer" "$WORK/refused" -DONEFOLD_SOURCE="$SOURCE" -DONEFOLD_CUDA=OFF "-DONEFOLD_$option" 2>&1); then
        echo "ONEFOLD_$option was configured"
        exit 1
      fi
      grep -F "ONEFOLD_${option%=*}" <<<"$output"
    done
    ;;
  examples)
    for example in choose_backend orders own_operation running_total softmax; do
      configure "$SOURCE/examples/$example" "$WORK/$example"
      "$CMAKE" --build "$WORK/$example"
      "$WORK/$example/$example"
    done
    ;;
  mpi)
    if ! configure "$SOURCE/examples/mpi" "$WORK/mpi" >"$WORK/mpi.log" 2>&1; then
      cat "$WORK/mpi.log"
      grep -q "component mpi needs MPI, which was not found" "$WORK/mpi.log" && exit 77
      exit 1
    fi
    "$CMAKE" --build "$WORK/mpi"
    "$WORK/mpi/mpi_sum" | grep -F "onefold, sum"  # MPI starts a single rank without mpirun
    # Without MPI the component is missing, and the message says why.
    if output=$(configure "$SOURCE/examples/mpi" "$WORK/mpi" -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON 2>&1); then
      echo "the component mpi was found without MPI"
      exit 1
    fi
    tr -s '\n ' '  ' <<<"$output" | grep -F "component mpi needs MPI, which was not found"
    ;;
  nccl)
    without="component nccl needs NCCL and the CUDA toolkit, which were not found"
    if output=$(configure "$SOURCE/examples/nccl" "$WORK/nccl" -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON 2>&1); then
      echo "the component nccl was found without the CUDA toolkit"
      exit 1
    fi
    tr -s '\n ' '  ' <<<"$output" | grep -F "$without"
    if ! configure "$SOURCE/examples/nccl" "$WORK/nccl" >"$WORK/nccl.log" 2>&1; then
      cat "$WORK/nccl.log"
      tr -s '\n ' '  ' <"$WORK/nccl.log" | grep -qF "$without" && exit 77
      exit 1
    fi
    "$CMAKE" --build "$WORK/nccl"
    "$WORK/nccl/nccl_sum"
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
    for file in bash-completion/completions/onefold zsh/site-functions/_onefold fish/vendor_completions.d/onefold.fish man/man1/onefold.1; do
      [[ -s $prefix/share/$file ]] || { echo "$file is not installed"; exit 1; }
    done
    ;;
  *)
    echo "unknown step $1"
    exit 2
    ;;
esac
