# onefold_test: builds one Catch2 program and registers a CTest entry for each backend.

find_package(Catch2 QUIET)
if(NOT Catch2_FOUND)
  message(FATAL_ERROR "the tests need Catch2 (version 2 or 3): install the Debian package catch2, or configure with -DONEFOLD_TESTS=OFF")
endif()

# The main function: compiled once, for Catch2 version 2 takes long to compile.
if(NOT TARGET onefold_test_main)
  add_library(onefold_test_main STATIC ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
  target_include_directories(onefold_test_main PUBLIC ${CMAKE_CURRENT_LIST_DIR}/..)
  target_link_libraries(onefold_test_main PUBLIC onefold Catch2::Catch2)
  onefold_warnings(onefold_test_main)
  # Optimized and with sanitizers it takes a minute, and g++ 12 warns, falsely, of its std::regex.
  target_compile_options(onefold_test_main PRIVATE -O0)
endif()

# onefold_test(<name> <source>... [CUSTOM] [ONCE] [LONG] [CASES <Catch2 filter>] [LIBRARIES <target>...]
#              [ENVIRONMENT <NAME=value>...] [BACKENDS <name>...] [TIMEOUT <seconds>] [PROPERTIES <CTest property> <value>...])
#
# Builds the program <name> and registers <name>.<backend> for each backend of the CPU that is listed and each accelerator
# that is built (or those of BACKENDS): each runs it with
# ONEFOLD_TEST_BACKEND set, which support/backend.hpp reads; an entry whose backend cannot run is skipped and says
# why. LONG: not on backends that skip long tests (backends/<name>/backend.cmake). ONCE: one entry, <name>, without a backend. CUSTOM: the sources compile operations of their own. CASES: the
# entries run these Catch2 cases only (default: all that are not hidden). Without sources the program exists
# already, and more entries are added to it: onefold_test(<name> PROGRAM <program> CASES ...). TIMEOUT: for a test that
# takes more than minutes; the others have the limit of CMakePresets.json, which ends those that hang.
function(onefold_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "CUSTOM;ONCE;LONG" "CASES;TIMEOUT;PROGRAM" "LIBRARIES;ENVIRONMENT;PROPERTIES;BACKENDS")
  if(NOT test_PROGRAM)
    set(test_PROGRAM ${name})
    add_executable(${name} ${test_UNPARSED_ARGUMENTS})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE onefold_test_main ${test_LIBRARIES})
    if(test_CUSTOM)
      target_link_libraries(${name} PRIVATE onefold_custom)
    endif()
    onefold_warnings(${name})
  endif()
  if(test_TIMEOUT)
    list(APPEND test_PROPERTIES TIMEOUT ${test_TIMEOUT})
  endif()

  set(backends ${onefold_cpu_backends} ${ONEFOLD_BACKENDS})
  list(REMOVE_DUPLICATES backends)
  if(test_BACKENDS)
    set(backends ${test_BACKENDS})
  endif()
  if(test_ONCE)
    set(backends none)
  endif()
  foreach(backend IN LISTS backends)
    if(test_LONG AND skips_long_tests_${backend})
      continue()
    endif()
    set(entry ${name}.${backend})
    # Passive: with more threads than processors a team that waits by spinning takes the time of those that work.
    # The user's profile of the machine decides nothing here.
    set(environment ONEFOLD_TEST_BACKEND=${backend} OMP_WAIT_POLICY=passive ONEFOLD_PROFILE=none ${test_ENVIRONMENT})
    if(test_ONCE)
      set(entry ${name})
      set(environment ONEFOLD_PROFILE=none ${test_ENVIRONMENT})
    endif()
    add_test(NAME ${entry} COMMAND ${test_PROGRAM} ${test_CASES})
    set_tests_properties(${entry} PROPERTIES ENVIRONMENT "${environment}" SKIP_RETURN_CODE 77 ${test_PROPERTIES})
  endforeach()
endfunction()
