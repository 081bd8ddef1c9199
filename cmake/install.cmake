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
    # A package of its own for each that needs a runtime; threads needs none.
    set(component ${name})
    if(name STREQUAL threads)
      set(component library)
    endif()
    install(TARGETS onefold_${name} LIBRARY DESTINATION ${module_dir} COMPONENT ${component})
  endforeach()
endif()

# A parent project's programs need the library and its modules; headers and packages are installed by ONEFOLD_INSTALL=ON.
if(ONEFOLD_INSTALL STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL)
  if(NOT ONEFOLD_STATIC)
    install(TARGETS onefold LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_SKIP)
  endif()
  return()
endif()

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/onefold)

# Where the system's loader and compiler look by themselves; anywhere else a program must know where its library is.
set(onefold_in_system OFF)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(onefold_in_system ON)
endif()
set(doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/onefold)  # CMAKE_INSTALL_DOCDIR would be that of a parent project

install(TARGETS onefold onefold_custom EXPORT onefold-targets LIBRARY COMPONENT library NAMELINK_COMPONENT dev ARCHIVE COMPONENT dev)
install(EXPORT onefold-targets NAMESPACE onefold:: DESTINATION ${package_dir} COMPONENT dev)
install(DIRECTORY include/onefold TYPE INCLUDE COMPONENT dev)
install(FILES README.md CHANGELOG.md DESTINATION ${doc_dir} COMPONENT dev OPTIONAL)
install(DIRECTORY docs DESTINATION ${doc_dir} COMPONENT dev OPTIONAL PATTERN api EXCLUDE)  # whose pages doxygen reads
if(NOT onefold_in_system)  # Debian's packages have them in files named copyright
  install(FILES LICENSE DESTINATION ${doc_dir} COMPONENT dev OPTIONAL)
  install(FILES third_party/nlohmann/LICENSE.MIT DESTINATION ${doc_dir} COMPONENT dev RENAME LICENSE.nlohmann-json OPTIONAL)
endif()
if(TARGET onefold_program)
  include(cmake/install_program.cmake)
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
install(FILES ${PROJECT_BINARY_DIR}/onefold-config.cmake ${PROJECT_BINARY_DIR}/onefold-config-version.cmake ${PROJECT_SOURCE_DIR}/cmake/find_nccl.cmake
        DESTINATION ${package_dir} COMPONENT dev)

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
# A program must start where it was linked.
set(pc_rpath "")
if(NOT ONEFOLD_STATIC AND NOT onefold_in_system)
  set(pc_rpath " -Wl,-rpath,\${libdir}")
endif()
foreach(package onefold onefold-custom)
  configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  include(cmake/packages.cmake)
endif()
