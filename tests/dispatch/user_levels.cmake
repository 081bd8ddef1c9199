# Two files of one program that are compiled for different instruction sets. Optimized: what is then still a function of
# its own is more than a few instructions.

find_program(ONEFOLD_OBJDUMP NAMES objdump llvm-objdump REQUIRED)
foreach(file lesser greater)
  set(target dispatch_user_levels_${file})
  add_library(${target} OBJECT user_levels.cpp)
  target_link_libraries(${target} PRIVATE onefold_custom)
  target_compile_definitions(${target} PRIVATE ONEFOLD_TEST_FUNCTION=${file})
  target_compile_options(${target} PRIVATE -O2)
  onefold_warnings(${target})
endforeach()
target_compile_options(dispatch_user_levels_lesser PRIVATE -march=x86-64-v2)
target_compile_options(dispatch_user_levels_greater PRIVATE -march=x86-64-v3)
add_executable(dispatch.user_levels user_levels_main.cpp)
target_link_libraries(dispatch.user_levels PRIVATE dispatch_user_levels_greater dispatch_user_levels_lesser onefold)
onefold_warnings(dispatch.user_levels)
add_test(NAME dispatch.user_levels COMMAND dispatch.user_levels)
set_tests_properties(dispatch.user_levels PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT ONEFOLD_PROFILE=none)
add_test(NAME dispatch.user_levels.symbols
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/shared_code.sh ${ONEFOLD_NM} ${ONEFOLD_OBJDUMP}
                 $<TARGET_OBJECTS:dispatch_user_levels_lesser> $<TARGET_OBJECTS:dispatch_user_levels_greater>)
