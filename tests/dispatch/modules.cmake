# Modules that must be refused, each in a folder of its own, and a copy of the library that has no modules beside it.

set(fakes ${CMAKE_CURRENT_BINARY_DIR}/modules)
foreach(case good other_abi other_size no_record declines)
  add_library(onefold_fake_${case} MODULE fake_module.cpp)
  set_target_properties(onefold_fake_${case} PROPERTIES OUTPUT_NAME onefold_openmp LIBRARY_OUTPUT_DIRECTORY ${fakes}/${case})
  target_compile_definitions(onefold_fake_${case} PRIVATE ONEFOLD_FAKE_${case})
  target_include_directories(onefold_fake_${case} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  onefold_warnings(onefold_fake_${case})
endforeach()
add_library(onefold_fake_accelerator MODULE ../program/fake_cuda.cpp)
set_target_properties(onefold_fake_accelerator PROPERTIES OUTPUT_NAME onefold_cuda LIBRARY_OUTPUT_DIRECTORY ${fakes}/cuda)
target_include_directories(onefold_fake_accelerator PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/tests)
onefold_warnings(onefold_fake_accelerator)
add_library(onefold_fake_other MODULE ../program/fake_cuda.cpp)
set_target_properties(onefold_fake_other PROPERTIES OUTPUT_NAME onefold_other LIBRARY_OUTPUT_DIRECTORY ${fakes}/other)
target_compile_definitions(onefold_fake_other PRIVATE ONEFOLD_FAKE_NAME=other ONEFOLD_FAKE_MEMORY="FAKE_MEMORY_OTHER")
target_include_directories(onefold_fake_other PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/tests)
onefold_warnings(onefold_fake_other)
file(WRITE ${fakes}/garbage/libonefold_openmp.so "this is no library\n")
file(WRITE ${fakes}/truncated/libonefold_openmp.so "")
file(MAKE_DIRECTORY ${fakes}/empty ${fakes}/folder/libonefold_openmp.so)

# A folder to stand in: modules in it, and in onefold/ below it, that no test may load by accident.
add_custom_target(onefold_working_directory ALL
                  COMMAND ${CMAKE_COMMAND} -E make_directory ${fakes}/here/onefold
                  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:onefold_fake_good> ${fakes}/here
                  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:onefold_fake_good> ${fakes}/here/onefold
                  # The beginning of a module, as a copy that was interrupted leaves it.
                  COMMAND ${CMAKE_COMMAND} -E make_directory ${fakes}/cut
                  COMMAND head -c 4096 $<TARGET_FILE:onefold_fake_good> > ${fakes}/cut/libonefold_openmp.so)

set(alone ${CMAKE_CURRENT_BINARY_DIR}/alone)
add_executable(onefold_probe_alone probe.cpp)
target_link_libraries(onefold_probe_alone PRIVATE onefold)
onefold_warnings(onefold_probe_alone)
set_target_properties(onefold_probe_alone PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${alone} BUILD_RPATH $ORIGIN SKIP_BUILD_RPATH OFF
                                                     BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH $ORIGIN)
add_custom_command(TARGET onefold_probe_alone POST_BUILD
                   COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:onefold> ${alone}/$<TARGET_SONAME_FILE_NAME:onefold>)

onefold_test(dispatch.modules modules.cpp ONCE
             ENVIRONMENT PROBE=$<TARGET_FILE:onefold_probe> PROBE_ALONE=$<TARGET_FILE:onefold_probe_alone> FAKES=${fakes})
foreach(case good other_abi other_size no_record declines)
  add_dependencies(dispatch.modules onefold_fake_${case})
endforeach()
add_dependencies(dispatch.modules onefold_probe onefold_working_directory)

# The program's tests have a stand-in for CUDA, and a driver to load: after plans are made, or before all.
if(ONEFOLD_PROGRAM)
  set(stand_in ONEFOLD_BACKEND_PATH=$<TARGET_FILE_DIR:onefold_fake_cuda_good> DRIVER=$<TARGET_FILE:onefold_fake_driver>)
  onefold_test(dispatch.late_driver late_driver.cpp ONCE ENVIRONMENT ${stand_in})
  add_dependencies(dispatch.late_driver onefold_fake_cuda_good onefold_fake_driver)
  onefold_test(dispatch.devices devices.cpp device_parts.cpp CUSTOM ONCE
               ENVIRONMENT ${stand_in} FAKE_MEMORY=borders FAKE_DEVICES=3 FAKE_LOG=${CMAKE_CURRENT_BINARY_DIR}/devices.log
                           ONEFOLD_CACHE=none ONEFOLD_NVRTC=nonesuch)
  add_dependencies(dispatch.devices onefold_fake_cuda_good onefold_fake_driver)
  onefold_test(dispatch.source_kernels source_kernels.cpp CUSTOM ONCE
               ENVIRONMENT ${stand_in} ONEFOLD_CACHE=none PROBE=$<TARGET_FILE:onefold_source_probe>
                           SCRATCH=${CMAKE_CURRENT_BINARY_DIR}/source_kernels_scratch)
  target_compile_definitions(dispatch.source_kernels PRIVATE ONEFOLD_TEST_TEXT="${PROJECT_SOURCE_DIR}/tests/support")
  add_dependencies(dispatch.source_kernels onefold_source_probe onefold_fake_cuda_good onefold_fake_driver)
  onefold_test(dispatch.segments_accelerator PROGRAM dispatch.segments CASES [.accelerator] ONCE
               ENVIRONMENT ${stand_in} FAKE_MEMORY=borders)
  add_dependencies(dispatch.segments onefold_fake_cuda_good onefold_fake_driver)
  onefold_test(dispatch.scans_accelerator PROGRAM dispatch.scans CASES [.accelerator] ONCE
               ENVIRONMENT ${stand_in} FAKE_MEMORY=borders)
  add_dependencies(dispatch.scans onefold_fake_cuda_good onefold_fake_driver)
  onefold_test(dispatch.alignment_accelerator PROGRAM dispatch.alignment CASES [.accelerator] ONCE
               ENVIRONMENT ${stand_in})
  add_dependencies(dispatch.alignment onefold_fake_cuda_good onefold_fake_driver)
  onefold_test(dispatch.where_accelerator PROGRAM dispatch.where CASES [.accelerator] ONCE
               ENVIRONMENT ${stand_in} FAKE_MEMORY=borders)
  add_dependencies(dispatch.where onefold_fake_cuda_good onefold_fake_driver)
  onefold_test(dispatch.where_groups_accelerator PROGRAM dispatch.where_groups CASES [.accelerator] ONCE
               ENVIRONMENT ${stand_in} FAKE_MEMORY=borders)
  add_dependencies(dispatch.where_groups onefold_fake_cuda_good onefold_fake_driver)
  onefold_test(dispatch.map_reduce_accelerator PROGRAM dispatch.map_reduce CASES [.accelerator] ONCE
               ENVIRONMENT ${stand_in} FAKE_MEMORY=borders)
  add_dependencies(dispatch.map_reduce onefold_fake_cuda_good onefold_fake_driver)
  onefold_test(dispatch.mapped_on_device mapped_on_device.cpp CASES [.accelerator] ONCE
               ENVIRONMENT ${stand_in} FAKE_MEMORY=borders)
  onefold_test(dispatch.mapped_not_on_device PROGRAM dispatch.mapped_on_device CASES [.choosy] ONCE
               ENVIRONMENT ONEFOLD_BACKEND_PATH=$<TARGET_FILE_DIR:onefold_fake_cuda_choosy>
                           DRIVER=$<TARGET_FILE:onefold_fake_driver> FAKE_MEMORY=borders)
  add_dependencies(dispatch.mapped_on_device onefold_fake_cuda_good onefold_fake_cuda_choosy onefold_fake_driver)
  onefold_test(dispatch.rows_on_device rows_on_device.cpp CASES [.accelerator] ONCE
               ENVIRONMENT ${stand_in} FAKE_MEMORY=borders)
  add_dependencies(dispatch.rows_on_device onefold_fake_cuda_good onefold_fake_driver)
  add_executable(onefold_device_data device_data.cpp)
  target_include_directories(onefold_device_data PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(onefold_device_data PRIVATE onefold)
  onefold_warnings(onefold_device_data)
  add_dependencies(onefold_device_data onefold_fake_cuda_good onefold_fake_driver)
  add_test(NAME dispatch.device_data COMMAND onefold_device_data)
  set_tests_properties(dispatch.device_data PROPERTIES ENVIRONMENT "${stand_in};FAKE_MEMORY=device;ONEFOLD_PROFILE=none")
endif()

# Two accelerators: the library's sources over another list of backends, in a program that is not linked with the library,
# for the lowest level and f32 alone. Nothing of it takes long to run: it is not optimized.
if(ONEFOLD_PROGRAM AND f32 IN_LIST onefold_elements)
  get_target_property(sources onefold SOURCES)
  get_target_property(folder onefold SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/]")
  list(GET onefold_levels 0 lowest)
  add_executable(onefold_two_accelerators two_accelerators.cpp ${sources} $<TARGET_OBJECTS:onefold_fold_${lowest}_f32>)
  target_include_directories(onefold_two_accelerators BEFORE PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/two)
  target_include_directories(onefold_two_accelerators PRIVATE
                             ${PROJECT_SOURCE_DIR}/include ${folder} ${PROJECT_SOURCE_DIR}/backends/sequential ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(onefold_two_accelerators PRIVATE -O0
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # which g++ gives, falsely, in unity builds
  target_link_libraries(onefold_two_accelerators PRIVATE ${CMAKE_DL_LIBS} nlohmann_json::nlohmann_json)
  # All in one unit: sources whose names clash are found here, whatever groups the library's unity builds make of them.
  set_target_properties(onefold_two_accelerators PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  set_source_files_properties(two_accelerators.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # As src/CMakeLists.txt has them, so that the same files are compiled together as in the library's unity build.
  set_source_files_properties(${folder}/registry.cpp ${folder}/cpu.cpp PROPERTIES
                              COMPILE_DEFINITIONS "ONEFOLD_BUILT_ELEMENTS=float;ONEFOLD_BUILT_LEVELS=level::${lowest}")
  get_property(text_flags SOURCE ${folder}/source/compilers.cpp DIRECTORY ${folder} PROPERTY COMPILE_DEFINITIONS)
  set_source_files_properties(${folder}/source/compilers.cpp PROPERTIES COMPILE_DEFINITIONS "${text_flags}")
  set_source_files_properties(${folder}/complex_product.cpp ${folder}/run/quantiles.cpp ${folder}/run/histogram.cpp ${folder}/run/statistics.cpp
                              PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
  onefold_warnings(onefold_two_accelerators)
  target_compile_options(onefold_two_accelerators PRIVATE -Wno-shadow)  # of names of another source

  add_library(onefold_fake_other_driver SHARED ${CMAKE_CURRENT_BINARY_DIR}/driver.cpp)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/driver.cpp "")
  set_target_properties(onefold_fake_other_driver PROPERTIES OUTPUT_NAME onefold_other_driver SOVERSION 1 LIBRARY_OUTPUT_DIRECTORY ${fakes}/driver)
  add_dependencies(onefold_two_accelerators onefold_fake_accelerator onefold_fake_other onefold_fake_driver onefold_fake_other_driver)

  foreach(case list one_driver owners plans forced streams absent declining refusals)
    add_test(NAME dispatch.two_accelerators.${case} COMMAND onefold_two_accelerators ${case})
    set(modules ${fakes}/cuda:${fakes}/other)
    set(declines "")
    if(case STREQUAL absent)
      set(modules ${fakes}/other)
    elseif(case STREQUAL declining)
      set(declines FAKE_DECLINES=cuda)
    endif()
    set_tests_properties(dispatch.two_accelerators.${case} PROPERTIES ENVIRONMENT
      "ONEFOLD_BACKEND_PATH=${modules};DRIVER=$<TARGET_FILE:onefold_fake_driver>;DRIVER_OTHER=$<TARGET_FILE:onefold_fake_other_driver>;FAKE_MEMORY=borders;FAKE_MEMORY_OTHER=halves;ONEFOLD_PROFILE=none;${declines}")
  endforeach()
endif()
