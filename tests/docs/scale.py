#!/usr/bin/env python3
"""docs/scale.md has the tables that bench/scale.py prints of the stored measurements.

usage: scale.py FOLDER, of the project
"""

import re
import subprocess
import sys

folder = sys.argv[1]
with open(f"{folder}/docs/scale.md", encoding="utf-8") as file:
    page = file.read()
stored = re.search(r"`(bench/results/scale/[^`]*[.]json)`", page).group(1)
made = subprocess.run([sys.executable, "-B", f"{folder}/bench/scale.py", "--from", f"{folder}/{stored}"], check=True,
                      capture_output=True, text=True).stdout
missing = [line for line in made.splitlines() if line not in page.splitlines()]
tables = [line for line in page.splitlines() if line.startswith("|")]
extra = [line for line in tables if line not in made.splitlines()]
for line in missing:
    print(f"docs/scale.md lacks {line}")
for line in extra:
    print(f"bench/scale.py does not print {line}")
sys.exit(bool(missing or extra or not tables))
