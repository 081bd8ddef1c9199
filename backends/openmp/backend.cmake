# What the OpenMP backend stands on.
set(package_openmp OpenMP COMPONENTS CXX)
set(debian_openmp "g++ or libomp-dev")
set(uses_openmp OpenMP::OpenMP_CXX)
set(linked_openmp "\${OpenMP_CXX_FLAGS}")  # known where it was found
