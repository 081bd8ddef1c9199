#!/usr/bin/env bash
# The library and the program must start where no parallel runtime is installed: they link none.
# usage: links.sh READELF FILE...
set -euo pipefail
readelf=$1
shift
status=0
for file in "$@"; do
  needed=$("$readelf" -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p')
  if [[ -z $needed ]]; then
    echo "$file needs no library at all: was it read?"
    status=1
  fi
  while read -r library; do
    case $library in
      libgomp* | libomp* | libiomp* | libtbb* | libcuda* | libnvrtc*)
        echo "$file links $library; backends are loaded at run time, as modules"
        status=1
        ;;
    esac
  done <<<"$needed"
done
exit $status
