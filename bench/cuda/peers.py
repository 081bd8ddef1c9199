#!/usr/bin/env python3
"""Sums by PyTorch and CuPy on a GPU, where they are installed: times and answers.

usage: peers.py RESULTS.json
Writes microseconds on the device (many calls between two events) and for a value on the host (medians), and the
different answers of 20 runs. The elements are those of onefold_bench_cuda, with more copies than the caches hold.
"""
import json
import pathlib
import statistics
import sys
import time

import numpy

CACHES, RUNS = 256 << 20, 20
SIZES = {"f32": [1 << 16, 1 << 20, 1 << 24, 1 << 28], "f64": [1 << 16, 1 << 20, 1 << 24, 1 << 27]}


def numbers(kind, n):
    """What onefold_bench_cuda reduces: std::mt19937 with seed 7, over (-1/4, 3/4), rounded to f32."""
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


def by_torch(found):
    import torch
    measured(f"PyTorch {torch.__version__}", lambda x: torch.from_numpy(x).to("cuda"),
             lambda: torch.cuda.Event(enable_timing=True), lambda a, b: a.elapsed_time(b), found)


def by_cupy(found):
    import cupy
    measured(f"CuPy {cupy.__version__}", cupy.asarray, cupy.cuda.Event, cupy.cuda.get_elapsed_time, found)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = {"rows": [], "answers": []}
    for peer in [by_torch, by_cupy]:
        try:
            peer(found)
        except ImportError as missing:
            print(f"left out: {missing}", file=sys.stderr)
    pathlib.Path(sys.argv[1]).write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
