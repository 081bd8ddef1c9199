#!/usr/bin/env bash
# Makes Debian packages of a build for /usr, looks at them, and uses what they hold from a folder; then the same of an
# archive for any folder, which is built in BUILD-archive: as deep, so that ccache
# knows the objects. usage: check.sh BUILD
set -euo pipefail
build=$(realpath "$1")
source=$(cd "$(dirname "$0")/../.." && pwd)
root=$build/root
rm -rf "$build/packages" "$root"
cpack --config "$build/CPackConfig.cmake" -B "$build/packages" >"$build/cpack.log" 2>&1 || { cat "$build/cpack.log"; exit 1; }
packages=("$build"/packages/*.deb)
# Packages that are not uploaded to Debian close none of its bugs.
lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on error "${packages[@]}"
for package in "${packages[@]}"; do dpkg-deb -x "$package" "$root"; done

# Which packages there are, and that each holds its own.
expect() {  # package, what is in it
  local listing
  listing=$(dpkg-deb -c "$build/packages/$1"_*.deb)
  grep -q -E -e "$2" <<<"$listing" || { echo "$1 lacks $2"; exit 1; }
}
soname=$(sed -n 's/.*SONAME.*\[libonefold.so.\(.*\)\]/\1/p' <<<"$(readelf -d "$root"/usr/lib/*/libonefold.so)")
expect "libonefold$soname" "/libonefold\.so\.$soname "
expect "libonefold$soname" "/onefold/libonefold_threads\.so$"
expect libonefold-openmp "/onefold/libonefold_openmp\.so$"
expect libonefold-tbb "/onefold/libonefold_tbb\.so$"
for file in include/onefold/onefold.hpp onefold-config.cmake onefold.pc onefold-custom.pc; do expect libonefold-dev "/$file$"; done
for file in bin/onefold man1/onefold.1.gz bash-completion/completions/onefold _onefold fish/vendor_completions.d/onefold.fish; do
  expect onefold "/$file$"
done
dpkg-deb -f "$build"/packages/libonefold-tbb_*.deb Depends | grep -F libtbb12
dpkg-deb -f "$build"/packages/onefold_*.deb Depends | grep -F "libonefold$soname (= "

# The program, its manual page and its completion.
LD_LIBRARY_PATH=$(dirname "$root"/usr/lib/*/libonefold.so)
export LD_LIBRARY_PATH
"$root/usr/bin/onefold" --version
[[ $(seq 1000 | "$root/usr/bin/onefold" sum --backend tbb) == 500500 ]]
if readelf -d "$root/usr/bin/onefold" | grep -E "RPATH|RUNPATH"; then exit 1; fi
warnings=$(man --warnings -l "$root/usr/share/man/man1/onefold.1.gz" 2>&1 >/dev/null)
[[ -z $warnings ]] || { echo "$warnings"; exit 1; }
mandoc -Tlint "$root/usr/share/man/man1/onefold.1.gz"
bash -n "$root/usr/share/bash-completion/completions/onefold"
zsh -n "$root"/usr/share/zsh/*/_onefold
fish -n "$root/usr/share/fish/vendor_completions.d/onefold.fish"

# A program of its own, by CMake.
cmake -S "$source/packaging/conan/test_package" -B "$build/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$root/usr" \
  -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build/consumer"
"$build/consumer/sum"

# The archive, unpacked where nothing was installed: the program finds the library and its modules, and a program of its
# own is built with pkg-config.
unset LD_LIBRARY_PATH
archive=$build-archive unpacked=$build/unpacked
rm -rf "$archive/packages" "$unpacked"
cmake -S "$source" --preset package -B "$archive" -DCMAKE_INSTALL_PREFIX=/opt/onefold -DONEFOLD_CUDA=OFF >/dev/null
cmake --build "$archive" -j "$(nproc)"
cpack --config "$archive/CPackConfig.cmake" -B "$archive/packages" >"$archive/cpack.log" 2>&1 || { cat "$archive/cpack.log"; exit 1; }
mkdir "$unpacked"
tar -xzf "$archive"/packages/onefold-*.tar.gz -C "$unpacked" --strip-components=1
[[ $(seq 1000 | "$unpacked/bin/onefold" sum --backend tbb) == 500500 ]]
pc=$(find "$unpacked" -name onefold.pc)
# shellcheck disable=SC2046  # several flags
c++ -std=c++20 "$source/packaging/conan/test_package/sum.cpp" -o "$build/archive_sum" \
  $(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs onefold)
"$build/archive_sum"
