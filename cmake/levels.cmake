# The element types, the instruction-set levels of this architecture, and how the folds are compiled for one of them.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(ONEFOLD_LEVELS v2 v3 v4)
  set(ONEFOLD_FLAGS_v2 -march=x86-64-v2)
  set(ONEFOLD_FLAGS_v3 -march=x86-64-v3)
  # All 512 bits, where the compiler would rather use 256 by itself.
  set(ONEFOLD_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
else()
  set(ONEFOLD_LEVELS baseline)
  set(ONEFOLD_FLAGS_baseline "")
endif()

# As element_types in include/onefold/types.hpp; the linker misses what is missing here.
set(ONEFOLD_ELEMENTS float double onefold::f16 onefold::bf16 std::int8_t std::int16_t std::int32_t std::int64_t std::uint8_t std::uint16_t
             std::uint32_t std::uint64_t)

# onefold_fold(<target> <level> <element type>): the object files of the catalogue's folds over one element type.
function(onefold_fold target level element)
  add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/src/fold.cpp)
  target_compile_definitions(${target} PRIVATE ONEFOLD_LEVEL=${level} ONEFOLD_ELEMENT=${element})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  # Packs are never passed between files, so that their calling convention does not matter (psabi).
  target_compile_options(${target} PRIVATE ${ONEFOLD_FLAGS_${level}} -ffp-contract=off -Wno-psabi)
  onefold_warnings(${target})
endfunction()
