"""onefold report --from: a stored report drawn again, and what is refused."""

import copy
import json
import os
import unittest

from report_support import FAKES, FAST, ReportTest
from support import python_with_matplotlib


def files_in(folder):
    """What each file below the folder holds."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.relpath(os.path.join(place, name), folder)] = file.read()
    return found


class Again(ReportTest):
    def check_same(self, *words, environment):
        """Measures, draws again elsewhere, and compares all files; the first ones."""
        self.folder = os.path.join(self.directory, "a", words[1].strip("-"))
        self.report(*words, environment=environment)
        elsewhere = os.path.join(self.directory, "elsewhere" + words[1].strip("-"))
        python = {"ONEFOLD_PYTHON": environment["ONEFOLD_PYTHON"]}  # and nothing of the machine that measured
        told = self.output("report", "--from", os.path.join(self.folder, "report.json"), "-o", elsewhere,
                           environment=python)
        first, again = files_in(self.folder), files_in(elsewhere)
        self.assertEqual(sorted(first), sorted(again))
        for name, content in first.items():
            self.assertEqual(content, again[name], name)
            self.assertIn(os.path.join(elsewhere, name) + "\n", told)
        return first

    def test_all_files(self):
        python = python_with_matplotlib()
        files = self.check_same("--seconds", "0.001", "--largest", "512000",
                                environment={"ONEFOLD_PYTHON": python or "false", **self.without_cuda})
        self.assertEqual("plots/summary.svg" in files, python is not None)
        self.assertIn(b"Without cuda, which cannot run here: see above.", files["report.md"])

    @unittest.skipUnless(FAKES, "this program cannot load modules")
    def test_with_a_device_and_presets(self):
        environment = {"ONEFOLD_PYTHON": python_with_matplotlib() or "false",
                       "ONEFOLD_BACKEND_PATH": os.path.join(FAKES, "good")}
        for words in (("--full", *FAST), ("--preset", "notebook", "--seconds", "0.001", "--largest", "1e6"),
                      ("--preset", "ladder-1m", "--seconds", "0.001")):
            files = self.check_same(*words, environment=environment)
            self.assertRegex(files["report.md"], b"data" if "--full" in words else
                             rb"\*\*(Fastest at |Every time of the longest array is noisy)")

    def test_standard_output(self):
        report = self.report(*FAST, environment={"ONEFOLD_PYTHON": "false"})
        path = os.path.join(self.folder, "report.json")
        text = self.output("report", "--from", path)
        self.check_tables(text)
        self.assertRegex(text, r"(?m)^\*\*(Best CPU backend: |Every time of a CPU backend is noisy)")
        self.assertEqual(json.loads(self.output("report", "--from", path, "--format", "json")), report)

    def test_what_is_stored_is_what_is_shown(self):
        report = self.printed(*FAST)
        for row in report["parts"]["bandwidth"]["rows"]:
            row.update(waited=0.5, noisy=True)
        report.update(interrupted=True)
        report["machine"]["CPU"] = "<Another>"
        text = self.output("report", "--from", self.file("report.json", json.dumps(report)))
        for piece in ("Interrupted: rows are missing.", "threads waited for a processor 50 % of the time",
                      r"\<Another>", "**Every time of a CPU backend is noisy: measure again on a quiet machine.**"):
            self.assertIn(piece, text)

    def test_reports_of_earlier_versions(self):
        report = self.printed(*FAST, environment=self.without_cuda)
        for part in report["parts"].values():
            for reason in part["left_out"]:
                del reason["code"]
        text = self.output("report", "--from", self.file("report.json", json.dumps(report)))
        self.assertIn("Not measured: cuda: ", text)


class Refused(ReportTest):
    def test_files(self):
        report = self.printed(*FAST)
        never = os.path.join(self.directory, "never")
        for name, content, pieces in (
                ("text", "x", ["report.json of onefold report", "invalid JSON at byte 1"]),
                ("empty", "", ["invalid JSON"]), ("list", "[1]", ["something else"]), ("other", "{}", ["something else"]),
                ("newer", json.dumps({**report, "onefold_report": 2}),
                 ["version 1 of report.json", "version 2, which a later onefold wrote"]),
                ("older", json.dumps({**report, "onefold_report": 0}), ["version 0"]),
                ("typed", json.dumps({**report, "onefold_report": "1"}), ['version "1"'])):
            path = self.file(name, content)
            self.wrong(3, [path, *pieces], "--from", path)
            self.wrong(3, [path], "--from", path, "-o", never)
        self.assertFalse(os.path.exists(never))
        nosuch = os.path.join(self.directory, "nosuch")
        self.wrong(3, [nosuch, "No such file"], "--from", nosuch)
        self.wrong(3, [self.directory, "directory"], "--from", self.directory)
        path = self.file("report.json", json.dumps(report))
        self.wrong(1, [path, "cannot be written"], "--from", path, "-o", path)

    def test_values(self):
        report = self.printed("--seconds", "0.001", "--largest", "512000")
        report["studies"] = json.loads(self.output("accuracy", "--data", "uniform", "--n", 100, "--backend", "sequential",
                                                   "--format", "json"))["studies"]
        gone = object()

        def check(pieces, place, key, value):
            changed = copy.deepcopy(report)
            target = changed
            for step in place:
                target = target[step]
            if value is gone:
                del target[key]
            else:
                target[key] = value
            path = self.file("bad.json", json.dumps(changed))
            with self.subTest(place=place, key=key, value=value):
                self.wrong(3, ["bad.json: ", "what onefold report writes", *pieces], "--from", path)

        row = ("parts", "latency", "rows", 1)
        for key, values in (("op", ("add", 5, None, gone)), ("dtype", ("f33", [])), ("data", (1, gone)),
                            ("n", (0, -1, 1.5, "1", 1e30, None)), ("accuracy", ("best",)), ("location", ("here", 1)),
                            ("backend", ("gpux", None)), ("ran", ("nobody",)), ("kernel", ("fast", 1, gone)),
                            ("seconds", (-1, 0, None, "1", 1e300)), ("lower_quartile", (1e5,)), ("waited", (2, -1, gone)),
                            ("occupancy", ("x",)), ("limit_gb_per_s", (-1,)), ("speedup", (-1, "x")),
                            ("base_noisy", (None, 1)), ("same_bits", (1, "yes")), ("shape", (5, "2x", "0x1", "7", "a"))):
            for value in values:
                check(["parts.latency.rows[1]", key], row, key, value)
        shaped = next(i for i, r in enumerate(report["parts"]["shapes-cached"]["rows"]) if r["shape"])
        for key, values in (("shape", ("1x1", "512000", "-512000x-1", "1x512001")), ("axes", (None, "2", "0 1", "x", 0))):
            for value in values:
                check([f"parts.shapes-cached.rows[{shaped}]", key], ("parts", "shapes-cached", "rows", shaped), key, value)
        for key, values in (("set", ("slow", None)), ("rounds", (0, "3")), ("seconds", (-1, None)), ("date", (5, gone)),
                            ("interrupted", ("no", gone)), ("machine", ([], gone)), ("build", (1,)), ("backends", (None,)),
                            ("parts", (3, [])), ("studies", ({}, gone))):
            for value in values:
                check([key], (), key, value)
        check(["machine"], ("machine",), "CPU", gone)
        check(["build"], ("build",), "onefold", gone)
        check(["parts.modes.left_out", "code"], ("parts", "modes"), "left_out", [{"what": "x", "why": "y", "code": "z"}])
        check(["studies[0]", "exact_bits"], ("studies", 0), "exact_bits", "0x12")
        check(["studies[0]", "relative"], ("studies", 0, "findings", 0), "relative", "much")
        check(["studies[0]", "backend"], ("studies", 0, "findings", 1), "backend", "nobody")

    def test_peers(self):
        path = self.file("bad.json", json.dumps({**self.printed(*FAST), "peers": {"speeds": 3}}))
        self.wrong(3, ["bad.json: peers", "peers.json of scripts/bench-peers"], "--from", path)

    def test_wrong_usage(self):
        path = self.file("report.json", json.dumps(self.printed(*FAST)))
        for words in (("--full",), ("--quick",), ("--preset", "notebook"), ("--seconds", "1"), ("--largest", "9"),
                      ("--peers", path)):
            self.wrong(2, ["--from measures nothing; it takes only --output and --format"], "--from", path, *words)
        self.wrong(2, ["--tolerance requires --compare"], "--from", path, "--tolerance", "1")
        self.wrong(2, ["--output", "a folder"], "--from", path, "-o", "")
        self.wrong(2, ["empty name"], "--from", "")


if __name__ == "__main__":
    unittest.main()
