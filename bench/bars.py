"""The bars: what must be how many times as fast as what. Each is one function that yields its cells."""
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
FLOATS = ["f32", "f64"]
INTEGERS = ["i8", "i16", "i32", "i64"]
OPENMP_PEERS = {"omp simd", "Thrust (OpenMP)"}


class Cell:
    """One comparison: `ours` is `speed` times as fast as `other` by medians, `least` times by shortest times."""

    def __init__(self, row, bar, ours, other, speed, least):
        self.row, self.bar, self.ours, self.other, self.speed, self.least = row, bar, ours, other, speed, least

    @property
    def met(self):
        return self.speed >= self.bar


def compared(m, row, bar, ours, others):
    """The cell of `ours` against the fastest of `others`; nothing if either was not measured."""
    pairs = [(m.speed(ours, o), o) for o in others if o and ours]
    if pairs:
        (speed, least), other = min(pairs)
        yield Cell(row, bar, ours, other, speed, least)


def ours_of(m, row):
    return m.find(row, "onefold")


def peers_of(m, row, flags):
    """The peers with these compiler flags; "fast" has NumPy too, which comes with AVX2 and AVX-512 loops."""
    wanted = ["fast", "as installed"] if flags == "fast" else [flags]
    own = {"onefold", "read", "read-streams"}
    return [n for n in m.names(row) if n.split("/")[4] not in own and n.split("/")[5] in wanted]


def limit(m, row, bar, ours):
    return compared(m, row, bar, ours, [m.find(row, "read"), m.find(row, "read-streams")])


def sums_and_maxima(sizes, threads, types=FLOATS):
    return [f"{op}/{t}/{size}/{k}" for k in threads for op in ["sum", "max"] for t in types for size in sizes]


def cached_limit(m):
    for row in sums_and_maxima([64 * KIB, 256 * KIB, MIB], [1]):
        yield from limit(m, row, 0.85, ours_of(m, row))


def cached_plain(m):
    for row in sums_and_maxima([64 * KIB, 256 * KIB, MIB], [1]):
        yield from compared(m, row, 2.5, ours_of(m, row), peers_of(m, row, "plain"))


def cached_fast(m):
    for row in sums_and_maxima([64 * KIB, 256 * KIB, MIB], [1]):
        yield from compared(m, row, 1.0, ours_of(m, row), peers_of(m, row, "fast"))


def large_limit(m):
    for row in sums_and_maxima([16 * MIB, GIB], [1, 2]):
        yield from limit(m, row, 0.97, ours_of(m, row))


def two_threads(m):
    """Our OpenMP backend against all; and our TBB backend against TBB's peers, which share a process with it."""
    for row in sums_and_maxima([MIB], [2]):
        for peer in peers_of(m, row, "plain") + peers_of(m, row, "fast"):
            yield from compared(m, row, 2.0, m.find(row, "onefold", "openmp"), [peer])
            if peer.split("/")[4] not in OPENMP_PEERS:
                yield from compared(m, row, 2.0, m.find(row, "onefold", "tbb"), [peer])


def own(m, ours, other, types, sizes, threads):
    for k in threads:
        for t in types:
            for size, bar in sizes.items():
                row = f"modes/{t}/{size}/{k}"
                yield from compared(m, row, bar, m.find(row, ours), [m.find(row, other)])


def accuracies(m):
    for mode in ["sum-kahan", "sum-wide"]:
        yield from own(m, mode, "sum", FLOATS, {16 * MIB: 0.97, GIB: 0.90}, [1, 2])


def exact_rows(m, kind, bars, threads):
    for k in threads:
        for t in FLOATS:
            for size, bar in bars.items():
                row = f"{kind}/{t}/{size}/{k}"
                yield from compared(m, row, bar, m.find(row, "exact"), [m.find(row, "native")])


def exact_large(m):
    yield from exact_rows(m, "exact", {16 * MIB: 0.92, GIB: 0.92}, [1, 2])


def exact_cached(m):
    row = f"exact/f64/{MIB}/1"
    yield from compared(m, row, 0.5, m.find(row, "exact"), [m.find(row, "native")])
    yield from compared(m, row, 4.0, m.find(row, "exact"), [m.find(row, "superaccumulator")])


def exact_hostile(m):
    yield from exact_rows(m, "hostile", {GIB: 0.4}, [1])


def argmax(m):
    yield from own(m, "argmax", "max", FLOATS, {MIB: 0.6}, [1])


def moments(m):
    yield from own(m, "moments", "sum", FLOATS, {GIB: 0.9}, [1, 2])


def integers(m):
    for t in INTEGERS:
        row = f"sum/{t}/{MIB}/1"
        yield from compared(m, row, 1.3, ours_of(m, row), peers_of(m, row, "plain") + peers_of(m, row, "fast"))


#: What is asked for, and the cells that show it.
SPEED = [
    ("sum and max of f32 and f64, 64 KB to 1 MB, one thread: of the read limit", cached_limit),
    ("the same, against the best peer at -O3", cached_plain),
    ("the same, against the best peer with -march=native -ffast-math, and NumPy", cached_fast),
    ("sum and max of f32 and f64, 16 MB and 1 GB: of the read limit", large_limit),
    ("sum and max of f32 and f64, 1 MB, two threads: against every parallel peer, fast-math included", two_threads),
    ("kahan and wide, 16 MB and 1 GB: of the plain sum", accuracies),
    ("exact, 16 MB and 1 GB: of the plain sum", exact_large),
    ("exact, f64, 1 MB: of the plain sum, and of a plain superaccumulator", exact_cached),
    ("exact, exponents over the whole range, 1 GB: of the plain sum", exact_hostile),
    ("argmax, 1 MB: of max", argmax),
    ("mean and variance, 1 GB: of sum", moments),
    ("sum of i8 to i64, 1 MB, one thread: against the best peer, fast-math included", integers),
]

#: A call by plan takes at most so many nanoseconds, for up to 64 elements, and never allocates.
CALL_NS = 10


def calls(m):
    """(name, ns, least ns, allocations) of every call by plan."""
    for name in m.rounds:
        if name.startswith("calls/") and name.split("/")[4] == "plan":
            yield name, m.ns(name), m.least(name), m.allocations[name]
