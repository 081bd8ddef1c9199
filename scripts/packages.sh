# Installs what is missing, by the system's package manager; sourced by the other scripts.
# shellcheck shell=bash

# What the library and the program are built from; OpenMP comes with g++.
# shellcheck disable=SC2034  # for those who source this
build_packages=(g++ cmake ninja-build libfmt-dev libcli11-dev libtbb-dev nlohmann-json3-dev zlib1g-dev libzip-dev)
# Of those, what the build goes on without: the backend tbb, a copy of the JSON library, and .gz and .npz files.
optional_packages=(libtbb-dev nlohmann-json3-dev zlib1g-dev libzip-dev)

# need PACKAGE...: Debian's names. Says what it installs; does nothing where all is there. Where it cannot install, it
# names what is missing, and ends the script unless all of that is optional.
need() {
  local package missing=() needed=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    need_elsewhere "$@"
    return
  fi
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  local as_root=()
  if ((EUID != 0)); then as_root=(sudo); fi
  # sudo may ask for a password where somebody can answer.
  if ((EUID == 0)) || sudo -n true 2>/dev/null || { [[ -t 0 ]] && command -v sudo >/dev/null; }; then
    echo "Installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null && return
    echo "Not installed: apt-get or sudo failed, see above." >&2
  fi
  for package in "${missing[@]}"; do
    [[ " ${optional_packages[*]} " == *" $package "* ]] || needed+=("$package")
  done
  if ((${#needed[@]} > 0)); then
    echo "Missing packages: ${missing[*]}. Install them as root:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  echo "Going on without ${missing[*]}, which root can install: apt-get install ${missing[*]}"
}

# need_elsewhere PACKAGE...: where there is no apt-get, the tools among the packages must be there; libraries are for
# CMake to find.
need_elsewhere() {
  local package tool absent=() libraries=()
  for package in "$@"; do
    case $package in
      lib* | nlohmann-json3-dev | zlib1g-dev | catch2 | openmpi-bin | mpich | python3-*) libraries+=("$package") ;;
      *)
        tool=${package%-build}
        command -v "$tool" >/dev/null || absent+=("$tool")
        ;;
    esac
  done
  if ((${#absent[@]} > 0)); then
    echo "This system has no apt-get, and these tools are missing: ${absent[*]}. Install them, and what Debian calls" >&2
    echo "  ${libraries[*]}" >&2
    exit 1
  fi
  echo "This system has no apt-get; if something is not found, it is one of what Debian calls ${libraries[*]}"
}

# A second build is much faster with ccache, where it is there; another checkout's counts as one too.
use_ccache() {
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  fi
}

# need_pyarrow: a Python that has pyarrow, which Debian does not package, for the tests that write Parquet and Arrow files;
# where PyPI is out of reach they are skipped. ONEFOLD_PYTHON names it, unless the caller's does.
need_pyarrow() {
  local folder=$PWD/build/python python=${ONEFOLD_PYTHON:-python3}
  if ! "$python" -Ic 'import pyarrow' 2>/dev/null; then
    python=$folder/bin/python
    if ! "$python" -Ic 'import pyarrow' 2>/dev/null; then
      if ! { /usr/bin/python3 -m venv "$folder" && "$python" -m pip install --quiet pyarrow; }; then
        echo "Going on without pyarrow: pip install pyarrow failed, see above."
        return
      fi
    fi
  fi
  export ONEFOLD_PYTHON=$python
}

# cuda_architectures: prints what to compile CUDA kernels for where they are to be tested: the GPU that is present; else one, for a check.
cuda_architectures() {
  if nvidia-smi -L >/dev/null 2>&1; then echo auto; else echo 90-real; fi
}

# cuda_flags: prints nvcc's options there: where no GPU runs the kernels, they are compiled as fast as nvcc can (a third of the time).
cuda_flags() {
  local nvcc=${CUDACXX:-nvcc}
  if nvidia-smi -L >/dev/null 2>&1; then return; fi
  command -v "$nvcc" >/dev/null || nvcc=/usr/local/cuda/bin/nvcc
  if [[ $("$nvcc" --help 2>/dev/null) == *--Ofast-compile* ]]; then echo --Ofast-compile=max; fi
}
