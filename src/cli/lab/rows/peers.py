"""Row operations by NumPy, SciPy and PyTorch: OPERATION TYPE LENGTH EPS, and the elements on standard input. Writes a
line of JSON, a list of packages, each with its name and either how many bytes its results have or why there are none;
then those bytes. NumPy is what one writes with it, the others are their own functions."""

import ctypes
import json
import math
import sys

OPERATION, TYPE, LENGTH, EPS = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
NORMS = {"normalize_l1": 1, "normalize_l2": 2, "normalize_max": math.inf}
ELEMENTS = sys.stdin.buffer.read()


def array(numpy):
    """The lines, for NumPy."""
    if TYPE == "bf16":
        raise TypeError("NumPy has no bf16")
    return numpy.frombuffer(ELEMENTS, {"f16": "f2", "f32": "f4", "f64": "f8"}[TYPE]).reshape(-1, LENGTH)


def by_numpy():
    import numpy
    x = array(numpy)
    line = {"axis": -1, "keepdims": True}
    if OPERATION in ("softmax", "log_softmax", "logsumexp"):
        top = x.max(**line)
        e = numpy.exp(x - top)
        total = e.sum(**line)
        y = {"softmax": lambda: e / total, "log_softmax": lambda: x - top - numpy.log(total),
             "logsumexp": lambda: top + numpy.log(total)}[OPERATION]()
    elif OPERATION == "layer_norm":
        y = (x - x.mean(**line)) / numpy.sqrt(x.var(**line) + EPS)
    elif OPERATION == "standardize":
        y = (x - x.mean(**line)) / x.std(**line)
    elif OPERATION == "rms_norm":
        y = x / numpy.sqrt((x * x).mean(**line) + EPS)
    else:
        y = x / numpy.maximum(numpy.linalg.norm(x, NORMS[OPERATION], **line), EPS)
    return numpy.__version__, y.astype(x.dtype).tobytes()


def by_scipy():
    if OPERATION not in ("softmax", "log_softmax", "logsumexp"):
        return None
    import scipy
    from scipy import special
    import numpy
    x = array(numpy)
    return scipy.__version__, getattr(special, OPERATION)(x, axis=-1).astype(x.dtype).tobytes()


def by_torch():
    import torch
    from torch.nn import functional
    type_ = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}[TYPE]
    x = torch.frombuffer(bytearray(ELEMENTS), dtype=type_).view(-1, LENGTH)
    if OPERATION in ("softmax", "log_softmax", "logsumexp"):
        y = getattr(torch, OPERATION)(x, -1)
    elif OPERATION in ("layer_norm", "rms_norm"):
        y = getattr(functional, OPERATION)(x, (LENGTH,), eps=EPS)
    elif OPERATION == "standardize":
        y = (x - x.mean(-1, keepdim=True)) / x.std(-1, unbiased=False, keepdim=True)
    else:
        y = functional.normalize(x, p=NORMS[OPERATION], dim=-1, eps=EPS)
    y = y.contiguous()
    return torch.__version__, ctypes.string_at(y.data_ptr(), y.numel() * y.element_size())


def main():
    told, written = [], []
    for name, compute in (("numpy", by_numpy), ("scipy", by_scipy), ("torch", by_torch)):
        try:
            made = compute()
        except Exception as e:  # whatever a package cannot do is its reason
            told.append({"name": name, "why": str(e) or type(e).__name__})
            continue
        if made:
            told.append({"name": f"{name} {made[0]}", "bytes": len(made[1])})
            written.append(made[1])
    sys.stdout.buffer.write(json.dumps(told).encode() + b"\n" + b"".join(written))


main()
