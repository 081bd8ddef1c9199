# Installs headers, library, modules and program, with what find_package and pkg-config need to find them.

if(NOT ONEFOLD_INSTALL MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|1|0)$")
  message(FATAL_ERROR "ONEFOLD_INSTALL=${ONEFOLD_INSTALL}: it is AUTO, ON or OFF")
endif()
if(NOT ONEFOLD_INSTALL)
  return()
endif()

# Beside the library, in the folder that it looks into.
set(module_dir ${CMAKE_INSTALL_LIBDIR}/onefold)
if(NOT ONEFOLD_STATIC)
  foreach(name IN LISTS ONEFOLD_BACKENDS)
    install(TARGETS onefold_${name} LIBRARY DESTINATION ${module_dir})
  endforeach()
endif()

# A parent project's programs need the library and its modules; headers and packages are installed by ONEFOLD_INSTALL=ON.
if(ONEFOLD_INSTALL STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL)
  if(NOT ONEFOLD_STATIC)
    install(TARGETS onefold LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_SKIP)
  endif()
  return()
endif()

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/onefold)

install(TARGETS onefold onefold_custom EXPORT onefold-targets)
install(EXPORT onefold-targets NAMESPACE onefold:: DESTINATION ${package_dir})
install(DIRECTORY include/onefold TYPE INCLUDE)
set(doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/onefold)  # CMAKE_INSTALL_DOCDIR would be that of a parent project
install(FILES LICENSE README.md DESTINATION ${doc_dir} OPTIONAL)
install(FILES third_party/nlohmann/LICENSE.MIT DESTINATION ${doc_dir} RENAME LICENSE.nlohmann-json OPTIONAL)
install(DIRECTORY docs DESTINATION ${doc_dir} OPTIONAL)

if(TARGET onefold_program)
  file(RELATIVE_PATH to_library /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(onefold_program PROPERTIES INSTALL_RPATH $ORIGIN/${to_library})
  install(TARGETS onefold_program)
  if(NOT CMAKE_CROSSCOMPILING)  # the program writes its own completion
    set(completion ${PROJECT_BINARY_DIR}/completion/onefold)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completion)
    add_custom_command(OUTPUT ${completion} COMMAND onefold_program completion bash > ${completion} DEPENDS onefold_program)
    add_custom_target(onefold_completion ALL DEPENDS ${completion})
    install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  endif()
endif()

set(dependencies "")
foreach(name IN LISTS ONEFOLD_BACKENDS)
  string(REPLACE ";" " " words "${package_${name}}")
  string(APPEND dependencies "  find_dependency(${words})\n")
endforeach()
configure_package_config_file(cmake/onefold-config.cmake.in onefold-config.cmake INSTALL_DESTINATION ${package_dir}
                              PATH_VARS module_dir)
# Below 1.0 a new minor version may change anything.
write_basic_package_version_file(onefold-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/onefold-config.cmake ${PROJECT_BINARY_DIR}/onefold-config-version.cmake
        DESTINATION ${package_dir})

# A program that links the static library links what its backends stand on: pkg-config --static.
set(pc_private "")
if(ONEFOLD_STATIC)
  foreach(name IN LISTS ONEFOLD_BACKENDS)
    string(CONFIGURE "${linked_${name}}" words)
    string(APPEND pc_private " ${words}")
  endforeach()
  foreach(name IN LISTS CMAKE_DL_LIBS)
    string(APPEND pc_private " -l${name}")
  endforeach()
endif()
# Relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
# A program must start where it was linked: outside /usr the loader would not look for the library.
set(pc_rpath "")
if(NOT ONEFOLD_STATIC AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(pc_rpath " -Wl,-rpath,\${libdir}")
endif()
foreach(package onefold onefold-custom)
  configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
