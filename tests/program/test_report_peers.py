"""onefold report --peers: the page of what bench/compare_peers.py found."""

import json
import os
import unittest

from report_support import FAST, ReportTest


def speed(who, ns, n=1 << 20, flags="-O3", where="1 thread"):
    return {"op": "sum", "dtype": "f32", "n": n, "where": where, "who": who, "flags": flags, "ns": ns,
            "onefold_ns": 1000, "onefold_speed": ns / 1000}


def answer(who, in_runs, over_threads, ulps, threads=(1, 2, 3)):
    return {"op": "sum", "dtype": "f32", "n": 1 << 20, "who": who, "flags": "-O3", "runs": 20, "threads": list(threads),
            "answers_in_runs": in_runs, "answers_over_threads": over_threads, "ulps": ulps}


PEERS = {"context": {"cpu": "A <CPU>", "cores": 2, "versions": ["NumPy 1"]},
         "speeds": [speed("quick", 500, flags="-O3 -march=native -ffast-math"), speed("reading alone", 100),
                    speed("onefold", 1000), speed("slow", 4000), speed("slow", 2000, 1 << 10),
                    speed("onefold", 1000, where="2 threads, tbb")],
         "answers": [answer("racing", 7, 9, 12.5), answer("onefold", 1, 1, 0.25, ()), answer("alone", 1, 1, 3, (1,))]}


class Peers(ReportTest):
    def file_of(self, peers):
        return self.file("peers.json", peers if isinstance(peers, str) else json.dumps(peers))

    def test_page(self):
        report = self.report(*FAST, "--peers", self.file_of(PEERS), environment={"ONEFOLD_PYTHON": "false"})
        self.assertEqual(report["peers"], PEERS)
        text = self.text("md")
        self.check_tables(text)
        page = text[text.index("## Peers"):text.index("## How it was measured")]
        for line in ("| n | 2^10 | 2^20 |", "| onefold | - | 4194 |", "| reading alone | - | 41943 (0.10) |",
                     "| quick, fast-math | - | 8389 (0.50) |", "| slow | 2.05 (2.00) | 1049 (4.00) |",
                     "| sum of f32, 1 thread | 2^10 | onefold, 2.00 x slow |",
                     "| sum of f32, 1 thread | 2^20 | quick, fast-math, 2.00 x onefold |",
                     "| onefold | - | 1, 1; 0.25 |", "| racing | 1 to 3 | 7, 9; 12.5 |", "| alone | 1 | 1, 1; 3 |",
                     "| cpu | A \\<CPU> |"):
            self.assertIn(line + "\n", page)
        # The library and the read limit first; who is alone wins against nobody.
        self.assertLess(page.index("| reading alone |"), page.index("| quick, fast-math |"))
        self.assertLess(page.index("| onefold | - | 4194 |"), page.index("| reading alone |"))
        self.assertIn("sum of f32, 2 threads, tbb: GB/s", page)
        self.assertNotIn("| sum of f32, 2 threads, tbb |", page)
        self.assertIn("onefold is the faster side of 2 of 3 comparisons; 1.59 times as fast", page)
        html = self.text("html")
        for piece in ('<section id="peers">', "A &lt;CPU&gt;", "quick, fast-math, 2.00 x onefold"):
            self.assertIn(piece, html)

    def test_shapes_have_tables_of_their_own(self):
        def over(shape, n, *arguments):
            return {**speed(*arguments, n=n), "shape": shape}

        shapes = [over("125x8 axis 1", 1000, "onefold", 1000), over("125x8 axis 1", 1000, "slow", 4000),
                  over("10x10 axis 1", 100, "onefold", 1000), over("10x10 axis 1", 100, "slow", 500)]
        page = self.output("report", "--from", self.file_of({**PEERS, "shapes": shapes}))
        for line in ("| shape | 125x8 axis 1 | 10x10 axis 1 |", "| slow | 1 (4.00) | 0.8 (0.50) |",
                     "| sum of f32 over an axis, 1 thread | 125x8 axis 1 | onefold, 4.00 x slow |",
                     "| sum of f32 over an axis, 1 thread | 10x10 axis 1 | slow, 2.00 x onefold |"):
            self.assertIn(line + "\n", page)
        self.assertIn("onefold is the faster side of 3 of 5 comparisons", page)

    def test_page_alone(self):
        path = self.file_of(PEERS)
        page = self.output("report", "--from", path)
        self.assertTrue(page.startswith("# onefold and its peers\n"))
        self.check_tables(page)
        self.assertEqual(json.loads(self.output("report", "--from", path, "--format", "json")), PEERS)
        written = self.output("report", "--from", path, "-o", self.directory + "/page").splitlines()
        self.assertEqual([os.path.basename(name) for name in written], ["peers.md", "peers.html"])
        with open(written[0], encoding="utf-8") as file:
            self.assertEqual(file.read(), page)
        with open(written[1], encoding="utf-8") as file:
            self.assertIn('<section id="peers">', file.read())
        self.wrong(3, ["peers.json of scripts/bench-peers", "something else"], "--from",
                   self.file_of('{"speeds": []}'))

    def test_no_peers(self):
        self.assertNotIn("peers", self.printed(*FAST))
        page = self.output("report", *FAST, "--peers", self.file_of({**PEERS, "speeds": [], "answers": []}))
        self.assertIn("No peer's time was measured.", page)

    def test_bad_files(self):
        def changed(list_name, **values):
            return {**PEERS, list_name: [{**PEERS[list_name][0], **values}]}

        for peers, piece in (("x", "invalid JSON at byte 1"), ("[1]", "something else"), ("{}", "something else"),
                             ({"onefold_report": 1}, "something else"), ({**PEERS, "speeds": [{}]}, "'who' not found"),
                             ({**PEERS, "speeds": 3}, "something else"), ({**PEERS, "context": "x"}, "something else"),
                             (changed("speeds", n="many"), "n is "), (changed("speeds", n=0), "n is 0"),
                             (changed("speeds", n=1e30), "n is 1e+30"), (changed("speeds", ns=0), "ns is 0"),
                             (changed("speeds", ns=-5), "ns is -5"), ('{"speeds": 1e999}', "number overflow"),
                             (changed("speeds", onefold_speed=0), "onefold_speed is 0"),
                             (changed("answers", answers_in_runs=0), "answers_in_runs is 0"),
                             (changed("answers", ulps=-1), "ulps is -1"),
                             ("[" * 200000 + "]" * 200000, "more than 100 levels"),
                             (changed("speeds", dtype="f33"), "unknown element type f33"),
                             (changed("answers", threads="all"), "threads: expected a list"),
                             (changed("answers", threads=[1e300]), "threads is 1e+300"),
                             (changed("answers", threads=[1, -5]), "threads is -5"),
                             (changed("answers", threads=[1.5]), "threads is 1.5")):
            path = self.file_of(peers)
            self.wrong(3, [path, "peers.json of scripts/bench-peers", piece], *FAST, "--peers", path)
            self.wrong(3, [path], *FAST, "--peers", path, "--output", self.directory + "/never")
            self.assertFalse(os.path.exists(self.directory + "/never"))
        nosuch = self.directory + "/nosuch"
        self.wrong(3, [nosuch, "No such file"], *FAST, "--peers", nosuch)
        self.wrong(2, ["--compare measures nothing"], "--compare", path, path, "--peers", path)


if __name__ == "__main__":
    unittest.main()
