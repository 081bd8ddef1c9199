#!/usr/bin/env python3
"""The polynomials of include/onefold/detail/math/, by Remez's exchange in 200 bits; needs mpmath."""
from mpmath import atanh, cos, exp, expm1, log, log1p, lu_solve, matrix, mp, mpf, pi, sqrt

mp.prec = 200


def rounded(x, bits):
    fraction, exponent = mp.frexp(x)
    return mp.ldexp(mp.nint(mp.ldexp(fraction, bits)), exponent - bits)


def remez(f, weight, low, high, degree, fixed, bits):
    """Coefficients, the first of them fixed, with the least maximum of |weight (polynomial - f)|; and that maximum."""
    kept = [rounded(c, bits) for c in fixed]
    count = degree + 1 - len(kept)
    value = lambda c, x: sum(a * x**i for i, a in enumerate(c))
    points = [(low + high) / 2 - (high - low) / 2 * cos(pi * (i + mpf("0.53")) / (count + 1)) for i in range(count + 1)]
    grid = [low + (high - low) * (i + mpf(1) / 3) / 600 for i in range(600)]
    for _ in range(8):
        a, b = matrix(count + 1, count + 1), matrix(count + 1, 1)
        for i, x in enumerate(points):
            for j in range(count):
                a[i, j] = x ** (j + len(kept))
            a[i, count] = (-1) ** i / weight(x)
            b[i] = f(x) - value(kept, x)
        c = kept + list(lu_solve(a, b))[:count]
        error = [weight(x) * (value(c, x) - f(x)) for x in grid]
        extrema = []
        for i, e in enumerate(error):
            if extrema and (e > 0) == (extrema[-1][0] > 0):
                if abs(e) > abs(extrema[-1][0]):
                    extrema[-1] = (e, grid[i])
            else:
                extrema.append((e, grid[i]))
        while len(extrema) > count + 1:
            extrema.pop(0 if abs(extrema[0][0]) < abs(extrema[-1][0]) else -1)
        if len(extrema) < count + 1:
            break
        points = [x for _, x in extrema]
    c = kept + [rounded(v, bits) for v in c[len(kept):]]
    return c, max(abs(weight(x) * (value(c, x) - f(x))) for x in grid)


half, ln2 = mpf(1) / 2, log(mpf(2))
small = mpf(10) ** -15


def exp_tail(r):  # (e^r - 1 - r) / r^2
    return (exp(r) - 1 - r) / r**2 if abs(r) > small else half + r / 6


def exp2_tail(r):
    return exp_tail(r * ln2) * ln2**2


def log_tail(f):  # (log(1 + f) - f + f^2 / 2) / f^3
    return (log1p(f) - f + f * f / 2) / f**3 if abs(f) > small else mpf(1) / 3 - f / 4


def atanh_tail(w):  # (2 atanh(s) / s - 2) / w, w = s^2
    return (2 * atanh(sqrt(w)) / sqrt(w) - 2) / w if w > small else mpf(2) / 3 + w * 2 / 5


def expm1_tail(r):  # (e^r - 1 - r - r^2 / 2) / r^3
    return (exp_tail(r) - half) / r if abs(r) > small else mpf(1) / 6 + r / 24


edge = ln2 / 2 * mpf("1.0001")
shift = mpf("0.085")  # expm1_shift of exponentials.hpp
expm1_range = (-(half - shift) * ln2 * mpf("1.0001"), (half + shift) * ln2 * mpf("1.0001"))
low, high = sqrt(half) - 1, sqrt(mpf(2)) - 1
widest = (high / (2 + high)) ** 2
SEARCHED = (  # bits, name, function, weight, from, to, degree, leading coefficients that are given
    (24, "exp_tail", exp_tail, lambda r: r * r / exp(r), -edge, edge, 4, (half,)),
    (53, "exp_tail", exp_tail, lambda r: r * r / exp(r), -edge, edge, 10, (half,)),
    (24, "exp2_tail", exp2_tail, lambda r: r * r / exp(r * ln2), -half, half, 4, ()),
    (53, "exp2_tail", exp2_tail, lambda r: r * r / exp(r * ln2), -half, half, 9, ()),
    (24, "expm1_tail", expm1_tail, lambda r: abs(r**3 / expm1(r)), *expm1_range, 4, ()),
    (53, "expm1_tail", expm1_tail, lambda r: abs(r**3 / expm1(r)), *expm1_range, 9, ()),
    (24, "log1p_parts", log_tail, lambda f: abs(f**3 / log1p(f)), low, high, 7, (mpf(1) / 3,)),
    (53, "log1p_parts", atanh_tail, lambda w: w * sqrt(w) / (2 * atanh(sqrt(w))), mpf(0), widest, 6, ()),
)
for bits, name, f, weight, a, b, degree, given in SEARCHED:
    found, error = remez(f, weight, a, b, degree, given, bits)
    print(f"{name}, {bits} bits: relative error 2^{mp.nstr(log(error, 2), 4)}")
    for v in found:
        print("   ", float(v).hex())
