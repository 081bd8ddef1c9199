# cpack: Debian packages of a build for /usr, else an archive that works wherever it is unpacked.

set(CPACK_PACKAGE_NAME onefold)
set(CPACK_PACKAGE_VENDOR onefold)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_THREADS 0)
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" CPACK_SYSTEM_NAME)
# Who makes packages for others says who they are.
set(CPACK_PACKAGE_CONTACT "the onefold authors <onefold@example.invalid>" CACHE STRING "Maintainer of the packages: Name <address>")

if(NOT onefold_in_system)
  set(CPACK_GENERATOR TGZ)
  include(CPack)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

set(copyright ${PROJECT_BINARY_DIR}/packages.copyright)
file(READ LICENSE license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" license "${license}")
string(REGEX MATCH "Copyright \\(c\\) [^\n]*" holders "${license}")
string(REPLACE "Copyright (c) " "" holders "${holders}")
file(READ third_party/nlohmann/LICENSE.MIT json_license)
string(REGEX MATCH "Copyright \\(c\\) [^\n]*" json_holders "${json_license}")
string(REPLACE "Copyright (c) " "" json_holders "${json_holders}")
file(CONFIGURE OUTPUT ${copyright} @ONLY CONTENT [[
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: onefold

Files: *
Copyright: @holders@
License: MIT

Files: third_party/nlohmann/*
Copyright: @json_holders@
License: MIT

License: MIT
 @license@
]])

# The day of the version, as Debian's changelogs write it.
execute_process(COMMAND date --utc --rfc-email --date=${onefold_version_date} OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE)

# onefold_package(<component> <name> <depends> <recommends> <section> <description>): a Debian package of an installed component.
function(onefold_package component name depends recommends section description)
  string(TOUPPER ${component} upper)
  set(changelog ${PROJECT_BINARY_DIR}/packages.changelogs/${name}/changelog.Debian)
  file(WRITE ${changelog} "onefold (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}: see CHANGELOG.md in libonefold-dev.

 -- ${CPACK_PACKAGE_CONTACT}  ${day}
")
  execute_process(COMMAND gzip -9nf ${changelog})
  install(FILES ${copyright} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} COMPONENT ${component} RENAME copyright)
  install(FILES ${changelog}.gz DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} COMPONENT ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS "${recommends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${description}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

set(same_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
get_target_property(soversion onefold SOVERSION)
set(library libonefold${soversion})
set(modules ${ONEFOLD_BACKENDS})
list(REMOVE_ITEM modules threads)
if(ONEFOLD_STATIC)
  set(modules "")
endif()
set(recommended "")
set(CPACK_COMPONENTS_ALL "")

foreach(name IN LISTS modules)
  onefold_package(${name} libonefold-${name} "${library} ${same_version}" "" libs
                  "The backend ${name}, a module that the library loads when it is there.")
  # It needs its runtime, and of the C library perhaps nothing.
  set(overrides ${PROJECT_BINARY_DIR}/packages.overrides/libonefold-${name})
  file(WRITE ${overrides} "libonefold-${name}: library-not-linked-against-libc *\n")
  install(FILES ${overrides} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides COMPONENT ${name})
  if(NOT name IN_LIST onefold_accelerators)
    list(APPEND recommended libonefold-${name})
  endif()
endforeach()
list(JOIN recommended ", " recommended)
if(NOT ONEFOLD_STATIC)
  onefold_package(library ${library} "" "${recommended}" libs "The shared library, with the backends sequential and threads.")
  set(triggers ${PROJECT_BINARY_DIR}/packages.triggers/triggers)
  file(WRITE ${triggers} "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${triggers})
  set(depends_on_library "${library} ${same_version}")
endif()
onefold_package(dev libonefold-dev "${depends_on_library}" "" libdevel
                "Headers, files for CMake and pkg-config, and documentation.")
if(TARGET onefold_program)
  onefold_package(program onefold "${depends_on_library}" "${recommended}" science
                  "The program onefold: reductions of files, with their accuracy and speed.\nWith its manual page, and completion for bash, zsh and fish.")
endif()
include(CPack)
