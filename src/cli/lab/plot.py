"""Draws what `onefold accuracy --format json` writes (standard input) to standard output, as SVG or PNG: the relative
error and the bound of each mode, against the condition number or, where one condition number was asked for or none, against n."""

import json
import math
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402 (the backend has to be chosen first)


def number(x):
    return float(x) if x is not None else math.nan


def relative(absolute, study):
    size = abs(number(study["exact"]))
    return number(absolute) / size if size else math.inf


def plain(text):
    """The text with no dollar that matplotlib would read as the start of a formula, and with no character that a
    reader of the plot's own text would act on."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown.replace("$", r"\$")


def main(file_format):
    told = json.load(sys.stdin)
    studies = told["studies"]
    by_condition = len({s.get("asked_condition") for s in studies}) > 1 or len({s["n"] for s in studies}) == 1
    x_name = "condition" if by_condition else "n"
    studies.sort(key=lambda s: number(s[x_name]))

    several = len({s["data"] for s in studies}) > 1
    lines = {}  # data set and mode -> [(x, error, bound)]; a backend of its own where its bits differ
    for study in studies:
        for finding in study["findings"]:
            name = f"{study['data']}, {finding['mode']}" if several else finding["mode"]
            if finding["same_bits"] is False:
                name += ", " + finding["backend"]
            point = (number(study[x_name]), number(finding["relative"]), relative(finding["bound"], study))
            points = lines.setdefault(name, [])
            if point not in points:
                points.append(point)

    figure, axes = pyplot.subplots(figsize=(8, 5.5), layout="constrained")
    axes.set_xscale("log")
    axes.set_yscale("log")
    finite = [y for points in lines.values() for p in points for y in p[1:] if 0 < y < math.inf]
    floor = min(finite, default=1e-20) / 10  # where errors of zero are drawn
    for name, points in lines.items():
        xs = [p[0] for p in points]
        drawn, = axes.plot(xs, [p[1] if p[1] > 0 else floor for p in points], "o-", markersize=4, label=plain(name))
        if not all(math.isnan(p[2]) for p in points):
            axes.plot(xs, [p[2] for p in points], "--", linewidth=1, color=drawn.get_color())
    if any(p[1] == 0 for points in lines.values() for p in points):
        axes.axhline(floor, color="0.8", linewidth=0.8, zorder=0)
        axes.annotate("no error", (1, floor), xycoords=("axes fraction", "data"), ha="right", va="bottom", color="0.5")
    names = ", ".join(dict.fromkeys(s["data"] for s in studies))
    counts = sorted({s["n"] for s in studies})
    shown = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    axes.set_title(f"{told['op']} of {shown} {studies[0]['dtype']}: {plain(names)}")
    axes.set_xlabel("condition number" if by_condition else "elements")
    axes.set_ylabel("relative error (dashed: the mode's bound)")
    axes.grid(True, which="major", color="0.9")
    axes.legend()
    figure.savefig(sys.stdout.buffer, format=file_format, dpi=150)


main(sys.argv[1])
