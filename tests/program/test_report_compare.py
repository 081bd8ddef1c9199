"""onefold report --compare: what it calls slower, what it names, and what it refuses."""

import copy
import json
import os
import unittest

from report_support import FAST, ReportTest


class CompareTest(ReportTest):
    MEASURED = FAST
    reports = {}  # measured once for all tests

    def setUp(self):
        super().setUp()
        if self.MEASURED not in self.reports:
            self.reports[self.MEASURED] = self.report(*self.MEASURED, environment={"ONEFOLD_PYTHON": "false"})
        self.before = copy.deepcopy(self.reports[self.MEASURED])
        self.before["parts"]["bandwidth"]["rows"][0].update(  # as a device would say
            device_seconds=1e-6, device_minimum=0.99e-6, device_lower_quartile=0.995e-6, device_upper_quartile=1.01e-6)
        for row in self.rows(self.before):  # as a quiet machine would say
            row.update(minimum=row["seconds"] * 0.98, lower_quartile=row["seconds"] * 0.99,
                       upper_quartile=row["seconds"] * 1.02, noisy=False)

    @staticmethod
    def rows(report):
        return [row for part in report["parts"].values() for row in part["rows"]]

    @staticmethod
    def slowed(row, factor, prefix=""):
        for name in (f"{prefix}seconds", f"{prefix}minimum", f"{prefix}lower_quartile", f"{prefix}upper_quartile"):
            row[name] *= factor

    def compare(self, code, after, *words):
        """What comparing says, and on which line it ends."""
        files = [self.file(name, json.dumps(x)) for name, x in (("a.json", self.before), ("b.json", after))]
        done = self.run_program("report", "--compare", *files, *words)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

class Comparing(CompareTest):
    def test_noise_stays_green(self):
        times = len(self.rows(self.before)) + 1
        text, _ = self.compare(0, self.before)
        self.assertRegex(text, rf"^{times} times: 0 slower, 0 faster, {times} alike, 0 noisy; 0 rows with other bits\. "
                               r"Best CPU backend at 2\^12 elements: (\w+ [\d.]+ GB/s) before, \1 after, 1\.00 x\.\n$")
        after = copy.deepcopy(self.before)
        for i, row in enumerate(self.rows(after)):
            self.slowed(row, 1 + 0.05 * (-1) ** i)
        after["parts"]["latency"]["rows"][0]["upper_quartile"] *= 9  # somebody came between
        # Somebody came for more than half the time, but the fastest samples are what they were.
        after["parts"]["latency"]["rows"][1].update(seconds=1, lower_quartile=0.9, upper_quartile=1.1)
        self.compare(0, after)

    def test_slow_down_goes_red(self):
        after = copy.deepcopy(self.before)
        row = after["parts"]["bandwidth"]["rows"][-1]
        self.slowed(row, 1.2)
        text, errors = self.compare(1, after)
        self.assertRegex(text.splitlines()[0], r"^\d+ times: 1 slower \(at worst 1\.20 x the time\), 0 faster, ")
        [line] = [x for x in text.splitlines() if x.startswith("slower")]
        for piece in ("1.20 times", "bandwidth", f"n {row['n']}", row["backend"], "a call"):
            self.assertIn(piece, line)
        self.assertRegex(errors, r"^onefold: 1 of \d+ times are longer than before\n$")
        self.compare(0, after, "--tolerance", "0.3")
        self.before, after = after, self.before
        text, _ = self.compare(0, after)
        self.assertIn(" 0 slower, 1 faster (at best 0.83 x the time), ", text.splitlines()[0])
        self.assertIn("0.83 times", [x for x in text.splitlines() if x.startswith("faster")][0])

    def test_samples_that_differ_a_lot_say_less(self):
        after = copy.deepcopy(self.before)
        row = after["parts"]["bandwidth"]["rows"][-1]
        self.slowed(row, 1.2)
        row["upper_quartile"] = row["lower_quartile"] * 1.1  # wide, but not as wide as the gap
        self.compare(1, after)
        row["upper_quartile"] = row["lower_quartile"] * 1.25
        self.compare(0, after)
        self.before, after = after, self.before
        self.compare(0, after)

    def test_noisy_rows_have_not_changed(self):
        for noisy in (0, 1):
            reports = [copy.deepcopy(self.before), copy.deepcopy(self.before)]
            row = reports[1]["parts"]["bandwidth"]["rows"][-1]
            self.slowed(row, 1.2)
            reports[noisy]["parts"]["bandwidth"]["rows"][-1]["noisy"] = True
            self.before, after = reports
            self.assertIn("0 slower, 0 faster", self.compare(0, after)[0])
            told = json.loads(self.compare(0, after, "--format", "json")[0])
            self.assertEqual((told["slower"], told["faster"], told["noisy"]), (0, 0, 1))
            self.before = reports[0]
            self.before["parts"]["bandwidth"]["rows"][-1]["noisy"] = False
            row["noisy"] = False
            self.compare(1, after)
            del row["noisy"]  # an earlier version's report
            self.compare(1, after)

    def test_headline(self):
        rows = self.before["parts"]["bandwidth"]["rows"]
        for row in rows:  # as a GPU would say, of data on the device
            if row["backend"] == "sequential":
                rows.append({**row, "backend": "cuda", "ran": "cuda", "kernel": "canonical", "location": "device"})
        longest = [r for r in rows if r["n"] == 1 << 12]
        for row in longest:
            self.slowed(row, (1 << 14) / 2e9 / row["seconds"])  # 2 GB/s
        after = copy.deepcopy(self.before)
        for row in after["parts"]["bandwidth"]["rows"]:
            if row["n"] == 1 << 12:
                row["noisy"] = row["backend"] == "sequential"
                self.slowed(row, {"cuda": 0.5, "sequential": 0.1}.get(row["backend"], 0.8))
        told = json.loads(self.compare(0, after, "--format", "json")[0])["headline"]
        self.assertIn(" GPU, device data at 2^12 elements: 2 GB/s before, 4 GB/s after, 2.00 x.", told)
        if len(longest) > 2:  # a backend with threads, whose row is quiet
            self.assertRegex(told, r" Best CPU backend at 2\^12 elements: \w+ 2 GB/s before, \w+ 2.5 GB/s after, 1.25 x\.")

    def test_device_times(self):
        after = copy.deepcopy(self.before)
        self.slowed(after["parts"]["bandwidth"]["rows"][0], 1.2, "device_")
        told = json.loads(self.compare(1, after, "--format", "json")[0])
        self.assertEqual((told["slower"], told["faster"]), (1, 0))
        [slow] = [x for x in told["times"] if x["verdict"] == "slower"]
        self.assertEqual(slow["what"], "on the device")
        self.assertAlmostEqual(slow["ratio"], 1.2)

    def test_other_bits_go_red(self):
        after = copy.deepcopy(self.before)
        after["parts"]["latency"]["rows"][2]["bits"] = "0x00000001"
        text, errors = self.compare(1, after)
        self.assertIn("other bits: latency: ", text)
        self.assertIn("1 row has other bits", errors)
        after["parts"]["latency"]["rows"][2]["same_bits"] = None  # an order of its own
        self.compare(0, after)

    def test_other_rows_and_machines_are_named(self):
        after = copy.deepcopy(self.before)
        gone = after["parts"]["latency"]["rows"].pop()
        after["parts"]["bandwidth"]["rows"][0]["n"] = 77
        after["machine"]["CPU"] = "Another"
        after["machine"]["new"] = 1
        self.before["build"]["old"] = 2
        text, errors = self.compare(1, after)
        self.assertRegex(errors, r"^onefold: 2 rows of .*a\.json are missing from .*b\.json\n$")
        self.assertRegex(text, rf"only before: latency: .* n {gone['n']}, ")
        self.assertRegex(text, "only after: bandwidth: .* n 77, ")
        for piece in (' -> "Another"', "new: null -> 1", "old: 2 -> null"):
            self.assertIn(piece, text)

    def test_rows_that_are_added_are_no_reason(self):
        after = copy.deepcopy(self.before)
        self.before["parts"]["latency"]["rows"].pop()
        text, _ = self.compare(0, after)
        self.assertIn("only after: latency: ", text)

    def test_times_that_nobody_can_have_measured(self):
        good = self.file("good.json", json.dumps(self.before))
        for name in ("seconds", "minimum", "lower_quartile", "upper_quartile", "device_seconds", "device_minimum"):
            for value in (-1.0, 0, -0.0, 1e300, "1", None, [], 1e-300):
                if name == "device_seconds" and value is None:
                    continue  # there is no device
                after = copy.deepcopy(self.before)
                after["parts"]["bandwidth"]["rows"][0][name] = value
                bad = self.file("bad.json", json.dumps(after))
                for pair in ((good, bad), (bad, good)):
                    self.wrong(3, ["bad.json: parts.bandwidth.rows[0]", "what onefold report writes"], "--compare", *pair)
        after = copy.deepcopy(self.before)
        after["parts"]["bandwidth"]["rows"][0]["lower_quartile"] = 1e5
        self.wrong(3, ["rows[0]", "expected minimum <= lower_quartile <= seconds <= upper_quartile"], "--compare", good,
                   self.file("bad.json", json.dumps(after)))

    def test_types(self):
        """Of what is compared, a value that no report has is refused in either file."""
        good = self.file("good.json", json.dumps(self.before))
        gone = object()

        def check(place, pieces, change):
            after = copy.deepcopy(self.before)
            change(after)
            bad = self.file("bad.json", json.dumps(after))
            for pair in ((good, bad), (bad, good), (bad, bad)):
                with self.subTest(place=place, pieces=pieces):
                    self.wrong(3, ["bad.json: " + place, "what onefold report writes", *pieces], "--compare", *pair)

        for name, values in (("bits", (None, 5, [], {}, "", True, gone)), ("same_bits", (1, "yes", [], gone)),
                             ("seed", ("1", 1.5, [], True, gone)), ("noisy", (1, "no", None))):
            for value in values:
                def change(report, name=name, value=value):
                    row = report["parts"]["bandwidth"]["rows"][1]
                    if value is gone:
                        del row[name]
                    else:
                        row[name] = value
                check("parts.bandwidth.rows[1]", [name], change)
        for value in (None, 5, "x", {}):
            check("parts.bandwidth", ["rows"], lambda report, value=value: report["parts"]["bandwidth"].update(rows=value))
        for name in ("machine", "build", "backends", "parts"):
            for value in (None, 5, "x", [], True):
                check("", [f"{name} is {json.dumps(value)}"],
                      lambda report, name=name, value=value: report.update({name: value}))

    def test_rows_that_are_there_twice(self):
        good = self.file("good.json", json.dumps(self.before))
        after = copy.deepcopy(self.before)
        rows = after["parts"]["latency"]["rows"]
        rows.append(copy.deepcopy(rows[0]))
        self.slowed(rows[-1], 99)  # which would go unseen
        self.wrong(3, [f"parts.latency.rows[{len(rows) - 1}]", "the same row as one before"], "--compare", good,
                   self.file("bad.json", json.dumps(after)))

    def test_bad_files(self):
        good = self.file("good.json", json.dumps(self.before))
        bare = dict(self.before, parts={"bandwidth": {"rows": [{"op": "sum"}]}})
        none = dict(self.before, parts={})
        for name, content, piece in (("text", "x", "invalid JSON"), ("empty", "", "invalid JSON"),
                                     ("list", "[1]", "something else"), ("other", "{}", "something else"),
                                     ("bare", json.dumps(bare), "not found"),
                                     ("facts", json.dumps({k: v for k, v in self.before.items() if k != "build"}),
                                      "'build' not found"),
                                     ("typed", json.dumps(dict(self.before, parts=3)), "what onefold report writes"),
                                     ("new", json.dumps(dict(self.before, onefold_report=2)), "version 2, which a later onefold wrote"),
                                     ("deep", "[" * 200000 + "]" * 200000, "more than 100 levels"),
                                     ("huge", '{"onefold_report": 1e999}', "number overflow"),
                                     ("none", json.dumps(none), "no row in common")):
            bad = self.file(name, content)
            self.wrong(3, [bad, piece], "--compare", good, bad)
            self.wrong(3, [bad, piece], "--compare", bad, good)
        nosuch = os.path.join(self.directory, "nosuch")
        self.wrong(3, [nosuch, "No such file"], "--compare", nosuch, good)
        self.wrong(3, [self.directory, "directory"], "--compare", good, self.directory)
        self.wrong(3, ["/dev/zero", "it has more than 67108864 bytes"], "--compare", good, "/dev/zero")

    def test_wrong_usage(self):
        good = self.file("good.json", json.dumps(self.before))
        self.wrong(2, ["--compare"], "--compare", good)
        self.wrong(2, ["--compare"], "--compare", good, good, "-o", self.folder)
        self.wrong(2, ["--compare"], "--compare", good, good, "--full")
        self.wrong(2, ["--compare measures nothing"], "--compare", good, good, "--from", good)
        self.wrong(2, ["--tolerance"], "--compare", good, good, "--tolerance=-1")


class Shapes(CompareTest):
    MEASURED = ("--seconds", "0.001", "--largest", "512000")

    def setUp(self):
        super().setUp()
        self.after = copy.deepcopy(self.before)
        self.shaped = self.after["parts"]["shapes-cached"]["rows"]

    def row(self, shape, axes):
        [row] = [r for r in self.shaped if (r["shape"], r["axes"], r["backend"]) == (shape, axes, "sequential")]
        return row

    def test_rows_and_columns_of_one_matrix_are_two_rows(self):
        self.compare(0, self.after)
        self.slowed(self.row("16000x32", "1"), 1.2)
        text, _ = self.compare(1, self.after)
        [line] = [x for x in text.splitlines() if x.startswith("slower")]
        self.assertIn("1.20 times the time  shapes-cached: sum f32 of uniform, n 512000, shape 16000x32, axes 1, native, "
                      "sequential (a call)", line)
        self.slowed(self.row("16000x32", "0"), 1.2)
        self.assertIn("\nonefold: 2 of ", "\n" + self.compare(1, self.after)[1])

    def test_other_bits_go_red(self):
        row = self.row("125x4096", "0")
        row["bits_hash"] = "0x0123456789abcdef"
        text, errors = self.compare(1, self.after)
        self.assertRegex(text, "(?m)^other bits: shapes-cached: .*, shape 125x4096, axes 0, native, sequential$")
        self.assertIn("1 row has other bits", errors)
        row["same_bits"] = None  # an order of its own
        self.compare(0, self.after)

    def test_types(self):
        good = self.file("good.json", json.dumps(self.before))
        place = f"parts.shapes-cached.rows[{self.shaped.index(self.row('512x1000', '1'))}]"
        for name, values in (("shape", (5, [], {}, True)), ("axes", (5, [1])), ("bits_hash", (None, 5, "", "cafe"))):
            for value in values:
                after = copy.deepcopy(self.after)
                [row] = [r for r in after["parts"]["shapes-cached"]["rows"] if r == self.row("512x1000", "1")]
                row[name] = value
                with self.subTest(name=name, value=value):
                    self.wrong(3, ["bad.json: " + place, "what onefold report writes"], "--compare", good,
                               self.file("bad.json", json.dumps(after)))

    def test_reports_without_shapes(self):
        del self.before["parts"]["shapes-cached"], self.before["parts"]["shapes"], self.before["shapes"]
        for row in self.rows(self.before):
            del row["shape"], row["axes"], row["bits_hash"]
        text, _ = self.compare(0, self.after)
        self.assertIn("only after: shapes-cached: sum f32 of uniform, n 512000, shape 125x4096, axes 0, ", text)


if __name__ == "__main__":
    unittest.main()
