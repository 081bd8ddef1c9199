"""Builds onefold from the source tree that this file is in: conan create packaging/conan"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

TREE = "../.."  # from this file


class Onefold(ConanFile):
    name = "onefold"
    description = "Reductions on every machine with the same answer"
    license = "MIT"
    topics = ("reduction", "sum", "reproducible", "openmp", "tbb", "cuda")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "cuda": [True, False],
        "openmp": [True, False],
        "tbb": [True, False],
        "program": [True, False],
        # As the CMake options of the same names, for a smaller build: f32,i64.
        "elements": ["all", "ANY"],
        "levels": ["all", "ANY"],
    }
    default_options = {
        "shared": True,
        "fPIC": True,
        "cuda": False,
        "openmp": True,
        "tbb": True,
        "program": False,
        "elements": "all",
        "levels": "all",
    }
    implements = ["auto_shared_fpic"]

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, TREE, "include/onefold/version.hpp"))
        self.version = ".".join(re.findall(r"#define ONEFOLD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        tree = os.path.join(self.recipe_folder, TREE)
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "backends/*", "cmake/*", "docs/*",
                        "include/*", "src/*", "third_party/*"):
            copy(self, pattern, tree, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.tbb:
            self.requires("onetbb/[>=2021.8 <2023]")
        if self.options.program:
            self.requires("cli11/[>=2.1 <3]")
            self.requires("fmt/[>=9.1 <12]")
            self.requires("libzip/[>=1.7 <2]")
            self.requires("zlib/[>=1.2.13 <2]")

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "ONEFOLD_STATIC": not self.options.shared,
            "ONEFOLD_CUDA": "ON" if self.options.cuda else "OFF",
            "ONEFOLD_CUDA_ARCHITECTURES": "release",
            "ONEFOLD_OPENMP": "ON" if self.options.openmp else "OFF",
            "ONEFOLD_TBB": "ON" if self.options.tbb else "OFF",
            "ONEFOLD_PROGRAM": bool(self.options.program),
            "ONEFOLD_ELEMENTS": str(self.options.elements),
            "ONEFOLD_LEVELS": str(self.options.levels),
            "ONEFOLD_EXAMPLES": False,
            "ONEFOLD_INSTALL": "ON",
            "ONEFOLD_TESTS": False,
        })
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # The package's own configuration files know its targets and its components.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "onefold"))
        self.cpp_info.libs = ["onefold"]
