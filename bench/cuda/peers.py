#!/usr/bin/env python3
"""Times sums by PyTorch and CuPy on a GPU, where they are installed.

usage: peers.py RESULTS.json
Writes microseconds on the device (many calls between two events) and for a value on the host (medians).
"""
import json
import pathlib
import statistics
import sys
import time


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


def host_us(call, calls=200):
    times = []
    for i in range(calls):
        begin = time.perf_counter()
        call(i)
        times.append(1e6 * (time.perf_counter() - begin))
    return statistics.median(times)


def measured(who, arrays, total, value, event, elapsed):
    for log2 in [10, 16, 20, 24, 28]:
        copies = arrays(1 << log2)
        for i in range(3):
            value(copies[i % len(copies)])
        calls = max(4, min(100, (1 << 30) >> log2))
        yield {"who": who, "op": "sum", "dtype": "f32", "n": 1 << log2,
               "device_us": device_us(lambda i: total(copies[i % len(copies)]), event, elapsed, calls),
               "host_us": host_us(lambda i: value(copies[i % len(copies)]))}


def torch_rows():
    import torch
    def arrays(n):
        return [torch.rand(n, device="cuda") for _ in range(max(2, min(64, (1 << 28) // n)))]
    return measured(f"PyTorch {torch.__version__}", arrays, lambda x: x.sum(), lambda x: x.sum().item(),
                    lambda: torch.cuda.Event(enable_timing=True), lambda a, b: a.elapsed_time(b))


def cupy_rows():
    import cupy
    def arrays(n):
        return [cupy.random.rand(n, dtype=cupy.float32) for _ in range(max(2, min(64, (1 << 28) // n)))]
    return measured(f"CuPy {cupy.__version__}", arrays, lambda x: x.sum(), lambda x: float(x.sum()),
                    cupy.cuda.Event, cupy.cuda.get_elapsed_time)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows = []
    for peer in [torch_rows, cupy_rows]:
        try:
            rows += list(peer())
        except ImportError as missing:
            print(f"left out: {missing}", file=sys.stderr)
    pathlib.Path(sys.argv[1]).write_text(json.dumps({"rows": rows}, indent=1) + "\n")


main()
