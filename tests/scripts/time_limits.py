"""A time limit ends a test that hangs. It is no measure: on a busy machine a test takes ten times as long as on a quiet one.

usage: time_limits.py CTEST BUILD PRESETS
"""

import json
import subprocess
import sys

LEAST = 1500  # seconds: ten times what the longest tests take; CTest's own default

ctest, build, presets = sys.argv[1:]
listed = json.loads(subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], stdout=subprocess.PIPE,
                                   check=True).stdout)
limits = {t["name"]: p["value"] for t in listed["tests"] for p in t.get("properties", []) if p["name"] == "TIMEOUT"}
with open(presets, encoding="utf-8") as file:
    limits |= {f"preset {p['name']}": p["execution"]["timeout"] for p in json.load(file)["testPresets"] if "execution" in p}
short = {name: limit for name, limit in limits.items() if limit < LEAST}
for name, limit in short.items():
    print(f"{name}: a limit of {limit:g} s; {LEAST} s at least")
print(f"{len(listed['tests'])} tests, {len(limits)} limits")
sys.exit(1 if short or not listed["tests"] or not limits else 0)
