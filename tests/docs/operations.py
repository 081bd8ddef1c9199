#!/usr/bin/env python3
"""Checks that the documents name every operation of the catalog where they say what operations do: the modes of each in
docs/accuracy.md, and the results of each in docs/semantics.md. In a table the header and the first column count, beside
it what is written as code.

usage: operations.py    in the root of the source tree; names each that is missing, and ends with exit code 1 if one is
"""
import pathlib
import re
import sys

SECTIONS = [("docs/accuracy.md", r"^Modes by operation:\n\n(.*?)\n\n"), ("docs/semantics.md", r"^## Results\n\n(.*?)^## ")]


def operations():
    """The names of the descriptors; as many as the catalog lists."""
    listed = re.findall(r"\bop::\w+(?=[,>])", pathlib.Path("include/onefold/catalog.hpp").read_text())
    catalog = "".join(path.read_text() for path in pathlib.Path("include/onefold/catalog").glob("*.hpp"))
    names = re.findall(r"static constexpr const char\* name = \"(\w+)\"", catalog)
    if not names or len(names) != len(listed):
        sys.exit(f"the catalog lists {len(listed)} operations, and {len(names)} descriptors have a name")
    return names


def named(section):
    """The words of a section that can be names of operations."""
    lines = section.splitlines()
    header = next(number for number, line in enumerate(lines) if line.startswith("|"))
    texts = [lines[header]]
    for line in lines:
        texts += [line.split("|")[1]] if line.startswith("|") else re.findall(r"`([^`]*)`", line)
    return set(re.findall(r"\w+", " ".join(texts)))


def main():
    found = []
    for path, section in SECTIONS:
        words = named(re.search(section, pathlib.Path(path).read_text(), re.S | re.M).group(1))
        found += [f"{path} leaves out {name}" for name in operations() if name not in words]
    print("\n".join(found))
    sys.exit(bool(found))


main()
