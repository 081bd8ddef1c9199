"""What commands that measure say on a machine with other work: rows are marked, and nobody quotes them."""

import csv
import io
import json
import re
import unittest

from bench_support import BenchTest, split
from busy import busy_machine
from report_support import ReportTest


class Bench(BenchTest):
    WORDS = ("bench", "--n", "2^18", "--backend", "all", "--seconds", "0.1", "--warm")

    def test_every_format(self):
        with busy_machine():
            lines, table, text = (self.output(*self.WORDS, *more) for more in
                                  (("--format", "json"), ("--format", "csv"), ()))
        rows, _ = split(lines)
        self.assertTrue(rows)
        for row in rows:
            self.assertTrue(row["noisy"], row)
            self.assertTrue(row["base_noisy"], row)
            self.assertTrue(row["waited"] > 0.05 or row["spread"] > 1, row)
        for line in csv.DictReader(io.StringIO(table)):
            if not line["why"]:
                self.assertEqual(line["noisy"], "true")
        self.assertRegex(text, r"(?m)^ *backend .* noise ")
        self.assertRegex(text, r"(?m)^ *sequential .* (waited \d+ %|spread) ")
        self.assertIn("\nnoise: ", text)


class Accuracy(BenchTest):
    def test_every_format(self):
        words = ("accuracy", "--data", "uniform", "--n", "2^23", "--backend", "seq", "--accuracy", "native")
        with busy_machine():
            found, table, text = (self.output(*words, *more) for more in
                                  (("--format", "json"), ("--format", "csv"), ()))
        findings = json.loads(found)["studies"][0]["findings"]
        for finding in findings:
            self.assertTrue(finding["noisy"], finding)
        self.assertGreater(max(finding["waited"] for finding in findings), 0.05, findings)
        for line in csv.DictReader(io.StringIO(table)):
            self.assertEqual(line["noisy"], "true")
        self.assertRegex(text, r"(?m)^left fold .*  noisy$")


class Report(ReportTest):
    def test_nothing_noisy_is_a_headline(self):
        with busy_machine():
            report = self.report("--seconds", "0.15", "--largest", "2^10",
                                 environment={"ONEFOLD_PYTHON": "false", **self.without_cuda})
        rows = report["parts"]["bandwidth"]["rows"]
        self.assertTrue(all(row["noisy"] for row in rows), rows)
        self.assertEqual({(c["n"], c["lengths"]) for c in report["crossover"]}, {(None, 0)})
        text, page = self.text("md"), self.text("html")
        self.check_tables(text)
        short = text[text.index("## In short"):text.index("## Machine and build")]
        for row in rows:
            self.assertIn(f"| {row['ran']} | noisy | - | - | - |", short)
        self.assertRegex(short, r"Noisy: sequential: (threads waited|the middle half)")
        self.assertNotRegex(short, r"\d (ns|us|ms|s) \|")
        self.assertIn("unknown: the rows are noisy", text)
        for written in (text, page):
            self.assertRegex(written, r"\d, noisy")  # GB/s and speed-ups
            self.assertRegex(written, r"[nu]s, noisy")  # latency
        self.assertEqual(len(re.findall(r"sequential</td><td>noisy", page)), 1)


if __name__ == "__main__":
    unittest.main()
