#!/usr/bin/env python3
"""Sums by PyTorch and CuPy on a GPU, where they are installed: times and answers.

usage: peers.py [--eager] RESULTS.json [CUDA.json]
With CUDA.json of onefold_bench_cuda PyTorch works on its shapes too, as it is and, unless --eager is given, by
torch.compile, which takes seconds a shape. Writes microseconds on the device (many calls between two events) and for a
value on the host (medians), and the different answers of 20 runs. The elements are those of onefold_bench_cuda, with
more copies than the caches hold.
"""
import json
import math
import pathlib
import re
import statistics
import sys
import time

CACHES, RUNS = 256 << 20, 20
SIZES = {"f32": [1 << 16, 1 << 20, 1 << 24, 1 << 28], "f64": [1 << 16, 1 << 20, 1 << 24, 1 << 27]}


def numbers(kind, n):
    """What onefold_bench_cuda reduces: std::mt19937 with seed 7, over (-1/4, 3/4), rounded to f32."""
    import numpy
    bits = numpy.random.RandomState(7).randint(0, 1 << 32, n, dtype=numpy.uint32)
    return (bits / 4294967296.0 - 0.25).astype(numpy.float32).astype(numpy.float64 if kind == "f64" else numpy.float32)


# What PyTorch is called with: torch, the array, the axis, a weight for each place of a row.
CALLS = {
    ("shapes", "sum"): lambda torch, x, axis, w: torch.sum(x, dim=axis),
    ("shapes", "max"): lambda torch, x, axis, w: torch.amax(x, dim=axis),
    ("shapes", "argmax"): lambda torch, x, axis, w: torch.argmax(x, dim=axis),
    ("scans", "cumsum"): lambda torch, x, axis, w: torch.cumsum(x, dim=axis),
    ("rows", "softmax"): lambda torch, x, axis, w: torch.softmax(x, dim=axis),
    ("rows", "log_softmax"): lambda torch, x, axis, w: torch.log_softmax(x, dim=axis),
    ("rows", "logsumexp"): lambda torch, x, axis, w: torch.logsumexp(x, dim=axis),
    ("rows", "layer_norm"): lambda torch, x, axis, w: torch.nn.functional.layer_norm(x, w.shape, w, w),
    ("rows", "rms_norm"): lambda torch, x, axis, w: torch.nn.functional.rms_norm(x, w.shape, w, 1e-5),
}


def device_us(call, event, elapsed, calls):
    times = []
    for _ in range(7):
        begin, end = event(), event()
        begin.record()
        for i in range(calls):
            call(i)
        end.record()
        end.synchronize()
        times.append(1000 * elapsed(begin, end) / calls)
    return statistics.median(times)


def host_us(call, calls=100):
    times = []
    for i in range(calls):
        begin = time.perf_counter()
        call(i)
        times.append(1e6 * (time.perf_counter() - begin))
    return statistics.median(times)


def measured(who, to_device, event, elapsed, found):
    for kind, sizes in SIZES.items():
        every = numbers(kind, sizes[-1])
        for n in sizes:
            x = every[:n]
            copies = [to_device(x) for _ in range(max(1, CACHES // x.nbytes))]
            for i in range(3):
                copies[i % len(copies)].sum().item()
            calls = max(4, min(100, (1 << 30) // x.nbytes))
            key = {"op": "sum", "dtype": kind, "n": n, "who": who}
            found["rows"].append({
                **key, "device_us": device_us(lambda i: copies[i % len(copies)].sum(), event, elapsed, calls),
                "host_us": host_us(lambda i: copies[i % len(copies)].sum().item())})
            values = {copies[i % len(copies)].sum().item() for i in range(RUNS)}
            found["answers"].append({**key, "runs": RUNS, "values": sorted(values)})


def shapes_in(cuda):
    """What PyTorch can do of the shapes of onefold_bench_cuda: (group, operation, type, extents, axis, name)."""
    found = {}
    for r in cuda["rows"]:
        parts = re.fullmatch(r"(\d+(?:x\d+)*) axis (\d+)", r.get("shape", ""))
        if parts and (r["group"], r["op"]) in CALLS:
            extents = tuple(map(int, parts[1].split("x")))
            found[r["group"], r["op"], r["dtype"], extents, int(parts[2]), r["shape"]] = None
    return list(found)


def measure_shapes(torch, shapes, event, elapsed, found, eager=False):
    """Rows of the list "shapes": the device time of PyTorch's operations along an axis."""
    who = f"PyTorch {torch.__version__}"
    for kind in dict.fromkeys(s[2] for s in shapes):
        every = torch.from_numpy(numbers(kind, max(math.prod(s[3]) for s in shapes if s[2] == kind))).to("cuda")
        if kind == "bf16":
            every = every.to(torch.bfloat16)
        for group, op, _, extents, axis, name in (s for s in shapes if s[2] == kind):
            n = math.prod(extents)
            bytes_of = n * every.element_size()
            arrays = [every[:n].view(extents)]
            arrays += [arrays[0].clone() for _ in range(CACHES // bytes_of)]
            weight = every[:extents[axis]]
            for suffix, prepare in [("", lambda f: f), (", compiled", torch.compile)]:
                if suffix and eager:
                    continue
                try:
                    torch.compiler.reset()  # each shape is compiled for itself
                    call = prepare(lambda x: CALLS[group, op](torch, x, axis, weight))
                    for x in arrays[:3]:
                        call(x)
                    us = device_us(lambda i: call(arrays[i % len(arrays)]), event, elapsed,
                                   max(4, min(100, (1 << 30) // bytes_of)))
                except RuntimeError as problem:  # of torch.compile too: no compiler, no Triton
                    print(f"left out: {who}{suffix}, {op} of {name}: {str(problem).splitlines()[0]}", file=sys.stderr)
                    continue
                found["shapes"].append({"group": group, "op": op, "dtype": kind, "n": n, "shape": name,
                                        "who": who + suffix, "device_us": us})


def by_torch(found, shapes, eager):
    import torch
    event, elapsed = lambda: torch.cuda.Event(enable_timing=True), lambda a, b: a.elapsed_time(b)
    measured(f"PyTorch {torch.__version__}", lambda x: torch.from_numpy(x).to("cuda"), event, elapsed, found)
    measure_shapes(torch, shapes, event, elapsed, found, eager)


def by_cupy(found, *_):
    import cupy
    measured(f"CuPy {cupy.__version__}", cupy.asarray, cupy.cuda.Event, cupy.cuda.get_elapsed_time, found)


def main():
    files = [a for a in sys.argv[1:] if a != "--eager"]
    if len(files) not in [1, 2] or files[0].startswith("-"):
        sys.exit(__doc__)
    shapes = shapes_in(json.loads(pathlib.Path(files[1]).read_text())) if len(files) == 2 else []
    found = {"rows": [], "answers": [], "shapes": []}
    for peer in [by_torch, by_cupy]:
        try:
            peer(found, shapes, "--eager" in sys.argv)
        except ImportError as missing:
            print(f"left out: {missing}", file=sys.stderr)
    pathlib.Path(files[0]).write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
