#!/usr/bin/env python3
"""NumPy as a peer: ndarray.sum and ndarray.max of one row, timed as onefold_bench times the others.

usage: numpy_peer.py ROW/TYPE/BYTES REPETITIONS MIN_SECONDS
Prints the nanoseconds of each repetition, one a line.
"""
import sys
import time

import numpy

DTYPES = {"f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}


def array(kind, size):
    """Random elements, as the other peers get."""
    dtype = numpy.dtype(DTYPES[kind])
    random = numpy.random.default_rng(1)
    count = size // dtype.itemsize
    if dtype.kind == "f":
        return random.random(count, dtype=dtype.type) * dtype.type(2) - dtype.type(1)
    limit = numpy.iinfo(dtype) if dtype.itemsize < 8 else numpy.iinfo("i4")
    return random.integers(limit.min, limit.max, count, dtype=dtype)


def seconds(call, times):
    begin = time.thread_time()
    for _ in range(times):
        call()
    return time.thread_time() - begin


def main():
    row, kind, size = sys.argv[1].split("/")
    repetitions, least = int(sys.argv[2]), float(sys.argv[3])
    data = array(kind, int(size))
    call = {"sum": data.sum, "max": data.max}[row]
    times = 1
    while seconds(call, times) < least:
        times *= 2
    for _ in range(repetitions):
        print(seconds(call, times) / times * 1e9)


main()
