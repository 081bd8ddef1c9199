# The API reference as HTML, from the public headers: cmake --build BUILD --target reference. A warning is an error.
find_program(ONEFOLD_DOXYGEN doxygen)
mark_as_advanced(ONEFOLD_DOXYGEN)
if(NOT ONEFOLD_DOXYGEN)
  return()
endif()
add_custom_target(reference
                  COMMAND ${CMAKE_COMMAND} -E env ONEFOLD_REFERENCE=${PROJECT_BINARY_DIR}/reference
                          ONEFOLD_VERSION=${PROJECT_VERSION} ${ONEFOLD_DOXYGEN} docs/api/Doxyfile
                  COMMAND ${CMAKE_COMMAND} -E echo "${PROJECT_BINARY_DIR}/reference/html/index.html"
                  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
