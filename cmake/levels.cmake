# The element types and the instruction-set levels of this architecture, which of them are built, and how the folds are compiled for one.

# What can be built. As element_types in include/onefold/types.hpp.
set(onefold_all_elements f32 f64 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64)
set(onefold_type_f32 float)
set(onefold_type_f64 double)
set(onefold_type_f16 onefold::f16)
set(onefold_type_bf16 onefold::bf16)
foreach(bits 8 16 32 64)
  set(onefold_type_i${bits} std::int${bits}_t)
  set(onefold_type_u${bits} std::uint${bits}_t)
endforeach()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(onefold_all_levels v2 v3 v4)
  set(onefold_flags_v2 -march=x86-64-v2)
  set(onefold_flags_v3 -march=x86-64-v3)
  # All 512 bits, where the compiler would rather use 256 by itself.
  set(onefold_flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
else()
  set(onefold_all_levels baseline)
  set(onefold_flags_baseline "")
endif()

set(ONEFOLD_ELEMENTS all CACHE STRING "Element types that the library is built for: all, or a list of ${onefold_all_elements}")
set(ONEFOLD_LEVELS all CACHE STRING "Instruction sets that the library is built for: all, or a list of ${onefold_all_levels}")

# onefold_choose(<plural>): onefold_<plural> becomes what ONEFOLD_<PLURAL> chooses of onefold_all_<plural>, in that list's order.
function(onefold_choose plural)
  string(TOUPPER ${plural} upper)
  set(chosen "${ONEFOLD_${upper}}")
  string(REPLACE "," ";" chosen "${chosen}")
  if(chosen STREQUAL "all")
    set(chosen ${onefold_all_${plural}})
  endif()
  foreach(one IN LISTS chosen)
    if(NOT one IN_LIST onefold_all_${plural})
      string(JOIN ", " known ${onefold_all_${plural}})
      message(FATAL_ERROR "ONEFOLD_${upper}=${ONEFOLD_${upper}}: unknown value \"${one}\"; use all, or a list of ${known}")
    endif()
  endforeach()
  if(NOT chosen)
    message(FATAL_ERROR "ONEFOLD_${upper} is empty: use all, or name at least one")
  endif()
  set(ordered "")
  foreach(one IN LISTS onefold_all_${plural})
    if(one IN_LIST chosen)
      list(APPEND ordered ${one})
    endif()
  endforeach()
  set(onefold_${plural} ${ordered} PARENT_SCOPE)
endfunction()
onefold_choose(elements)
onefold_choose(levels)

# onefold_fold(<target> <level> <element>): the object files of the catalog's folds and scans over one element type, and
# of row operations and computed pages where it has them.
function(onefold_fold target level element)
  add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/src/fold.cpp ${PROJECT_SOURCE_DIR}/src/scan.cpp)
  if(element MATCHES "f[0-9]+$")
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/row_operation.cpp)
  endif()
  if(element MATCHES "^f(32|64)$")
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/computed_pages.cpp)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)  # they share most of their code
  list(GET onefold_levels 0 lowest)
  string(COMPARE EQUAL ${level} ${lowest} finishes)
  target_compile_definitions(${target} PRIVATE ONEFOLD_LEVEL=${level} ONEFOLD_ELEMENT=${onefold_type_${element}}
                                               ONEFOLD_LOWEST_LEVEL=${lowest} ONEFOLD_FINISHES=$<BOOL:${finishes}>)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  # Packs are never passed between files, so that their calling convention does not matter (psabi).
  target_compile_options(${target} PRIVATE ${onefold_flags_${level}} -ffp-contract=off -Wno-psabi)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # copies of functions for arguments that are known gain nothing here
    target_compile_options(${target} PRIVATE -fno-ipa-cp-clone)
  endif()
  onefold_optimize(${target})
  onefold_warnings(${target})
endfunction()
