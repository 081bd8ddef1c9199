#!/usr/bin/env python3
"""NumPy or PyTorch as a peer: sum and max of one row, or sums over an axis (sum-EXTENTSxEXTENTS-axisN), of NumPy
operations of vectors, order statistics, scans and row operations too, timed as onefold_bench times the others, and
their answers.

usage: python_peer.py numpy|torch ROW/TYPE/BYTES FILE [OPTIONS]

FILE has the elements (onefold_bench --write-data). The calls reduce the copies in turn, in a random order. Writes
JSON: the version, the nanoseconds of each repetition, and the different answers of the runs.
"""
import argparse
import json
import random
import re
import time

import numpy

DTYPES = {"f32": "f4", "f64": "f8", "f16": "f2", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}


def shape_in(row):
    """Operation, extents and axis of a row such as sum-4096x4096-axis1; None of sum and max of a whole array."""
    found = re.fullmatch(r"(\w+)-(\d+(?:x\d+)+)-axis(\d+)", row)
    return found and (found[1], tuple(map(int, found[2].split("x"))), int(found[3]))


# Numbers as in bench/operations.hpp.
CHOSEN, BINS = 100, 100
EVEN = numpy.arange(BINS + 1) * 2 / BINS - 1
UNEVEN = EVEN * abs(EVEN)


def cosine(x, y):
    return x @ y / numpy.sqrt((x @ x) * (y @ y))


def skewness(x):
    d = x - x.mean()
    return (d * d * d).mean() / (d * d).mean() ** 1.5


def excess_kurtosis(x):
    d = x - x.mean()
    d *= d
    return (d * d).mean() / d.mean() ** 2 - 3


def covariance(x, y):
    return ((x - x.mean()) * (y - y.mean())).mean()


def correlation(x, y):
    return numpy.corrcoef(x, y)[0, 1]


def softmax(x):
    e = numpy.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def log_softmax(x):
    d = x - x.max(axis=-1, keepdims=True)
    return d - numpy.log(numpy.exp(d).sum(axis=-1, keepdims=True))


def layer_norm(x):
    return (x - x.mean(axis=-1, keepdims=True)) / numpy.sqrt(x.var(axis=-1, keepdims=True) + x.dtype.type(1e-5))


def rms_norm(x):
    return x / numpy.sqrt((x * x).mean(axis=-1, keepdims=True) + x.dtype.type(1e-5))


OF_ROWS = {"softmax": softmax, "log_softmax": log_softmax, "layer_norm": layer_norm, "rms_norm": rms_norm}

# Operations of two vectors, the halves of the array, and of the whole array.
OF_PAIRS = {"dot": lambda x, y: x @ y, "exact_dot": lambda x, y: x @ y,
            "distance": lambda x, y: numpy.linalg.norm(x - y), "cosine": cosine,
            "weighted_mean": lambda x, y: numpy.average(x, weights=y), "covariance": covariance,
            "correlation": correlation}
OF_ARRAYS = {"squares": lambda x: (x * x).sum(), "norm1": lambda x: abs(x).sum(),
             "histogram": lambda x: numpy.histogram(x, BINS, (-1, 1)), "edges": lambda x: numpy.histogram(x, UNEVEN),
             "top_k": lambda x: numpy.sort(x[numpy.argpartition(x, -CHOSEN)[-CHOSEN:]]), "median": numpy.median,
             "norm_inf": lambda x: abs(x).max(), "ptp": numpy.ptp,
             "summary": lambda x: (numpy.isnan(x).sum(), x.sum(), x.min(), x.max(), x.var()),
             "quantile": lambda x: numpy.quantile(x, 0.99), "harmonic_mean": lambda x: 1 / (1 / x).mean(),
             "excess_kurtosis": excess_kurtosis,
             "geometric_mean": lambda x: numpy.exp(numpy.log(x).mean()), "skewness": skewness}


def numpy_calls(copies, row, _):
    shape = shape_in(row)
    if shape and shape[0] in OF_ROWS:
        calls = [lambda x=x.reshape(shape[1]): OF_ROWS[shape[0]](x) for x in copies]
    elif shape:
        _, extents, axis = shape
        out = copies[0].reshape(extents).sum(axis=axis)
        calls = [lambda x=x.reshape(extents): numpy.sum(x, axis=axis, out=out) for x in copies]
    elif row.startswith("cumsum"):
        first = int(row == "cumsum_unaligned")
        out = aligned(copies[0])
        calls = [lambda x=x: numpy.cumsum(x[first:], out=out[first:]) for x in copies]
    elif row in OF_PAIRS:
        half = copies[0].size // 2
        calls = [lambda x=x: OF_PAIRS[row](x[:half], x[half:]) for x in copies]
    elif row in OF_ARRAYS:
        calls = [lambda x=x: OF_ARRAYS[row](x) for x in copies]
    else:
        calls = [{"sum": x.sum, "max": x.max}[row] for x in copies]
    return numpy.__version__, calls


def torch_calls(copies, row, threads):
    import torch
    torch.set_num_threads(threads)
    tensors = [torch.from_numpy(x) for x in copies]
    shape = shape_in(row)
    if shape:
        _, extents, axis = shape
        out = tensors[0].view(extents).sum(dim=axis)
        calls = [lambda x=x.view(extents): torch.sum(x, dim=axis, out=out) for x in tensors]
    else:
        calls = [{"sum": x.sum, "max": x.max}[row] for x in tensors]
    return torch.__version__, calls


def aligned(like):
    """A copy that begins at a multiple of 64 bytes, as the other peers' arrays do."""
    memory = numpy.empty(like.nbytes + 64, dtype="u1")
    begin = -memory.ctypes.data % 64
    copy = memory[begin:begin + like.nbytes].view(like.dtype)
    copy[:] = like
    return copy


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("library", choices=["numpy", "torch"])
    options.add_argument("row")
    options.add_argument("file")
    for name, kind, default in [("threads", int, 1), ("copies", int, 1), ("repetitions", int, 5),
                                ("seconds", float, 0.005), ("runs", int, 0)]:
        options.add_argument(f"--{name}", type=kind, default=default)
    given = options.parse_args()
    row, kind, size = given.row.split("/")
    data = numpy.fromfile(given.file, dtype=DTYPES[kind], count=int(size) // int(DTYPES[kind][1]))
    if row in ("geometric_mean", "harmonic_mean", "weighted_mean"):
        data = abs(data)
    copies = [aligned(data) for _ in range(given.copies)]
    random.Random(1).shuffle(copies)
    version, calls = {"numpy": numpy_calls, "torch": torch_calls}[given.library](copies, row, given.threads)
    clock = time.thread_time if given.threads == 1 else time.perf_counter

    def seconds(times):
        begin = clock()
        for i in range(times):
            calls[i % len(calls)]()
        return clock() - begin

    for call in calls[:3]:  # the first calls of a function take longer
        call()
    times = 1
    while given.repetitions and seconds(times) < given.seconds:
        times *= 2
    ns = [seconds(times) / times * 1e9 for _ in range(given.repetitions)]
    answers = sorted({calls[0]().item() for _ in range(given.runs)})
    print(json.dumps({"version": version, "ns": ns, "answers": answers}))


main()
