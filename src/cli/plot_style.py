"""What all plots have in common: colors, markers, axes and how a figure becomes SVG. It stands before each script."""

import io
import math

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402 (the backend has to be chosen first)

PAPER, INK, SOFT, GRID = "#ffffff", "#1b1b1c", "#767677", "#e3e3e4"
# Colors that people with any color vision tell apart (Okabe & Ito), and a marker each for paper without colors.
COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", INK]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
# What each becomes where a reader prefers dark pages, in the same order of lightness.
DARK = {PAPER: "#16181c", INK: "#e4e4e6", SOFT: "#9a9ea6", GRID: "#33373e", "#0072b2": "#3f9be6",
        "#d55e00": "#f0803c", "#009e73": "#2fbf93", "#cc79a7": "#e09ac0", "#e69f00": "#f2b840",
        "#56b4e9": "#9fdcff"}

pyplot.rcParams.update({"font.size": 10, "axes.grid": True, "grid.color": GRID, "axes.spines.top": False,
                        "axes.spines.right": False, "legend.frameon": False, "axes.axisbelow": True,
                        "svg.hashsalt": "onefold", "figure.facecolor": PAPER, "axes.facecolor": PAPER,
                        "savefig.facecolor": PAPER, "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK,
                        "xtick.color": INK, "ytick.color": INK})


def svg(figure):
    """The figure as SVG whose colors follow the reader's preference for light or dark."""
    image = io.BytesIO()
    figure.savefig(image, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    rules = "".join(f'[style*="{what}: {light}"]{{{what}:{dark}!important}}'
                    for light, dark in DARK.items() for what in ("fill", "stroke"))
    return image.getvalue().decode().replace("</style>", f"@media (prefers-color-scheme: dark){{{rules}}}</style>", 1)


def plain_numbers(axis):
    """Labels such as 0.5, 20 and 300 on a logarithmic axis, at 1, 2 and 5 where there are few decades."""
    low, high = axis.get_view_interval()
    decades = math.log10(high / low)
    steps = range(1, 10) if decades < 0.8 else (1, 2, 5) if decades < 2.5 else (1,)
    axis.set_major_locator(ticker.LogLocator(subs=steps, numticks=12))
    axis.set_major_formatter(ticker.FuncFormatter(lambda y, _: f"{y:g}"))
    axis.set_minor_formatter(ticker.NullFormatter())


def legend_below(figure, handles, columns=4):
    """A legend below all panels, in room of its own (matplotlib 3.6 has no loc="outside ..."), in rows of equal length."""
    rows = math.ceil(len(handles) / columns)
    columns = math.ceil(len(handles) / rows)
    room = (0.25 * rows + 0.1) / figure.get_size_inches()[1]
    figure.get_layout_engine().set(rect=(0, room, 1, 1 - room))
    figure.legend(handles=handles, loc="lower center", ncols=columns)
