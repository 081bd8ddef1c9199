#!/usr/bin/env python3
"""Draws speed-and-error.svg of the newest results in bench/results/: how fast sums are, and how far off.

usage: draw.py            writes the picture beside this script
       draw.py --check    exit code 1 if the picture is not up to date
"""
import argparse
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "bench"))

import report  # noqa: E402
from bars import MIB  # noqa: E402
from measured import Measured  # noqa: E402

PICTURE = HERE / "speed-and-error.svg"
ROW = f"sum/f32/{MIB}/1"
STEP, TOP = 26, 66  # pixels from bar to bar, and above the first one

#: The bars of the left half: a label, the contender and its flavor in the results, and the class of its color.
SPEEDS = [("reading alone", "read", None, "limit"), ("onefold", "onefold", None, "ours"),
          ("Eigen, -ffast-math", "Eigen", "fast", "peer"), ("Eigen", "Eigen", "plain", "peer"),
          ("std::reduce(unseq)", "std::reduce(unseq)", "plain", "peer"), ("NumPy", "NumPy", None, "peer"),
          ("std::accumulate", "std::accumulate", "plain", "peer")]
#: The bars of the right half: a label and the mode in the results.
ERRORS = [("a plain loop", "left fold", "peer"), ("onefold, native", "native", "ours"), ("onefold, wide", "wide", "ours"),
          ("onefold, kahan", "kahan", "ours"), ("onefold, exact", "exact", "ours")]

# A background of its own: the page that embeds the picture may have another theme than the reader's system.
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .small { font-size: 12px; fill: #59636e; }
  .back { fill: #ffffff; stroke: #d1d9e0; }
  .ours { fill: #0969da; } .peer { fill: #9ea7b0; } .limit { fill: #c9a227; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .small { fill: #9198a1; }
    .back { fill: #0d1117; stroke: #3d444d; }
    .ours { fill: #4493f8; } .peer { fill: #656c76; } .limit { fill: #d4b13f; }
  }
"""


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def bars(lines, left, labels, width):
    """A bar for each (label, length in shares of the width, text at its end, class)."""
    out = []
    for i, (label, share, text, kind) in enumerate(lines):
        y = TOP + i * STEP
        out += [f'<text x="{left + labels - 8}" y="{y + 14}" text-anchor="end">{escaped(label)}</text>',
                f'<rect class="{kind}" x="{left + labels}" y="{y}" width="{max(1.5, share * width):.1f}" height="18" rx="2"/>',
                f'<text x="{left + labels + share * width + 6:.1f}" y="{y + 14}">{escaped(text)}</text>']
    return out


def speeds(m):
    found = []
    for label, who, flavor, kind in SPEEDS:
        names = [m.find(ROW, who, flavor)] + ([m.find(ROW, "read-streams")] if who == "read" else [])
        if any(names):
            found.append((label, max(m.gb_per_s(name) for name in names if name), kind))
    most = max(speed for _, speed, _ in found)
    return [(label, speed / most, f"{speed:.3g}", kind) for label, speed, kind in found]


def errors(m):
    """On a logarithmic axis from 0.1 ulp on."""
    [study] = [s for s in m.accuracy if s["data"] == "small terms" and s["dtype"] == "f32"]
    ulps = {f["mode"]: f["ulps"] for f in study["findings"]}
    most = math.log10(max(ulps.values()) / 0.1)
    return [(label, max(0.0, math.log10(ulps[mode] / 0.1)) / most,
             f"{ulps[mode]:,.0f}" if ulps[mode] >= 100 else f"{ulps[mode]:.2g}", kind) for label, mode, kind in ERRORS]


def picture(m, source):
    c = m.context
    left, right = speeds(m), errors(m)
    height = TOP + max(len(left), len(right)) * STEP + 34
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" width="860" height="{height}" role="img">',
             "<title>Speed and error of a sum of f32</title>", f"<style>{STYLE}</style>",
             f'<rect class="back" x="0.5" y="0.5" width="859" height="{height - 1}" rx="6"/>',
             '<text class="title" x="20" y="28">Speed: sum of 1 MB of f32, one thread</text>',
             '<text class="small" x="20" y="46">GB/s; longer is better</text>', *bars(left, 20, 150, 240),
             '<text class="title" x="470" y="28">Error: 1e8 and then 999,999 ones, in f32</text>',
             '<text class="small" x="470" y="46">ulps, logarithmic; shorter is better</text>',
             *bars(right, 470, 120, 190),
             f'<text class="small" x="20" y="{height - 14}">{escaped(c["cpu"])}, {escaped(c["compiler"])}, {c["date"]}, '
             f'commit {c["commit"]}: {escaped(source)}</text>', "</svg>"]
    return "\n".join(lines) + "\n"


def main():
    options = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    options.add_argument("--check", action="store_true")
    check = options.parse_args().check
    results = report.newest()
    drawn = picture(Measured.read(results), f"bench/results/{results.name}")
    if not check:
        PICTURE.write_text(drawn)
    elif not PICTURE.exists() or PICTURE.read_text() != drawn:
        sys.exit(f"{PICTURE} does not show the newest results: run docs/pictures/draw.py")


main()
