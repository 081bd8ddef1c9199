# Instruments everything that is built here: ONEFOLD_SANITIZE = address;undefined or thread, ONEFOLD_COVERAGE = ON.

set(ONEFOLD_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them, separated by semicolons")
option(ONEFOLD_COVERAGE "Count the lines and branches that run (gcov)" OFF)

if(ONEFOLD_SANITIZE)
  list(JOIN ONEFOLD_SANITIZE "," sanitizers)
  # No recovery: a test that trips a sanitizer must fail, not only print.
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)  # a broken precondition of the standard library fails, too
endif()
if(ONEFOLD_COVERAGE)
  # Counters of code that several threads run must be atomic, or they lose counts and gcov reports negative ones.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
