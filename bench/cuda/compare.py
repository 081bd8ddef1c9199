#!/usr/bin/env python3
"""Makes peers.json, the comparison with the peers on a GPU, of what was measured there.

usage: compare.py RESULTS
`onefold report --from RESULTS/peers.json` makes a page of it. The folder has cuda.json of onefold_bench_cuda and, where PyTorch or CuPy were, python.json of peers.py.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from compare_peers import ulps, write_json

DEVICE, HOST = "on the device", "a value to the host"


def times(cuda, python):
    """The least microseconds of each contender: (dtype, n, where, who) -> us."""
    found = {}
    for r in cuda["rows"]:
        if r["group"] == "peers":
            key = (r["dtype"], r["n"], DEVICE if r["op"] == "sum" else HOST, r["who"])
            found[key] = min(r["us"], found.get(key, r["us"]))
    for r in python["rows"]:
        found[r["dtype"], r["n"], DEVICE, r["who"]] = r["device_us"]
        found[r["dtype"], r["n"], HOST, r["who"]] = r["host_us"]
    return found


def comparison(cuda, python):
    us = times(cuda, python)
    speeds = []
    for (kind, n, where, who), took in us.items():
        ours = us.get((kind, n, where, "onefold"))
        if ours:
            speeds.append({"op": "sum", "dtype": kind, "n": n, "where": where, "who": who, "flags": "as installed",
                           "ns": 1000 * took, "onefold_ns": 1000 * ours, "onefold_speed": took / ours})
    answers = []
    for r in cuda["answers"] + python["answers"]:
        exact = cuda["exact"].get(f"{r['op']}/{r['dtype']}/{r['n']}")
        if exact:
            answers.append({"op": r["op"], "dtype": r["dtype"], "n": r["n"], "who": r["who"], "flags": "as installed",
                            "runs": r["runs"], "threads": [], "answers_in_runs": len(r["values"]),
                            "answers_over_threads": len(r["values"]), "ulps": ulps(r["dtype"], r["values"], exact)})
    context = dict(cuda["context"])
    versions = {r["who"] for r in python["rows"]}
    cub = context["cub"]
    context["libraries"] = ", ".join([f"CUB {cub // 100000}.{cub // 100 % 1000}", *sorted(versions)])
    return {"context": context, "speeds": speeds, "answers": answers}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    python = folder / "python.json"
    found = comparison(json.loads((folder / "cuda.json").read_text()),
                       json.loads(python.read_text()) if python.exists() else {"rows": [], "answers": []})
    write_json(folder / "peers.json", found)
    print(folder / "peers.json")


if __name__ == "__main__":
    main()
