#!/usr/bin/env python3
"""Sums by PyTorch and CuPy on a GPU, where they are installed: times and answers.

usage: peers.py RESULTS.json [CUDA.json]
With CUDA.json of onefold_bench_cuda PyTorch reduces its shapes too, as it is and by torch.compile. Writes
microseconds on the device (many calls between two events) and for a value on the host (medians), and the different
answers of 20 runs. The elements are those of onefold_bench_cuda, with more copies than the caches hold.
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
    return (bits / 4294967296.0 - 0.25).astype(numpy.float32).astype({"f32": numpy.float32, "f64": numpy.float64}[kind])


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
    """What PyTorch can do of the shapes of onefold_bench_cuda: (operation, type, extents, axis, name)."""
    found = {}
    for r in cuda["rows"]:
        parts = re.fullmatch(r"(\d+(?:x\d+)*) axis (\d+)", r.get("shape", ""))
        if r["group"] == "shapes" and parts and r["op"] in ["sum", "max", "argmax"]:
            extents = tuple(map(int, parts[1].split("x")))
            found[r["op"], r["dtype"], extents, int(parts[2]), r["shape"]] = None
    return list(found)


def measure_shapes(torch, shapes, event, elapsed, found):
    """Rows of the list "shapes": the device time of PyTorch's reductions over an axis."""
    reductions = {"sum": torch.sum, "max": torch.amax, "argmax": torch.argmax}
    who = f"PyTorch {torch.__version__}"
    for kind in dict.fromkeys(s[1] for s in shapes):
        every = torch.from_numpy(numbers(kind, max(math.prod(s[2]) for s in shapes if s[1] == kind))).to("cuda")
        for op, _, extents, axis, name in (s for s in shapes if s[1] == kind):
            n = math.prod(extents)
            bytes_of = n * every.element_size()
            arrays = [every[:n].view(extents)]
            arrays += [arrays[0].clone() for _ in range(CACHES // bytes_of)]
            reduction = reductions[op]
            for suffix, prepare in [("", lambda f: f), (", compiled", torch.compile)]:
                try:
                    torch.compiler.reset()  # each shape is compiled for itself
                    call = prepare(lambda x: reduction(x, dim=axis))
                    for x in arrays[:3]:
                        call(x)
                    us = device_us(lambda i: call(arrays[i % len(arrays)]), event, elapsed,
                                   max(4, min(100, (1 << 30) // bytes_of)))
                except RuntimeError as problem:  # of torch.compile too: no compiler, no Triton
                    print(f"left out: {who}{suffix}, {op} of {name}: {str(problem).splitlines()[0]}", file=sys.stderr)
                    continue
                found["shapes"].append({"op": op, "dtype": kind, "n": n, "shape": name, "who": who + suffix,
                                        "device_us": us})


def by_torch(found, shapes):
    import torch
    event, elapsed = lambda: torch.cuda.Event(enable_timing=True), lambda a, b: a.elapsed_time(b)
    measured(f"PyTorch {torch.__version__}", lambda x: torch.from_numpy(x).to("cuda"), event, elapsed, found)
    measure_shapes(torch, shapes, event, elapsed, found)


def by_cupy(found, _):
    import cupy
    measured(f"CuPy {cupy.__version__}", cupy.asarray, cupy.cuda.Event, cupy.cuda.get_elapsed_time, found)


def main():
    if len(sys.argv) not in [2, 3]:
        sys.exit(__doc__)
    shapes = shapes_in(json.loads(pathlib.Path(sys.argv[2]).read_text())) if len(sys.argv) == 3 else []
    found = {"rows": [], "answers": [], "shapes": []}
    for peer in [by_torch, by_cupy]:
        try:
            peer(found, shapes)
        except ImportError as missing:
            print(f"left out: {missing}", file=sys.stderr)
    pathlib.Path(sys.argv[1]).write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
