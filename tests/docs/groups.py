#!/usr/bin/env python3
"""Checks that the API reference has each public header in a group that its main page describes, and no empty group.

usage: groups.py    in the root of the source tree; names each fault, and ends with exit code 1 if there are any
"""
import pathlib
import re
import subprocess
import sys

HEADERS = pathlib.Path("include/onefold")
PAGES = pathlib.Path("docs/api/pages.md").read_text()


def groups_of(header):
    """What the reference's filter puts the file, and what it declares, into."""
    shown = subprocess.run(["awk", "-f", "docs/api/filter.awk", header], stdout=subprocess.PIPE, text=True, check=True)
    return set(re.findall(r"@(?:ingroup|addtogroup) (\w+)", shown.stdout))


def faults():
    defined = set(re.findall(r"^@defgroup (\w+)", PAGES, re.MULTILINE))
    listed = set(re.findall(r"^\| @ref (\w+)", PAGES, re.MULTILINE))
    used = set()
    for header in sorted(HEADERS.rglob("*.[hc][pu][ph]")):
        if (HEADERS / "detail") in header.parents:
            continue
        found = groups_of(header)
        used |= found
        if len(found) != 1:
            yield f"{header}: is in {len(found)} groups of the reference; docs/api/filter.awk assigns them"
    for name in sorted(defined | listed | used):
        for what, where in (("defined", defined), ("listed", listed), ("used by a header", used)):
            if name not in where:
                yield f"docs/api/pages.md: group {name} is not {what}"


found = list(faults())
print("\n".join(found))
sys.exit(bool(found))
