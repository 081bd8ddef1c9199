#!/usr/bin/env python3
"""Makes a program of the recipes of docs/cookbook.md, and compares what it prints with the outputs in the document.

usage: cookbook.py DOCUMENT SOURCE              writes the program
       cookbook.py DOCUMENT PROGRAM --check     runs it in a folder of its own; exit code 1 where an output differs
       cookbook.py DOCUMENT PROGRAM --renew     writes the outputs into the document

A recipe is a heading, a block of C++, which is the body of a function, and a block of text: what it prints. The first
block of C++ is what all begin with.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

RECIPE = re.compile(r"^## ([^\n]+)\n\n```cpp\n(.*?)```\n\n```text\n(.*?)```\n", re.MULTILINE | re.DOTALL)


def fail(text):
    sys.exit(f"cookbook.py: {text}")


def recipes(path):
    """The document, and matches of its recipes; every section must be one."""
    text = path.read_text()
    found = list(RECIPE.finditer(text))
    without = set(re.findall(r"^## (.+)$", text, re.MULTILINE)) - {r[1] for r in found}
    if without or not found:
        fail(f"{path} has no program or no output under: {', '.join(without) or 'any heading'}")
    return text, found


def write_program(path, source):
    text, found = recipes(path)
    parts = [re.search(r"```cpp\n(.*?)```", text, re.DOTALL)[1]]
    for number, recipe in enumerate(found):
        line = text.count("\n", 0, recipe.start(2)) + 1
        parts.append(f'static void recipe_{number}() {{\n#line {line} "{path.name}"\n{recipe[2]}}}\n')
    calls = "".join(f'  std::cout << "\\f";\n  recipe_{n}();\n' for n in range(len(found)))
    source.write_text("\n".join(parts) + f"int main() {{\n{calls}}}\n")


def outputs(program):
    """What each recipe prints."""
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run([program.resolve()], cwd=folder, capture_output=True, text=True, timeout=600)
    if ran.returncode != 0:
        fail(f"the program ended with {ran.returncode}: {ran.stdout[-500:]}{ran.stderr[-500:]}")
    return ran.stdout.split("\f")[1:]


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--check"], ["--renew"]):
        sys.exit(__doc__)
    path, file = map(pathlib.Path, sys.argv[1:3])
    if not sys.argv[3:]:
        return write_program(path, file)
    text, found = recipes(path)
    printed = outputs(file)
    if len(printed) != len(found):
        fail(f"{len(found)} recipes, {len(printed)} outputs")
    if sys.argv[3] == "--renew":
        for recipe, output in reversed(list(zip(found, printed))):
            text = text[:recipe.start(3)] + output + text[recipe.end(3):]
        path.write_text(text)
        return
    wrong = [(r, p) for r, p in zip(found, printed) if r[3] != p]
    for recipe, output in wrong:
        print(f'"{recipe[1]}" shows\n{recipe[3]}and prints\n{output}')
    sys.exit(1 if wrong else 0)


main()
