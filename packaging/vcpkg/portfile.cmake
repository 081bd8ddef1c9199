# For an overlay port: vcpkg install onefold --overlay-ports=packaging/vcpkg, of the source tree that it is in.

get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    cuda ONEFOLD_CUDA
    tbb  ONEFOLD_TBB
    tool ONEFOLD_PROGRAM
)

# A static triplet has one library with all backends in it.
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "static" ONEFOLD_STATIC)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DONEFOLD_STATIC=${ONEFOLD_STATIC}
    -DONEFOLD_OPENMP=ON
    -DONEFOLD_CUDA_ARCHITECTURES=release
    -DONEFOLD_EXAMPLES=OFF
    -DONEFOLD_INSTALL=ON
    -DONEFOLD_TESTS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/onefold)
vcpkg_fixup_pkgconfig()
if("tool" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES onefold AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
                    "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/third_party/nlohmann/LICENSE.MIT")
