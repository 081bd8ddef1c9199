#!/usr/bin/env python3
"""Checks the Markdown files of the project: links lead to files and headings that exist, no file has the same heading
twice, and the README stays short.

usage: links.py    in the root of the source tree; names each fault, and ends with exit code 1 if there are any
"""
import pathlib
import re
import sys

README_LINES = 150
FOLDERS = ["docs", "backends", "bench", "examples", "packaging", "third_party"]


def documents(root):
    yield from root.glob("*.md")
    for folder in FOLDERS:
        yield from (root / folder).rglob("*.md")


def prose(text):
    """Lines with their numbers, without blocks of code."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside and not line.startswith("    "):
            yield number, line


def headings(text):
    """Headings with their numbers, by the names that GitHub gives to them."""
    for number, line in prose(text):
        if line.startswith("#"):
            title = line.lstrip("#").strip().lower()
            yield number, re.sub(r"[^\w\- ]", "", title).replace(" ", "-")


def faults(path):
    text = path.read_text()
    for number, line in prose(text):
        for target in re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            other = (path.parent / name).resolve() if name else path
            if not other.exists():
                yield number, f"links to {target}, and there is no such file"
            elif anchor and anchor not in [name for _, name in headings(other.read_text())]:
                yield number, f"links to {target}, and there is no such heading"
    seen = {}
    for number, name in headings(text):
        if name in seen:
            yield number, f"has the heading of line {seen[name]} again"
        seen.setdefault(name, number)
    if path == pathlib.Path("README.md") and (lines := len(text.splitlines())) > README_LINES:
        yield lines, f"has more than {README_LINES} lines"


def main():
    found = [f"{path}:{number}: {what}" for path in sorted(documents(pathlib.Path("."))) for number, what in faults(path)]
    print("\n".join(found))
    sys.exit(bool(found))


main()
