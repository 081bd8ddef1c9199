# Installs what is missing, by the system's package manager; sourced by the other scripts.
# shellcheck shell=bash

# need PACKAGE...: Debian's names. Says what it installs; does nothing where all is there.
need() {
  if ! command -v apt-get >/dev/null; then
    echo "This system has no apt-get; what Debian calls $* is needed. Going on."
    return
  fi
  local package missing=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  echo "Installing ${missing[*]}"
  local as_root=()
  if ((EUID != 0)); then as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# What the library and the program are built from; OpenMP comes with g++.
# shellcheck disable=SC2034  # for those who source this
build_packages=(g++ cmake ninja-build libtbb-dev libfmt-dev nlohmann-json3-dev libcli11-dev
  zlib1g-dev libzip-dev)  # the program reads .gz and .npz by them

# A second build is much faster with ccache, where it is there; another checkout's counts as one too.
use_ccache() {
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  fi
}

# cuda_architectures: prints what to compile CUDA kernels for where they are to be tested: the GPU that is present; else one, for a check.
cuda_architectures() {
  if nvidia-smi -L >/dev/null 2>&1; then echo auto; else echo 90-real; fi
}
