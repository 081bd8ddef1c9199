# onefold_version and onefold_version_date: what include/onefold/version.hpp says.

set(onefold_version_file ${CMAKE_CURRENT_LIST_DIR}/../include/onefold/version.hpp)
set(onefold_version "")
foreach(part MAJOR MINOR PATCH)
  file(STRINGS ${onefold_version_file} line REGEX "^#define ONEFOLD_VERSION_${part} [0-9]+$")
  string(REGEX MATCH "[0-9]+$" number "${line}")
  list(APPEND onefold_version ${number})
endforeach()
list(JOIN onefold_version "." onefold_version)

file(STRINGS ${onefold_version_file} line REGEX "^#define ONEFOLD_VERSION_DATE \"")
string(REGEX MATCH "[0-9]+-[0-9]+-[0-9]+" onefold_version_date "${line}")
