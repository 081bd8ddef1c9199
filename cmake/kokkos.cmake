# Finds Kokkos (Debian package libtrilinos-kokkos-dev), as the target Kokkos::kokkos.

find_package(Kokkos QUIET)
if(TARGET Kokkos::kokkos)  # Debian's says that its headers are in /usr/lib/include
  find_path(ONEFOLD_KOKKOS_INCLUDE Kokkos_Core.hpp PATH_SUFFIXES trilinos kokkos DOC "Where Kokkos_Core.hpp is")
  get_target_property(includes Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(includes STREQUAL "/usr/lib/include" AND ONEFOLD_KOKKOS_INCLUDE)
    set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${ONEFOLD_KOKKOS_INCLUDE})
  endif()
endif()
