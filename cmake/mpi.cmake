# onefold::mpi: onefold/mpi.hpp and MPI. The library itself does not link it.

set(ONEFOLD_MPI AUTO CACHE STRING "Offer the target onefold::mpi, with its tests and example: AUTO, ON or OFF")
set_property(CACHE ONEFOLD_MPI PROPERTY STRINGS AUTO ON OFF)
if(NOT ONEFOLD_MPI MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|1|0)$")
  message(FATAL_ERROR "ONEFOLD_MPI=${ONEFOLD_MPI}: it is AUTO, ON or OFF")
endif()

if(NOT ONEFOLD_MPI)
  set(onefold_mpi_note "mpi: left out by ONEFOLD_MPI=${ONEFOLD_MPI}")
  return()
endif()
set(MPI_CXX_SKIP_MPICXX ON)  # MPI's own C++ interface, gone since MPI 3
find_package(MPI QUIET COMPONENTS CXX GLOBAL)
if(TARGET MPI::MPI_CXX)
  string(STRIP "mpi: MPI ${MPI_CXX_VERSION}" onefold_mpi_note)  # FindMPI does not always find the version
  add_library(onefold_mpi INTERFACE)
  add_library(onefold::mpi ALIAS onefold_mpi)
  target_link_libraries(onefold_mpi INTERFACE onefold MPI::MPI_CXX)
elseif(ONEFOLD_MPI STREQUAL AUTO)
  set(onefold_mpi_note "mpi: left out, MPI was not found (Debian package libopenmpi-dev or libmpich-dev)")
else()
  message(FATAL_ERROR "ONEFOLD_MPI=${ONEFOLD_MPI}, but MPI was not found: install the Debian package libopenmpi-dev or "
                      "libmpich-dev, or configure with -DONEFOLD_MPI=OFF")
endif()

# What Open MPI, versions 4 and 5, asks for where tests run as root or with more ranks than processors; MPICH asks for
# nothing.
set(onefold_mpi_environment ONEFOLD_PROFILE=none OMP_WAIT_POLICY=passive OMPI_MCA_mpi_yield_when_idle=1
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe)
