"""The recipes under packaging/, and what else repeats the version: do they say what the library says?

usage: packaging.py SOURCE CMAKE
"""

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, CMAKE = sys.argv[1], sys.argv[2]


def text_of(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


HEADER = text_of("include", "onefold", "version.hpp")
VERSION = ".".join(re.findall(r"#define ONEFOLD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)\n", HEADER))
DATE = re.search(r'#define ONEFOLD_VERSION_DATE "(.*)"', HEADER)[1]

# What a port of vcpkg calls, of which only the options are looked at.
VCPKG = r"""
cmake_policy(VERSION 3.25)
set(VCPKG_LIBRARY_LINKAGE dynamic)
set(CURRENT_PACKAGES_DIR ${WORK})
set(FEATURES core tbb tool)
function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_FEATURE_OPTIONS" "FEATURES")
  set(options "")
  while(arg_FEATURES)
    list(POP_FRONT arg_FEATURES feature option)
    if(feature IN_LIST FEATURES)
      list(APPEND options -D${option}=ON)
    else()
      list(APPEND options -D${option}=OFF)
    endif()
  endwhile()
  set(${arg_OUT_FEATURE_OPTIONS} ${options} PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  file(WRITE ${WORK}/source ${arg_SOURCE_PATH})
  file(WRITE ${WORK}/options "${arg_OPTIONS}")
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(WRITE ${WORK}/copyright "${arg_FILE_LIST}")
endfunction()
foreach(name vcpkg_cmake_install vcpkg_cmake_config_fixup vcpkg_fixup_pkgconfig vcpkg_copy_tools)
  cmake_language(EVAL CODE "function(${name})\nendfunction()")
endforeach()
include(${PORT})
"""


def options_of_the_library():
    """The names of all CMake options."""
    text = text_of("CMakeLists.txt")
    for name in sorted(os.listdir(os.path.join(SOURCE, "cmake"))):
        text += text_of("cmake", name)
    names = set(re.findall(r"(?:option|set)\((ONEFOLD_[A-Z_]+) ", text))
    backends = re.findall(r"^ONEFOLD_BACKEND\((\w+)", text_of("include", "onefold", "backends.def"), re.MULTILINE)
    return names | {"ONEFOLD_" + name.upper() for name in backends}


class Version(unittest.TestCase):
    def test_every_copy(self):
        self.assertRegex(VERSION, r"^\d+\.\d+\.\d+$")
        self.assertRegex(DATE, r"^\d{4}-\d\d-\d\d$")
        citation = text_of("CITATION.cff")
        self.assertIn(f"\nversion: {VERSION}\n", citation)
        self.assertIn(f"\ndate-released: {DATE}\n", citation)
        self.assertEqual(json.loads(text_of("packaging", "vcpkg", "vcpkg.json"))["version"], VERSION)
        self.assertIn(f'\n  version: "{VERSION}"\n', text_of("packaging", "conda", "recipe.yaml"))
        newest = re.search(r"^## (\S+) \((.*)\)$", text_of("CHANGELOG.md"), re.MULTILINE)
        self.assertEqual(newest[1], VERSION)
        self.assertIn(newest[2], ("unreleased", DATE))


class Recipes(unittest.TestCase):
    def test_options(self):
        known = options_of_the_library()
        for path in (("packaging", "conda", "recipe.yaml"), ("packaging", "conan", "conanfile.py"),
                     ("packaging", "vcpkg", "portfile.cmake"), ("CMakePresets.json",)):
            for name in set(re.findall(r"ONEFOLD_[A-Z_]+", text_of(*path))) - {"ONEFOLD_VERSION_"}:
                self.assertIn(name, known, os.path.join(*path))

    def test_conan(self):
        for path in (("conanfile.py",), ("test_package", "conanfile.py")):
            ast.parse(text_of("packaging", "conan", *path))
        recipe = text_of("packaging", "conan", "conanfile.py")
        exported = re.search(r"for pattern in \((.*?)\):", recipe, re.DOTALL)[1]
        for pattern in re.findall(r'"([^"]*)"', exported):
            self.assertTrue(os.path.exists(os.path.join(SOURCE, pattern.rstrip("*"))), pattern)

    def test_conda(self):
        recipe = text_of("packaging", "conda", "recipe.yaml")
        self.assertEqual(re.findall(r"[{]%|# *\[", recipe), [])  # of the older format, in which they are not read
        for files in re.findall(r" (?:license_file|source):\n((?: +- \S+\n)+)", recipe):
            for path in re.findall(r"- (\S+)", files):
                self.assertTrue(os.path.exists(os.path.join(SOURCE, path)), path)
        on = re.findall(r"-DONEFOLD_(\w+)=ON", recipe)
        self.assertEqual(sorted(on), sorted(m.upper() for m in re.findall(r"- lib/onefold/libonefold_(\w+)[.]so", recipe)))

    def test_vcpkg_manifest(self):
        text = text_of("packaging", "vcpkg", "vcpkg.json")
        manifest = json.loads(text)
        self.assertEqual(text, json.dumps(manifest, indent=2) + "\n")  # as vcpkg format-manifest writes it
        order = ["name", "version", "description", "license", "supports", "dependencies", "features"]
        self.assertEqual(list(manifest), order)
        for with_dependencies in [manifest, *manifest["features"].values()]:
            names = [d if isinstance(d, str) else d["name"] for d in with_dependencies["dependencies"]]
            self.assertEqual(names, sorted(names))

    def test_vcpkg_port(self):
        port = os.path.join(SOURCE, "packaging", "vcpkg", "portfile.cmake")
        features = json.loads(text_of("packaging", "vcpkg", "vcpkg.json"))["features"]
        with tempfile.TemporaryDirectory() as work:
            script = os.path.join(work, "run.cmake")
            with open(script, "w", encoding="utf-8") as out:
                out.write(VCPKG)
            subprocess.run([CMAKE, f"-DWORK={work}", f"-DPORT={port}", "-P", script], check=True)
            def written(name):
                with open(os.path.join(work, name), encoding="utf-8") as file:
                    return file.read()
            self.assertEqual(os.path.realpath(written("source")), os.path.realpath(SOURCE))
            options = written("options").split(";")
            for option in ("-DONEFOLD_TBB=ON", "-DONEFOLD_PROGRAM=ON", "-DONEFOLD_CUDA=OFF", "-DONEFOLD_TESTS=OFF"):
                self.assertIn(option, options)
            for file in written("copyright").split(";"):
                self.assertTrue(os.path.exists(file), file)
        for feature in features:
            self.assertRegex(text_of("packaging", "vcpkg", "portfile.cmake"), rf"\n    {feature} +ONEFOLD_")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
