"""Draws what `onefold report` measured: reads report.json from standard input, and writes an object with the plot of
each chapter as SVG to standard output. plot_style.py stands before it."""

import json
import sys

MODES = ["left fold", "native", "wide", "kahan", "exact"]


def series(row):
    return f"{row['ran']}, {row['location']} data" if row["ran"] == "cuda" else row["ran"]


def reduction(row):
    return f"{row['op']} {row['dtype']}"


def count(n):
    return f"2^{n.bit_length() - 1}" if n >= 1024 and n & (n - 1) == 0 else f"{n:,}"


def grouped(rows, name):
    groups = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return groups


def styles(names):
    return {name: {"color": COLORS[i % 7], "marker": MARKERS[i % 7], "markersize": 4.5, "linewidth": 1.4}
            for i, name in enumerate(names)}


def panels(number, width=4.6, height=3.6, most=2, alone=(8.5, 4.3)):
    """Axes in rows of at most `most`, and their figure, in inches; a single one is wide."""
    columns = min(number, most)
    lines = math.ceil(number / columns)
    size = alone if number == 1 else (width * columns, height * lines)
    figure, axes = pyplot.subplots(lines, columns, figsize=size, layout="constrained", squeeze=False)
    figure.get_layout_engine().set(h_pad=0.1)
    flat = list(axes.flat)
    for unused in flat[number:]:
        unused.set_visible(False)
    return figure, flat[:number]


def against_length(axes, label, lengths, base=2):
    axes.set_xscale("log", base=base)
    axes.set_yscale("log")
    ticks = sorted(set(lengths))
    axes.set_xticks(ticks[::math.ceil(len(ticks) / 10)])
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel("elements")
    axes.set_ylabel(label)
    plain_numbers(axes.yaxis)


def in_seconds(axes):
    axes.yaxis.set_major_formatter(ticker.EngFormatter(unit="s"))
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())


def per_second(row, seconds):
    return row["gb_per_s"] * row["seconds"] / seconds


def times(row, seconds):
    return row["speedup"] * row["seconds"] / seconds if row["speedup"] else None


def of_call(row, seconds):
    return seconds


def lines_of(rows, label, y, **size):
    """A panel for each reduction, a line for each way to compute it, y(row, seconds) against the length: of the median
    time, in a band from that of the lower quartile to that of the upper one."""
    figure, all_axes = panels(len(grouped(rows, reduction)), **size)
    style = styles(grouped(rows, series))
    for axes, (title, members) in zip(all_axes, grouped(rows, reduction).items()):
        for name, its in grouped(members, series).items():
            its = [r for r in its if y(r, r["seconds"]) is not None]
            lengths = [r["n"] for r in its]
            axes.fill_between(lengths, *([y(r, r[q]) for r in its] for q in ("lower_quartile", "upper_quartile")),
                              color=style[name]["color"], alpha=0.2, linewidth=0)
            axes.plot(lengths, [y(r, r["seconds"]) for r in its], label=name, **style[name])
            noisy = [(r["n"], y(r, r["seconds"])) for r in its if r["noisy"]]
            if noisy:  # hollow
                axes.plot(*zip(*noisy), **{**style[name], "linestyle": "", "markerfacecolor": PAPER, "zorder": 3})
        against_length(axes, label, [r["n"] for r in members])
        axes.set_title(title)
    return figure, all_axes


def summary(report):
    """The plot that comes first: the first reduction alone."""
    return bandwidth_of(first_reduction(report))


def narrow_summary(report):
    """The same for a page as narrow as a phone."""
    return bandwidth_of(first_reduction(report), columns=2, alone=(4.4, 4.8))


def first_reduction(report):
    return next(iter(grouped(rows_of(report, "bandwidth"), reduction).values()))


def bandwidth(report):
    """Where there are further reductions: summary has the first one."""
    rows = rows_of(report, "bandwidth")
    return bandwidth_of(rows) if len(grouped(rows, reduction)) > 1 else None


def bandwidth_of(rows, columns=4, **size):
    figure, all_axes = lines_of(rows, "GB/s of a call", per_second, **size)
    for axes, members in zip(all_axes, grouped(rows, reduction).values()):
        kernel = [(r["n"], r["gb_per_s"] * r["seconds"] / r["device_seconds"]) for r in members if r["device_seconds"]]
        if kernel:
            axes.plot(*zip(*kernel), ":", color=INK, label="cuda, kernel alone")
        limits = {}
        for r in members:
            limits[r["n"]] = max(limits.get(r["n"], 0), r["limit_gb_per_s"] or 0)
        limits = [(n, limit) for n, limit in sorted(limits.items()) if limit]
        if limits:
            axes.plot(*zip(*limits), "--", color=SOFT, label="CPU read limit")
    legend_below(figure, all_axes[0].get_legend_handles_labels()[0], columns)
    return figure


def speedup(report):
    rows = rows_of(report, "bandwidth")
    figure, all_axes = lines_of(rows, "speed-up against sequential", times)
    for axes in all_axes:
        axes.axhline(1, color=SOFT, linewidth=0.8)
    legend_below(figure, all_axes[0].get_legend_handles_labels()[0])
    return figure


def crossover(report):
    rows = rows_of(report, "bandwidth")
    figure, all_axes = lines_of(rows, "time of a call", of_call)
    style = styles(grouped(rows, series))
    for axes, title in zip(all_axes, grouped(rows, reduction)):
        in_seconds(axes)
        its = [c for c in report["crossover"] if c["reduction"] == title and c["n"]]
        for n, crossings in grouped(its, lambda c: c["n"]).items():
            names = [c["faster"] for c in crossings]
            color = style[names[0]]["color"] if len(names) == 1 else SOFT
            axes.axvline(n, color=color, linestyle=":", linewidth=1)
            low, high = axes.get_xlim()
            early = n * n < low * high  # where curves are low; the words stand where they are not
            axes.annotate("\n".join(names), (n, 0.97 if early else 0.03), (3 if early else -3, 0),
                          xycoords=("data", "axes fraction"), textcoords="offset points", rotation=90,
                          va="top" if early else "bottom", ha="left" if early else "right", fontsize=8, color=color)
    handles = all_axes[0].get_legend_handles_labels()[0]
    if any(c["n"] for c in report["crossover"]):
        handles.append(pyplot.Line2D([], [], linestyle=":", color=SOFT, label="faster from here on"))
    legend_below(figure, handles)
    return figure


def latency(report):
    rows = rows_of(report, "latency")
    figure, all_axes = lines_of(rows, "time of a call", of_call)
    for axes in all_axes:
        in_seconds(axes)
    legend_below(figure, all_axes[0].get_legend_handles_labels()[0])
    return figure


def shape_of(row):
    if not row["shape"]:
        return "whole array"
    width = row["shape"].split("x")[-1]
    return f"rows of\n{width}" if row["axes"] == "1" else f"{width}\ncolumns"


def shapes(chapter):
    def drawn(report):
        rows = rows_of(report, chapter)
        groups = grouped(rows, lambda r: f"{reduction(r)}, n = {r['n']:,}")
        figure, all_axes = panels(len(groups), width=8.5, most=1)
        names = list(grouped(rows, series))
        width = 0.8 / len(names)
        for axes, (title, members) in zip(all_axes, groups.items()):
            places = list(grouped(members, shape_of))
            for i, name in enumerate(names):
                for noisy in (False, True):
                    its = [r for r in members if series(r) == name and r["noisy"] == noisy]
                    axes.bar([places.index(shape_of(r)) + (i - (len(names) - 1) / 2) * width for r in its],
                             [r["gb_per_s"] for r in its], width, color="none" if noisy else COLORS[i % 7],
                             edgecolor=COLORS[i % 7])  # hollow where noisy
            limit = max((r["limit_gb_per_s"] or 0 for r in members), default=0)
            if limit:
                axes.axhline(limit, linestyle="--", color=SOFT)
            rates = [r["gb_per_s"] for r in members]
            if max(rates) > 20 * min(rates):  # a device beside one thread
                axes.set_yscale("log")
                plain_numbers(axes.yaxis)
            axes.set_xticks(range(len(places)), places, fontsize=8)
            axes.grid(axis="x", visible=False)
            axes.set_ylabel("GB/s")
            axes.set_title(title)
        handles = [pyplot.Rectangle((0, 0), 1, 1, color=COLORS[i % 7], label=name) for i, name in enumerate(names)]
        if any(r["limit_gb_per_s"] for r in rows):
            handles.append(pyplot.Line2D([], [], linestyle="--", color=SOFT, label="CPU read limit"))
        legend_below(figure, handles, 5)
        return figure
    return drawn


def costs(chapter):
    highest = 10  # times the native mode; what is beyond is written on its bar

    def drawn(report):
        rows = rows_of(report, chapter)
        groups = grouped(rows, lambda r: f"{reduction(r)}, n = {count(r['n'])}")
        figure, all_axes = panels(len(groups), height=3)
        names = list(grouped(rows, series))
        present = [m for m in MODES if any(r["accuracy"] == m for r in rows)]
        width = 0.8 / len(present)
        for axes, (title, members) in zip(all_axes, groups.items()):
            native = {series(r): r["seconds"] for r in members if r["accuracy"] == "native"}
            for i, mode in enumerate(present):
                its = {series(r): r["seconds"] / native.get(series(r), math.nan) for r in members
                       if r["accuracy"] == mode}
                places = [j + (i - (len(present) - 1) / 2) * width for j in range(len(names))]
                values = [its.get(name, 0) for name in names]
                bars = axes.bar(places, [min(v, highest) for v in values], width, label=mode,
                                color=COLORS[MODES.index(mode)], edgecolor=PAPER, linewidth=0.5)
                axes.bar_label(bars, [f"{v:.0f}" if v > highest else "" for v in values], fontsize=7)
            axes.set_xticks(range(len(names)), [name.replace(", ", ",\n") for name in names], fontsize=8)
            axes.grid(axis="x", visible=False)
            axes.axhline(1, color=SOFT, linewidth=0.8)
            axes.set_ylabel("time over native's")
            axes.set_title(title)
        legend_below(figure, all_axes[0].get_legend_handles_labels()[0])
        return figure
    return drawn


def errors(report):
    rows, studies = rows_of(report, "errors"), report["studies"]
    figure, all_axes = panels(len(studies), most=3, width=3.6)
    names = list(grouped(rows, series))
    relative = {(s["data"], s["dtype"], f["mode"]): float(f["relative"]) for s in studies for f in s["findings"]}
    finite = [e for e in relative.values() if 0 < e < math.inf]
    floor = min(finite, default=1e-20) / 10  # where errors of zero are drawn
    for axes, study in zip(all_axes, studies):
        its = [r for r in rows if (r["data"], r["dtype"]) == (study["data"], study["dtype"])]
        points = [(f["seconds"] / study["n"], f["mode"], "sequential")
                  for f in study["findings"] if f["mode"] == MODES[0]]
        points += [(r["seconds"] / r["n"], r["accuracy"], series(r)) for r in its]
        for seconds, mode, who in points:
            error = relative[study["data"], study["dtype"], mode]
            axes.plot(seconds, error if 0 < error < math.inf else floor, MARKERS[names.index(who)],
                      color=COLORS[MODES.index(mode)], markersize=6, alpha=0.85)
        if any(f["relative"] == 0 for f in study["findings"]):
            axes.axhline(floor, color=GRID, linewidth=0.8, zorder=0)
            axes.annotate("no error", (1, floor), xycoords=("axes fraction", "data"), ha="right", va="bottom",
                          color=SOFT, fontsize=8)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter(ticker.EngFormatter(unit="s"))
        axes.xaxis.set_minor_formatter(ticker.NullFormatter())
        axes.set_xlabel("time per element")
        axes.set_ylabel("relative error")
        axes.set_title(f"{study['data']}, {study['dtype']}")
    shown = [m for m in MODES if any(mode == m for _, _, mode in relative)]
    handles = [pyplot.Line2D([], [], color=COLORS[MODES.index(m)], marker=".", markersize=12, linestyle="", label=m)
               for m in shown]
    handles += [pyplot.Line2D([], [], color=SOFT, marker=MARKERS[i], linestyle="", label=name)
                for i, name in enumerate(names)]
    legend_below(figure, handles, 5)
    return figure


def rungs(chapter):
    def drawn(report):
        groups = grouped(rows_of(report, chapter), lambda r: f"{reduction(r)}, n = {count(r['n'])}")
        figure, all_axes = panels(len(groups), most=3, width=3.6)
        for i, (axes, (title, members)) in enumerate(zip(all_axes, groups.items())):
            seconds = [r["device_seconds"] or r["seconds"] for r in members]
            rates = [r["gb_per_s"] * r["seconds"] / s for r, s in zip(members, seconds)]
            places = range(len(members))
            bars = axes.barh(places, rates, color=COLORS[0])
            steps = ["first"] + [f"step {a / b:.2f}" for a, b in zip(seconds, seconds[1:])]
            axes.bar_label(bars, [f"{rate:.0f}, {step}" for rate, step in zip(rates, steps)], padding=3, fontsize=8)
            axes.set_yticks(places, [r["kernel"].replace("_", " ") for r in members] if i % 3 == 0 else [])
            axes.invert_yaxis()
            axes.set_xlim(0, max(rates) * 1.45)
            axes.grid(axis="y", visible=False)
            axes.set_xlabel("GB/s, device time")
            axes.set_title(title)
        return figure
    return drawn


def notebook(report):
    rows = rows_of(report, "notebook")
    def way(row):
        if row["ran"] != "cuda":
            return "one CPU core"
        kernel = {"sequential_addressing": "shared memory"}.get(row["kernel"], row["kernel"])
        return f"{row['location']} data, {kernel}"
    figure, [axes] = panels(1)
    style = styles(grouped(rows, way))
    for name, its in grouped(rows, way).items():
        axes.plot([r["n"] for r in its], [r["speedup"] for r in its], label=name, **style[name])
    against_length(axes, "speed-up against one core", [r["n"] for r in rows], base=10)
    legend_below(figure, axes.get_legend_handles_labels()[0], 3)
    return figure


def rows_of(report, chapter):
    return report["parts"].get(chapter, {"rows": []})["rows"]


# What each plot is drawn from, and by whom.
PLOTS = {"summary": ("bandwidth", summary), "summary-narrow": ("bandwidth", narrow_summary),
         "bandwidth": ("bandwidth", bandwidth), "speedup": ("bandwidth", speedup),
         "crossover": ("bandwidth", crossover), "latency": ("latency", latency), "errors": ("errors", errors),
         "notebook": ("notebook", notebook),
         **{name: (name, costs(name)) for name in ("modes", "modes-cached")},
         **{name: (name, shapes(name)) for name in ("shapes", "shapes-cached")},
         **{name: (name, rungs(name)) for name in ("ladder", "ladder-1m", "harris-4m")}}


def main():
    report = json.load(sys.stdin)
    drawn = {}
    for name, (chapter, draw) in PLOTS.items():
        if not rows_of(report, chapter) or (chapter == "errors" and not report["studies"]):
            continue
        figure = draw(report)
        if figure:
            drawn[name] = svg(figure)
    json.dump(drawn, sys.stdout)


main()
