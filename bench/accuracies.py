"""What the accuracies promise, how far results are off on built-in data, and what they cost."""
import json
import subprocess

from bars import GIB, KIB, MIB

#: The data sets of the table: words for `onefold accuracy`, and how the table calls them.
N = 1_000_000
DATA = [(["uniform"], "uniform"), (["small-terms"], "small terms"), (["conditioned", "--cond", "1e4"], "condition 1e4"),
        (["conditioned", "--cond", "1e12"], "condition 1e12")]

#: mode -> the bound of a sum's error for f32 and f64 (docs/accuracy.md), and where its speed was measured: the row, the
#: contender, and the native sum that took turns with it.
MODES = {
    "left fold": (["none", "none"], None),
    "native": (["γ_h(u) Σ\\|x\\|"] * 2, ("modes", "sum", "sum")),
    "wide": (["u\\|s\\| + γ_h(2^-53) Σ\\|x\\|", "u\\|s\\| + 3(h+1) u² Σ\\|x\\|"], ("modes", "sum-wide", "sum")),
    "kahan": (["u\\|s\\| + γ_h(u) γ_2h(u) Σ\\|x\\|"] * 2, ("modes", "sum-kahan", "sum")),
    "exact": (["u\\|s\\|: correctly rounded"] * 2, ("exact", "exact", "native")),
}
TYPES = ["f32", "f64"]
SIZES = {MIB: "1 MB", 16 * MIB: "16 MB", GIB: "1 GB"}
WITHOUT = ("The run that these results are of measured no errors: `bench/run.py` does where it finds the program "
           "`onefold` beside the benchmark.")


def measure(program):
    """For each type and data set what the laboratory finds, on the sequential backend: all have its bits."""
    found = []
    for dtype in TYPES:
        for words, name in DATA:
            command = [str(program), "accuracy", "--data", *words, "--dtype", dtype, "--n", str(N), "--seed", "1",
                       "--backend", "sequential", "--format", "json"]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            [study] = json.loads(done.stdout)["studies"]
            found.append({"data": name, "dtype": dtype, "n": study["n"], "seed": study["seed"],
                          "condition": study["condition"],
                          "findings": [{key: f[key] for key in ["mode", "error", "ulps", "bound"]}
                                       for f in study["findings"]]})
    return found


def shown(ulps):
    """Errors in ulps: a correctly rounded result has at most 0.5."""
    return "" if ulps is None else "0" if ulps == 0 else f"{ulps:.2g}" if ulps < 1000 else f"{ulps:.1e}"


def used(findings):
    """The largest error in shares of its bound."""
    shares = [abs(float(f["error"])) / float(f["bound"]) for f in findings if f["bound"]]
    return f"{max(shares):.2g}" if shares else ""


def speed_and_cost(m, dtype, size, row, mode, native):
    """A mode's GB/s on an array of so many bytes, and its time over that of the native sum in the same row."""
    row = f"{row}/{dtype}/{size}/1"
    mode, native = m.find(row, mode), m.find(row, native)
    return [f"{m.gb_per_s(mode):.3g}", f"{m.speed(native, mode)[0]:.2f}"] if mode and native else ["", ""]


def rows(m, dtype):
    """A row for each mode: its bound, its errors and how much of the bound they take, its speeds and costs."""
    studies = [s for s in m.accuracy if s["dtype"] == dtype]
    for mode, (bounds, speed) in MODES.items():
        findings = [f for s in studies for f in s["findings"] if f["mode"] == mode]
        line = [f"`{mode}`" if speed else mode, bounds[TYPES.index(dtype)]]
        if studies:
            line += [shown(f["ulps"]) for f in findings] + [used(findings)]
        for size in SIZES:
            line += speed_and_cost(m, dtype, size, *speed) if speed else ["", ""]
        yield line


def page(m, table):
    """The part of docs/results.md: a table for each type, made by `table`; the errors are left out where none were measured."""
    text = []
    for dtype in TYPES:
        studies = [s for s in m.accuracy if s["dtype"] == dtype]
        lines = list(rows(m, dtype))
        if not studies and not any(line[-1] for line in lines):
            continue
        errors = [s["data"] for s in studies] + ["of its bound"] * bool(studies)
        speeds = [head for size in SIZES.values() for head in (f"GB/s, {size}", f"cost, {size}")]
        columns = zip([f"sum of {dtype}", "error bound"] + errors + speeds, *lines)
        head, *lines = zip(*(c for c in columns if any(c[1:])))  # a quick run measures the speed of one type
        text.append(table(head, lines))
    c = m.context
    told = (f"Errors in ulps of the exact result (a correctly rounded one has at most 0.5), of sums of {N} elements, "
            "seed 1; \"of its bound\": the largest error over the mode's bound." if m.accuracy else WITHOUT)
    cost = "Cost: the time over that of a native sum which took turns with it."
    return "\n".join([f"{told} {cost} Speeds of one thread: {c['cpu']}, commit {c['commit']}, {c['date']}.\n"] + text)
