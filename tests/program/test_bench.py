"""onefold bench: its rows, on the CPU and on a device, and its checks."""

import functools
import json
import time
import unittest

from bench_support import FAKES, FAST, BenchTest, fake, split
from support import SANITIZED, npy, packed


class Rows(BenchTest):
    def test_every_combination(self):
        rows, _ = self.bench("--op", "sum,max", "--dtype", "f32,i64", "--n", "100,1000", "--accuracy", "native,wide",
                             "--backend", "sequential,openmp", "--threads", "1..2")
        backends = [("sequential", 1)] + ([("openmp", 1)] * 2 if "openmp" in self.available_backends() else [])
        self.assertEqual([(r["op"], r["dtype"], r["n"], r["accuracy"], r["backend"], r["threads"]) for r in rows],
                         [(op, dtype, n, mode, *b) for dtype in ("f32", "i64") for n in (100, 1000)
                          for op in ("sum", "max") for mode in ("native", "wide") for b in backends])
        self.assertEqual([r["threads_asked"] for r in rows if r["backend"] == "openmp"],
                         [1, 2] * (16 if "openmp" in self.available_backends() else 0))
        self.assertEqual({r["threads_asked"] for r in rows if r["backend"] == "sequential"}, {None})
        self.assertEqual({r["data"] for r in rows if r["dtype"] == "i64"}, {"integers"})
        self.assertEqual({r["data"] for r in rows if r["dtype"] == "f32"}, {"uniform"})

    def test_threads_that_were_asked_for_and_not_needed(self):
        if "openmp" not in self.available_backends():
            self.skipTest("backend openmp cannot run")
        text = self.output("bench", *FAST, "--n", "100", "--backend", "openmp", "--threads", "1..2")
        self.assertRegex(text, r"openmp +1 +[0-9.]+ [num]?s")
        self.assertRegex(text, r"openmp +1 of 2 +[0-9.]+ [num]?s")

    def test_every_backend_and_its_reason(self):
        rows, reasons = self.bench("--n", "1e5", "--backend", "all")
        self.assertEqual(sorted(r["backend"] for r in rows), sorted(self.available_backends()))
        for b in json.loads(self.output("backends", "--format", "json"))["backends"]:
            if not b["available"]:
                self.assertEqual([r["why"] for r in reasons if r["left_out"] == b["backend"]], [b["detail"]])

    def test_bits_are_those_of_reduce(self):
        values = self.file("a.bin", bytes(4 * 5000))
        zero = self.reduced("sum", values, "--dtype", "f32")["bits"]
        for r in self.bench("--data", "uniform,cancelling", "--n", 5000, "--accuracy", "exact")[0]:
            self.assertTrue(r["same_bits"])
            self.assertEqual(r["bits"] == zero, r["data"] == "cancelling")

    def test_all_operations_types_and_modes(self):
        rows, reasons = self.bench("--op", "all", "--dtype", "all", "--accuracy", "all", "--n", "64,65", "--backend", "seq")
        for o in json.loads(self.output("operations", "--format", "json")):
            seen = {r["dtype"] for r in rows if r["op"] == o["op"] and r["accuracy"] == "native"}
            self.assertEqual(seen, set(o["dtypes"]), o["op"])
        self.assertTrue(all(r["same_bits"] for r in rows))
        self.assertIn("product of f32, exact", [r["left_out"] for r in reasons])
        self.assertEqual(len(reasons), len({r["left_out"] for r in reasons}))

    def test_numbers_fit_together(self):
        for r in self.bench("--n", "1e5..1e7:10", "--accuracy", "native,kahan")[0]:
            if r["backend"] == "cuda":  # its link has no such limit
                self.assertIsNone(r["limit_gb_per_s"])
                continue
            self.assertLessEqual(r["minimum"], r["lower_quartile"])
            self.assertLessEqual(r["lower_quartile"], r["seconds"])
            self.assertLessEqual(r["seconds"], r["upper_quartile"])
            self.assertLessEqual(r["upper_quartile"], r["maximum"])
            self.assertGreaterEqual(r["samples"], 5)
            self.assertAlmostEqual(r["gb_per_s"] * r["seconds"] / (r["n"] * 4 / 1e9), 1)
            self.assertAlmostEqual(r["spread"] * r["seconds"], r["upper_quartile"] - r["lower_quartile"])
            self.assertAlmostEqual(r["share_of_limit"] * r["limit_gb_per_s"] / r["gb_per_s"], 1)
            if r["backend"] == "sequential":
                self.assertEqual(r["speedup"], 1)
            self.assertIsNone(r["device_seconds"])

    def test_files(self):
        values = [1e-3 * i for i in range(5000)]
        path = self.file("a.npy", npy("f64", values))
        for n in (5000, 17):
            rows, _ = self.bench(path, "--op", "sum,max", "--accuracy", "native,exact", *(() if n == 5000 else ("--n", n)))
            part = self.file("part.npy", npy("f64", values[:n]))
            for r in rows:
                self.assertEqual((r["n"], r["dtype"], r["data"], r["seed"]), (n, "f64", path, None))
                self.assertEqual(r["bits"], self.reduced(r["op"], part, "--accuracy", r["accuracy"])["bits"])
                self.assertTrue(r["same_bits"])
            self.assertEqual({r["backend"] for r in rows}, set(self.available_backends()))
        raw = self.file("uniform", packed("i16", [1, 2, 3]))  # the name of a data set that has no integers
        self.assertEqual({r["bits"] for r in self.bench(raw, "--dtype", "i16")[0]}, {"0x0000000000000006"})
        self.wrong(3, [path, "expected 5001 elements, found 5000"], path, "--n", 5001)
        self.wrong(3, ["expected 1 elements, found 0"], self.file("empty.npy", npy("f32", [])))
        self.wrong(2, ["--data, --seed and --shape cannot be combined with files"], path, "--data", "uniform")
        self.wrong(2, ["--data, --seed and --shape cannot be combined with files"], path, "--shape", "50x100")
        for words in (["--header"], ["--input", "npy"], ["--column", 1], ["--separator", "tab"], ["--missing", "skip"],
                      ["--integers", "round"]):
            self.wrong(2, [f"{words[0]} applies to files, but none is given"], *words)
            done = self.run_program("accuracy", "--data", "uniform", *words)
            self.check_error(done, 2, f"{words[0]} applies to files, not to --data")

    def test_shapes(self):
        rows, reasons = self.bench("--shape", "2^10x32,512x8x2^3", "--axis", "-1", "--op", "sum,minmax")
        cpus = [b for b in self.available_backends() if b != "cuda"]
        self.assertEqual(sorted({r["backend"] for r in rows}), sorted(cpus))
        self.assertEqual([(r["op"], r["shape"], r["axes"], r["n"], r["results"]) for r in rows if r["backend"] == "sequential"],
                         [(op, shape, "-1", 32768, results) for shape, results in (("1024x32", 1024), ("512x8x8", 4096))
                          for op in ("sum", "minmax")])
        for r in rows:
            self.assertTrue(r["same_bits"])
            self.assertIsNone(r["bits"])
            self.assertRegex(r["bits_hash"], "^0x[0-9a-f]{16}$")
            self.assertAlmostEqual(r["gb_per_s"], 4 * 32768 / r["seconds"] / 1e9)
            self.assertGreater(r["limit_gb_per_s"], 0)
        self.assertEqual(len({r["bits_hash"] for r in rows}), 4)  # one for each operation and shape
        base = {(r["op"], r["shape"]): r["seconds"] for r in rows if r["backend"] == "sequential"}
        for r in rows:
            self.assertAlmostEqual(r["speedup"], base[r["op"], r["shape"]] / r["seconds"])
        text = self.output("bench", *FAST, "--shape", "2^10x32,10x20x30", "--axis", "0", "--axis", "1", "--backend", "seq")
        self.assertRegex(text, r"\n +n +shape +time")
        self.assertRegex(text, r"2\^15 +2\^10x32 over 0,1 ")
        self.assertRegex(text, r"6000 +10x20x30 over 0,1 ")

    def test_shapes_of_one_length_have_results_of_their_own(self):
        for words in (["--shape", "8x16,16x8", "--axis", "0"], ["--shape", "16x8,8x16"]):
            rows, _ = self.bench(*words, "--backend", "seq")
            self.assertEqual([(r["n"], r["same_bits"]) for r in rows], [(128, True)] * 2)
        self.assertEqual([r["axes"] for r in rows], [None] * 2)

    def test_hash_of_the_results(self):
        for shape, axes, results in (("4x3", "1", [3] * 4), ("4x3", "0", [4] * 3)):
            bits = b"".join(r.to_bytes(8, "little") for r in results)
            expected = functools.reduce(lambda h, byte: (h ^ byte) * 0x100000001b3 % 2**64, bits, 0xcbf29ce484222325)
            rows, _ = self.bench("--shape", shape, "--axis", axes, "--op", "count", "--backend", "seq")
            self.assertEqual([r["bits_hash"] for r in rows], [f"0x{expected:016x}"])
        self.assertEqual([r["bits_hash"] for r in self.bench("--n", 12, "--backend", "seq")[0]], [None])

    def test_shapes_that_do_not_have_the_axes(self):
        rows, reasons = self.bench("--shape", "64x32,8x8x8,4096,2x3x4", "--axis", "2", "--backend", "seq")
        self.assertEqual([r["shape"] for r in rows], ["8x8x8", "2x3x4"])
        self.assertEqual([(r["left_out"], r["why"]) for r in reasons],
                         [("shape 64x32", "axis 2 is out of range for a view of 2 axes; expected -2 to 1"),
                          ("shape 4096", "axis 2 is out of range for a view of 1 axis; expected -1 to 0")])
        rows, reasons = self.bench("--shape", "8x8x8,8x8", "--axis", "-1,1", "--backend", "seq")
        self.assertEqual([r["shape"] for r in rows], ["8x8x8"])
        self.assertEqual([(r["left_out"], r["why"]) for r in reasons], [("shape 8x8", "axis 1 is named twice")])

    def test_wrong_shapes(self):
        self.wrong(2, ["--axis requires --shape"], "--axis", "0")
        self.wrong(2, ["--n and --shape cannot be combined"], "--n", "10", "--shape", "2x5")
        self.wrong(2, ["--shape: expected 1 to 8 extents with x between them", '"2x"'], "--shape", "3,2x")
        self.wrong(2, ["--shape: expected 1 to 2^53 elements in all", '"0x5"'], "--shape", "0x5")
        self.wrong(2, ["--shape: expected 1 to 2^53 elements in all"], "--shape", "2^40x2^40")
        self.wrong(2, ["axis 2 is out of range for a view of 2 axes; expected -2 to 1"], "--shape", "2x5", "--axis", "2")
        self.wrong(2, ["shape 2x5: axis 2 is out of range"], "--shape", "2x5,5x2", "--axis", "2")
        self.wrong(2, ["axis -1 is named twice"], "--shape", "2x5", "--axis", "1,-1")

    @unittest.skipUnless(FAKES, "the program has no modules")
    def test_shapes_on_devices(self):
        rows, reasons = self.bench("--shape", "2x5", "--axis", "1", "--backend", "seq,cuda", environment=fake("good"))
        self.assertEqual([(r["backend"], r["results"]) for r in rows], [("sequential", 2), ("cuda", 2)])
        self.assertEqual(reasons, [])
        # All axes of an array in C order are a list.
        rows, reasons = self.bench("--shape", "2x5", "--backend", "seq,cuda", environment=fake("good"))
        self.assertEqual([(r["ran"], r["results"]) for r in rows], [("sequential", 1), ("cuda", 1)])
        self.assertEqual((rows[1]["limit_gb_per_s"], reasons), (None, []))

    def test_one_limit_for_an_array(self):
        rows, _ = self.bench("--n", "1e6", "--op", "sum,max", "--backend", "seq")
        self.assertEqual(len({r["limit_gb_per_s"] for r in rows}), 1)

    def test_base(self):
        backends = self.available_backends()
        for base in backends:
            rows, _ = self.bench("--n", 1000, "--backend", "sequential", "--base", base)
            self.assertEqual([r["backend"] for r in rows], list(dict.fromkeys([base, "sequential"])))
            self.assertEqual((rows[0]["base"], rows[0]["speedup"]), (base, 1))
            self.assertAlmostEqual(rows[-1]["speedup"], rows[0]["seconds"] / rows[-1]["seconds"])

    def test_automatic_says_who_ran(self):
        [row, *_] = [r for r in self.bench("--n", 10, "--backend", "automatic")[0] if r["backend"] == "automatic"]
        self.assertEqual(row["ran"], "sequential")

    def test_plain_run_is_short(self):
        start = time.monotonic()
        text = self.output("bench")
        self.assertLess(time.monotonic() - start, 600 if SANITIZED else 60)
        for piece in ("op sum", "2^26", "sequential", "speed-up", "of limit", "same"):
            self.assertIn(piece, text)
        self.assertNotIn("WRONG", text)


@unittest.skipUnless(FAKES, "this program cannot load modules")
class OnAnAccelerator(BenchTest):
    def test_locations_and_device_time(self):
        rows, reasons = self.bench("--n", 5000, "--backend", "cuda", "--location", "all", environment=fake("good"))
        self.assertEqual([(r["backend"], r["location"]) for r in rows],
                         [("sequential", "host")] + [("cuda", where) for where in ("host", "pinned", "device")])
        self.assertEqual([r["device_seconds"] for r in rows], [None, None, None, 0.25e-3])
        self.assertEqual([r["device_upper_quartile"] for r in rows], [None, None, None, 0.25e-3])
        self.assertEqual([r["occupancy"] for r in rows], [None, None, None, 0.75])
        self.assertTrue(all(r["same_bits"] for r in rows))
        self.assertEqual(sorted(r["left_out"] for r in reasons),
                         [f"{where} data on other backends than cuda" for where in ("device", "pinned")])
        text = self.output("bench", *FAST, "--n", 5000, "--backend", "cuda", "--location", "device",
                           environment=fake("good"))
        self.assertIn("device time", text)
        self.assertIn("250.0 us", text)
        self.assertIn("75 %", text)

    def test_no_device_time_where_no_stream_can_have_it(self):
        rows, _ = self.bench("--n", 5000, "--backend", "cuda", "--location", "device", "--accuracy", "exact", "--dtype",
                             "i64", environment=fake("good"))
        self.assertEqual([(r["backend"], r["device_seconds"]) for r in rows], [("sequential", None), ("cuda", None)])

    def test_what_is_declined_is_named_once(self):
        rows, reasons = self.bench("--n", "5000,6000", "--backend", "cuda", "--kernel", "canonical,shuffle,unrolled",
                                   environment=fake("choosy"))
        self.assertEqual([(r["n"], r["backend"]) for r in rows],
                         [(n, backend) for n in (5000, 6000) for backend in ("sequential", "cuda")])
        self.assertEqual([(r["left_out"], r["why"]) for r in reasons],
                         [("sum of f32 on cuda, native", "the stand-in has no such kernel")])

    def test_an_accelerator_that_cannot_be_measured_reduces(self):
        with_it = fake("unmeasured")
        rows, _ = self.bench("--n", 5000, "--backend", "cuda", environment=with_it)
        self.assertEqual([(r["backend"], r["device_seconds"], r["occupancy"]) for r in rows if r["backend"] == "cuda"],
                         [("cuda", None, None)])
        rows, reasons = self.bench("--n", 5000, "--backend", "cuda", "--location", "device", environment=with_it)
        self.assertEqual([r for r in rows if r["backend"] == "cuda"], [])
        self.assertIn("backend cuda cannot be measured: it provides no memory", [r["why"] for r in reasons])

    def test_kernels_have_their_own_order(self):
        rows, _ = self.bench("--n", 5000, "--backend", "cuda", "--kernel", "all", environment=fake("good"))
        seen = {r["kernel"]: r["same_bits"] for r in rows if r["backend"] == "cuda"}
        self.assertEqual(seen.pop("canonical"), True)
        self.assertEqual(len(seen), 7)
        self.assertEqual(set(seen.values()), {None})
        self.assertIn("own order", self.output("bench", *FAST, "--n", 100, "--backend", "cuda", "--kernel", "shuffle",
                                               environment=fake("good")))

    def test_wrong_bits(self):
        words = ("bench", *FAST, "--n", "5000,6000", "--backend", "cuda")
        done = self.run_program(*words, "--format", "json", environment=fake("wrong"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^onefold: 2 of 4 rows have other bits .*\n$")
        self.assertEqual([(r["backend"], r["same_bits"]) for r in split(done.stdout.decode())[0]],
                         [("sequential", True), ("cuda", False)] * 2)
        done = self.run_program(*words, environment=fake("wrong"))
        self.assertEqual((done.returncode, done.stdout.decode().count("WRONG")), (1, 2))

    def test_failed_rows(self):
        done = self.run_program("bench", *FAST, "--n", 5000, "--backend", "cuda", environment=fake("broken"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("the stand-in is broken", done.stderr.decode())
        self.assertIn("sequential", done.stdout.decode())


if __name__ == "__main__":
    unittest.main()
