# The folds of the levels share no symbol: those of the library as it was built, and some without optimization, where
# nothing is inlined that need not be.

find_program(ONEFOLD_NM NAMES nm llvm-nm REQUIRED)

# The objects of the library; their targets are named onefold_fold_<level>_<element>.
get_property(objects GLOBAL PROPERTY ONEFOLD_FOLD_OBJECTS)
set(lines "")
foreach(object IN LISTS objects)
  string(REGEX REPLACE ".*onefold_fold_([a-z0-9]+)_.*" "\\1" level "${object}")
  list(APPEND lines "${level} $<JOIN:${object},\n${level} >")
endforeach()
list(JOIN lines "\n" lines)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/fold_objects.txt CONTENT "${lines}\n")
add_test(NAME dispatch.symbols COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/symbols.sh ${ONEFOLD_NM} ${CMAKE_CURRENT_BINARY_DIR}/fold_objects.txt)

# Floating point, 16 bits and integers: what differs in the folds.
set(lines "")
foreach(level IN LISTS onefold_levels)
  foreach(element f32 f16 i8 u64)
    set(target onefold_plain_${level}_${element})
    onefold_fold(${target} ${level} ${element})
    target_compile_options(${target} PRIVATE -O0)
    list(APPEND lines "${level} $<JOIN:$<TARGET_OBJECTS:${target}>,\n${level} >")
  endforeach()
endforeach()
list(JOIN lines "\n" lines)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/plain_objects.txt CONTENT "${lines}\n")
add_test(NAME dispatch.symbols.unoptimized
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/symbols.sh ${ONEFOLD_NM} ${CMAKE_CURRENT_BINARY_DIR}/plain_objects.txt)
