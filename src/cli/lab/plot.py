"""Draws what `onefold accuracy --format json` writes (standard input) to standard output, as SVG or PNG. Of one array:
a dot for the error of each mode on each backend, in ulps. Of several: the relative error and the bound of each mode,
against the condition number or, where one condition number was asked for or none, against n. Of row operations the
largest error of each way, in ulps, and the mean instead of a bound; of several against the length of lines, or n.
plot_style.py stands before it."""

import json
import sys

MODES = ["left fold", "native", "wide", "kahan", "exact"]


def color_of(mode):
    """A plain loop has that of a left fold; packages of Python have one of their own."""
    mode = "left fold" if mode == "plain loop" else mode
    return COLORS[MODES.index(mode) if mode in MODES else len(MODES)]


def of_rows(study):
    return "length" in study


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


def title_of(told, names, counts):
    shown = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return f"{told['op']} of {shown} {told['studies'][0]['dtype']}: {plain(names)}"


def floor_under(errors):
    """Where errors of zero are drawn on a logarithmic axis."""
    return min((e for e in errors if 0 < e < math.inf), default=1) / 10


def ulp_of(study):
    """One unit in the last place of the exact result; nothing where no error tells."""
    for f in study["findings"]:
        if f["ulps"] is not None and 0 < number(f["ulps"]) < math.inf and 0 < abs(number(f["error"])) < math.inf:
            return abs(number(f["error"])) / number(f["ulps"])
    return None


def dots(told):
    """A row for each mode and backend: its error, and its mode's bound."""
    [study] = told["studies"]
    findings = study["findings"]
    in_ulps = all(f["ulps"] is not None for f in findings)
    errors = [number(f["ulps"]) if in_ulps else abs(number(f["error"])) for f in findings]
    if of_rows(study):
        bounds, bar = [number(f["mean_ulps"]) for f in findings], "the mean error"
    else:
        unit, bar = ulp_of(study) if in_ulps else 1, "the mode's bound"
        bounds = [number(f["bound"]) / unit if unit else math.nan for f in findings]
    floor = floor_under(errors + bounds)
    figure, axes = pyplot.subplots(figsize=(8, 1.6 + 0.24 * len(findings)), layout="constrained")
    backends = list(dict.fromkeys(f["backend"] for f in findings if f["backend"]))
    finite = [x for x in errors + bounds if 0 < x < math.inf] + [floor]
    axes.set_xscale("log")
    axes.set_xlim(min(finite) / 3, max(finite) * 3)
    for y, (f, error, bound) in enumerate(zip(findings, errors, bounds)):
        color = color_of(f["mode"])
        marker = MARKERS[backends.index(f["backend"]) % len(MARKERS)] if f["backend"] else MARKERS[-1]
        at = floor if error == 0 else min(error, axes.get_xlim()[1])
        axes.plot(at, y, marker, color=color, markersize=6, markerfacecolor=PAPER if error == 0 else color)
        if 0 < bound < math.inf:
            axes.plot(bound, y, "|", color=color, markersize=10, markeredgewidth=2)
        axes.annotate("0" if error == 0 else f"{error:.3g}", (1, y), (6, 0), xycoords=("axes fraction", "data"),
                      textcoords="offset points", va="center", fontsize=8, color=INK, annotation_clip=False)
        if y > 0 and f["mode"] != findings[y - 1]["mode"]:
            axes.axhline(y - 0.5, color=GRID, linewidth=0.8, zorder=0)
    axes.set_yticks(range(len(findings)),
                    [plain(f["mode"]) + (f", {f['backend']}" if f["backend"] else "") for f in findings],
                    fontsize=8)
    axes.set_ylim(len(findings) - 0.5, -0.5)
    if finite == [floor]:
        axes.set_xticks([floor], ["0"])
        axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("largest error, units in the last place of the exact result" if of_rows(study) else
                    "error, units in the last place of the exact result" if in_ulps else
                    "absolute error (the exact result is 0, which has no unit in the last place)")
    axes.set_title(title_of(told, study["data"], [study["n"]]), fontsize=11)
    handles = [pyplot.Line2D([], [], linestyle="", marker="o", color=SOFT, label="error")]
    if any(0 < b < math.inf for b in bounds):
        handles.append(pyplot.Line2D([], [], linestyle="", marker="|", markersize=10, markeredgewidth=2, color=SOFT,
                                     label=bar))
    if 0 in errors:
        handles.append(pyplot.Line2D([], [], linestyle="", marker="o", color=SOFT, markerfacecolor=PAPER,
                                     label="no error at all"))
    legend_below(figure, handles)
    return figure


def point_of(x_name, study, finding):
    """Where a finding stands: x, the error, and what is dashed."""
    if of_rows(study):
        return number(study[x_name]), number(finding["ulps"]), number(finding["mean_ulps"])
    return number(study[x_name]), number(finding["relative"]), relative(finding["bound"], study)


def lines(told):
    """The error of each mode, and dashed its bound, or the mean error."""
    studies = told["studies"]
    rows = of_rows(studies[0])
    by_condition = not rows and (len({s.get("asked_condition") for s in studies}) > 1 or
                                 len({s["n"] for s in studies}) == 1)
    x_name = "condition" if by_condition else "length" if rows and len({s["length"] for s in studies}) > 1 else "n"
    studies.sort(key=lambda s: number(s[x_name]))

    several = len({s["data"] for s in studies}) > 1
    drawn = {}  # data set and mode -> [(x, error, bound)]; a backend of its own where its bits differ
    for study in studies:
        for finding in study["findings"]:
            name = f"{study['data']}, {finding['mode']}" if several else finding["mode"]
            if finding["same_bits"] is False:
                name += ", " + finding["backend"]
            point = point_of(x_name, study, finding)
            points = drawn.setdefault(name, [])
            if point not in points:
                points.append(point)

    figure, axes = pyplot.subplots(figsize=(8, 5.5), layout="constrained")
    axes.set_xscale("log")
    axes.set_yscale("log")
    floor = floor_under(y for points in drawn.values() for p in points for y in p[1:])
    for i, (name, points) in enumerate(drawn.items()):
        xs, color = [p[0] for p in points], COLORS[i % len(COLORS)]
        marker = MARKERS[(i + i // len(COLORS)) % len(MARKERS)]
        axes.plot(xs, [p[1] if p[1] > 0 else floor for p in points], marker=marker, markersize=4, color=color,
                  label=plain(name))
        if not all(math.isnan(p[2]) for p in points):
            axes.plot(xs, [p[2] for p in points], "--", linewidth=1, color=color)
    if any(p[1] == 0 for points in drawn.values() for p in points):
        axes.axhline(floor, color=GRID, linewidth=0.8, zorder=0)
        axes.annotate("no error", (1, floor), (0, 2), xycoords=("axes fraction", "data"), textcoords="offset points",
                      ha="right", va="bottom", color=SOFT)
    names = ", ".join(dict.fromkeys(s["data"] for s in studies))
    axes.set_title(title_of(told, names, sorted({s["n"] for s in studies})))
    axes.set_xlabel({"condition": "condition number", "n": "elements", "length": "elements of a line"}[x_name])
    axes.set_ylabel("largest error in ulps (dashed: the mean)" if rows else
                    "relative error (dashed: the mode's bound)")
    legend_below(figure, axes.get_legend_handles_labels()[0])
    return figure


def main(file_format):
    told = json.load(sys.stdin)
    figure = dots(told) if len(told["studies"]) == 1 else lines(told)
    if file_format == "svg":
        sys.stdout.buffer.write(svg(figure).encode())
    else:
        figure.savefig(sys.stdout.buffer, format=file_format, dpi=150)


main(sys.argv[1])
