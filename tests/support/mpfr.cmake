# MPFR, the oracle of the tests: the target onefold_test_mpfr.
include_guard()

find_library(ONEFOLD_MPFR mpfr)
find_library(ONEFOLD_GMP gmp)
find_path(ONEFOLD_MPFR_INCLUDE mpfr.h)
mark_as_advanced(ONEFOLD_MPFR ONEFOLD_GMP ONEFOLD_MPFR_INCLUDE)
if(NOT ONEFOLD_MPFR OR NOT ONEFOLD_GMP OR NOT ONEFOLD_MPFR_INCLUDE)
  message(FATAL_ERROR "the tests need MPFR: install the Debian package libmpfr-dev, or configure with -DONEFOLD_TESTS=OFF")
endif()
add_library(onefold_test_mpfr INTERFACE)
target_include_directories(onefold_test_mpfr SYSTEM INTERFACE ${ONEFOLD_MPFR_INCLUDE})
target_link_libraries(onefold_test_mpfr INTERFACE ${ONEFOLD_MPFR} ${ONEFOLD_GMP})
