# The backends of the list, and what each stands on: ONEFOLD_<NAME> = AUTO takes what is there, ON insists, OFF leaves it out.
#
# backends/<name>/backend.cmake sets
#   package_<name>           what find_package is given
#   debian_<name>            the Debian package to install where that is not found
#   uses_<name>              targets to link
#   linked_<name>            the same for pkg-config, where the library is static; variables in it are known later
#   skips_long_tests_<name>  ON: tests that are marked LONG leave it out

set(ONEFOLD_BACKENDS "" CACHE INTERNAL "Backends that are built beside sequential")
set(ONEFOLD_BACKEND_NOTES "" CACHE INTERNAL "One line of the summary for each optional backend")

# The names in the list, but for sequential, which is part of the library; and those of the CPU with it.
set(onefold_listed_backends "")
set(onefold_cpu_backends sequential)
set(list_of_backends ${CMAKE_CURRENT_SOURCE_DIR}/include/onefold/backends.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_of_backends})
file(STRINGS ${list_of_backends} lines REGEX "^ONEFOLD_BACKEND")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^ONEFOLD_BACKEND\\(([a-z0-9_]+), (cpu|accelerator), ")
    message(FATAL_ERROR "${list_of_backends}: ${line} is not ONEFOLD_BACKEND(name, kind, preference, ...)")
  endif()
  set(name ${CMAKE_MATCH_1})
  set(kind_${name} ${CMAKE_MATCH_2})
  if(name STREQUAL sequential)
    continue()
  endif()
  list(APPEND onefold_listed_backends ${name})
  if(kind_${name} STREQUAL cpu)
    list(APPEND onefold_cpu_backends ${name})
  endif()
endforeach()

# onefold_find_backend(<name>) appends the backend if it can be built.
function(onefold_find_backend name)
  string(TOUPPER ${name} upper)
  set(components ${package_${name}})
  list(POP_FRONT components package)
  if(NOT ONEFOLD_${upper} MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|1|0)$")
    message(FATAL_ERROR "ONEFOLD_${upper}=${ONEFOLD_${upper}}: it is AUTO, ON or OFF")
  endif()
  if(NOT ONEFOLD_${upper})
    set(note "${name}: left out by ONEFOLD_${upper}=${ONEFOLD_${upper}}")
  else()
    find_package(${package} QUIET ${components} GLOBAL)
    if(${package}_FOUND)
      set(ONEFOLD_BACKENDS ${ONEFOLD_BACKENDS} ${name} CACHE INTERNAL "")
      string(STRIP "${name}: ${package} ${${package}_VERSION}${${package}_CXX_VERSION}" note)
    elseif(ONEFOLD_${upper} STREQUAL AUTO)
      set(note "${name}: not built, ${package} was not found (Debian package ${debian_${name}})")
    else()
      message(FATAL_ERROR "ONEFOLD_${upper}=${ONEFOLD_${upper}}, but ${package} was not found: install the Debian package ${debian_${name}}, "
                          "or configure with -DONEFOLD_${upper}=OFF")
    endif()
  endif()
  set(ONEFOLD_BACKEND_NOTES ${ONEFOLD_BACKEND_NOTES} "${note}" CACHE INTERNAL "")
endfunction()

foreach(name IN LISTS onefold_listed_backends)
  string(TOUPPER ${name} upper)
  set(ONEFOLD_${upper} AUTO CACHE STRING "Build the ${name} backend: AUTO, ON or OFF")
  set_property(CACHE ONEFOLD_${upper} PROPERTY STRINGS AUTO ON OFF)
  include(backends/${name}/backend.cmake)
  onefold_find_backend(${name})
endforeach()

function(onefold_summary)
  get_target_property(kind onefold TYPE)
  string(REPLACE "_" " " kind ${kind})
  string(TOLOWER ${kind} kind)
  onefold_describe_build_type(type)
  message(STATUS "onefold ${PROJECT_VERSION}: ${kind}, ${type}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  message(STATUS "  ${onefold_json_note}")
  message(STATUS "  sequential: always")
  foreach(note IN LISTS ONEFOLD_BACKEND_NOTES)
    message(STATUS "  ${note}")
  endforeach()
  if(cuda IN_LIST ONEFOLD_BACKENDS)
    string(JOIN " " architectures ${CMAKE_CUDA_ARCHITECTURES})
    message(STATUS "  cuda architectures: ${architectures} (${onefold_architectures_note})")
  endif()
endfunction()
