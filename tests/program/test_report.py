"""onefold report: its files, its presets, and what it says of what is missing."""

import base64
import html.parser
import json
import os
import re
import signal
import stat
import subprocess
import time
import unittest

from report_support import FAST, ReportTest
from support import PROGRAM, SANITIZED, python_with_matplotlib

FAKES = os.environ.get("FAKES")
CHAPTERS = ["bandwidth", "speedup", "crossover", "latency", "shapes", "shapes-cached", "modes", "modes-cached", "errors",
            "ladder"]
PRESETS = ["notebook", "ladder-1m", "harris-4m"]


def fake(case):
    """The environment in which backend cuda is a stand-in."""
    return {"ONEFOLD_BACKEND_PATH": os.path.join(FAKES, case)}


class Page(html.parser.HTMLParser):
    """What a page refers to, and whether its elements are closed in their order."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.images, self.open, self.words = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs[name] for name in ("href", "src", "action", "data") if name in attrs]
        self.images += [attrs["src"]] if tag == "img" else []
        if tag not in ("meta", "img", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes another element")

    def handle_data(self, data):
        self.words.append(data)


class Files(ReportTest):
    def test_json(self):
        told = self.output("report", "--seconds", "0.001", "--largest", "2^20", "-o", self.folder,
                           environment=self.without_cuda)
        for name in ("json", "md", "html"):
            self.assertIn(os.path.join(self.folder, "report." + name) + "\n", told)
        self.assertEqual(set(os.listdir(self.folder)) - {"plots"}, {"report.html", "report.json", "report.md"})
        report = json.loads(self.text("json"))
        self.assertEqual((report["onefold_report"], report["set"], report["interrupted"]), (1, "quick", False))
        self.assertRegex(report["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertTrue(report["machine"]["CPU"])
        self.assertGreaterEqual(report["machine"]["logical CPUs"], 1)
        self.assertRegex(report["build"]["compiler"], r"^\w+ \d")
        self.assertEqual(f"onefold {report['build']['onefold']}", self.output("--version").splitlines()[0])
        listed = json.loads(self.output("backends", "--format", "json", environment=self.without_cuda))["backends"]
        self.assertEqual(set(report["backends"]), {b["backend"] for b in listed})
        available = {b["backend"] for b in listed if b["available"]}
        why = {b["backend"]: b["detail"] for b in listed if not b["available"]}
        self.assertEqual(sorted(report["parts"]), sorted(set(CHAPTERS) - {"speedup", "crossover"}))
        fields = set(json.loads(self.output("bench", "--n", 1, "--seconds", 0, "--backend", "seq", "--format", "json")))
        for chapter, part in report["parts"].items():
            self.assertEqual({x["what"]: x["why"] for x in part["left_out"] if x["what"] in why},
                             why if chapter != "ladder" else {"cuda": why["cuda"]})
            for row in part["rows"]:
                self.assertEqual(set(row), fields)
                self.assertTrue(row["same_bits"])
            if chapter not in ("ladder", "shapes"):  # whose arrays are longer
                self.assertEqual({r["backend"] for r in part["rows"]}, available, chapter)
        self.check_shapes(report, available)
        self.assertEqual({r["accuracy"] for r in report["parts"]["modes"]["rows"]},
                         {"native", "wide", "kahan", "exact"})
        self.assertEqual([(s["data"], len(s["findings"])) for s in report["studies"]],
                         [("uniform", 5), ("small-terms", 5), ("conditioned", 5)])
        for s in report["studies"]:  # they are of the same elements
            for f in s["findings"][1:]:
                self.assertEqual({r["bits"] for r in report["parts"]["errors"]["rows"]
                                  if (r["data"], r["accuracy"]) == (s["data"], f["mode"])}, {f["bits"]})

        text = self.text("md")
        self.check_tables(text)
        for piece in ("## Machine and build", report["machine"]["CPU"], "## Bandwidth against length",
                      "## Speed-up against sequential", "## Crossover", "## Latency", "## Row and column sums, from memory",
                      "## Row and column sums, from the caches", "## Cost of each accuracy mode",
                      "## Error against cost", "## The CUDA ladder", "Without cuda, which cannot run here", "left fold",
                      report["build"]["compiler"]):
            self.assertIn(piece, text)
        for row in report["parts"]["bandwidth"]["rows"]:
            rate = row["gb_per_s"]
            mark = ", noisy" if row["noisy"] else ""
            self.assertIn(f"| {rate:.3g}{mark} |" if rate < 100 else f"| {rate:.0f}{mark} |", text)

    def check_shapes(self, report, available):
        """The chapter on shapes from the caches: what is reduced, to which results, and what is said of it."""
        text = self.text("md")
        self.assertIn("\nRow and column sums, as a share of the speed of a whole-array sum on the same backend: from the "
                      "caches ", text[:text.index("## Machine and build")])
        chapter, n = "shapes-cached", 512_000
        rows = report["parts"][chapter]["rows"]
        whole = (None, None, "whole array")
        expected = [whole, *((f"{n // w}x{w}", "1", f"rows of {w}") for w in (8, 32, 256, 1000, 4096)),
                    *((f"{n // w}x{w}", "0", f"{w} columns") for w in (32, 4096))]
        self.assertEqual([(r["shape"], r["axes"]) for r in rows if r["backend"] == "sequential"],
                         [shape[:2] for shape in expected])
        self.assertEqual({(r["op"], r["dtype"], r["n"], r["warm"]) for r in rows}, {("sum", "f32", n, True)})
        hashes = {}
        base = {(r["shape"], r["axes"]): r["seconds"] for r in rows if r["backend"] == "sequential"}
        for r in rows:
            self.assertAlmostEqual(r["speedup"], base[r["shape"], r["axes"]] / r["seconds"])
            self.assertEqual((r["bits"] is None, r["bits_hash"] is None), (r["shape"] is not None, r["shape"] is None))
            hashes.setdefault((r["shape"], r["axes"]), set()).add(r["bits_hash"])
        self.assertTrue(all(len(found) == 1 for found in hashes.values()), hashes)
        self.assertEqual(len(set.union(*hashes.values())), len(expected))  # no two of them reduce alike
        lines = [line for line in report["shapes"] if line["part"] == chapter]
        self.assertEqual([(line["shape"], line["axes"], line["what"]) for line in lines], expected)
        for line in lines:
            self.assertEqual((line["reduction"], line["n"], set(line["share_of_whole"])), ("sum f32", n, available))
            its = {r["backend"]: r for r in rows if (r["shape"], r["axes"]) == (line["shape"], line["axes"])}
            all_of = {r["backend"]: r for r in rows if not r["shape"]}
            quiet = [r for r in its.values() if not r["noisy"]]
            self.assertEqual(line["fastest"], min(quiet, key=lambda r: r["seconds"])["ran"] if quiet else None)
            for name, share in line["share_of_whole"].items():
                if its[name]["noisy"] or all_of[name]["noisy"]:
                    self.assertIsNone(share)
                else:
                    self.assertAlmostEqual(share, its[name]["gb_per_s"] / all_of[name]["gb_per_s"])
            self.assertRegex(text, rf"\| {line['what']} \| \d")
        self.assertRegex(text, r"\| read limit \| \d")

    def test_html_needs_no_other_file(self):
        python = python_with_matplotlib()
        self.report("--seconds", "0.001", "--largest", "2^20",
                    environment={"ONEFOLD_PYTHON": python or "false", **self.without_cuda})
        text = self.text("html")
        page = Page(text)
        self.assertEqual(page.open, [])
        for link in page.links:
            self.assertTrue(link.startswith("data:image/svg+xml;base64,") or link[1:] in page.ids, link[:80])
        self.assertNotRegex(re.sub(r"data:[^\"]*", "", text), r"https?:|//|@import|url\(|<script|<link")
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertLess(set(CHAPTERS), set(page.ids))
        self.assertEqual(len(page.images), 9 if python else 0)  # all but the ladder, and longer arrays; one twice
        images = [base64.b64decode(link.split(",")[1]) for link in page.images]
        for image in images:
            self.assertTrue(image.startswith(b"<?xml"))
            self.assertIn(b"@media (prefers-color-scheme: dark)", image)
        self.check_plot_files(images)
        self.assertRegex(text, r'(?s)<p class="headline">(Best CPU|Every time of a CPU) backend.*<section id="summary">.*<details>'
                               r'<summary><h2>Machine and build</h2>')
        self.assertEqual(text.count("<caption>build</caption>"), 2)  # folded, and for paper, on which nothing is
        self.assertRegex(text, r"@media screen and \(prefers-color-scheme: dark\)")
        self.assertIn("@media print", text)
        words = " ".join(page.words)
        for piece in (self.no_cuda, "left fold", "conditioned"):
            self.assertIn(piece, words)

    def check_plot_files(self, images):
        """The Markdown refers to files beside it, which are the page's images."""
        named = re.findall(r"!\[[^]]*\]\((plots/[a-z-]+\.svg)\)", self.text("md"))
        folder = os.path.join(self.folder, "plots")
        self.assertEqual(sorted(named), sorted("plots/" + f for f in (os.listdir(folder) if images else [])))
        for name in named:
            with open(os.path.join(self.folder, name), "rb") as file:
                self.assertIn(file.read(), images)

    def test_without_python(self):
        for python in ("false", os.path.join(self.directory, "nosuch")):
            told = self.output("report", *FAST, "-o", self.folder, environment={"ONEFOLD_PYTHON": python})
            self.assertIn("without plots: ", told)
            self.assertIn("python3-matplotlib", told)
            self.assertEqual(Page(self.text("html")).images, [])
            for name in ("md", "html"):
                self.assertIn("There are no plots", self.text(name))
            self.assertTrue(json.loads(self.text("json"))["parts"]["bandwidth"]["rows"])

    def test_a_matplotlib_that_cannot_be_imported(self):
        for said, words in (("ImportError: numpy.core failed", 'python" cannot run: ImportError: numpy.core failed; install'),
                            ("ModuleNotFoundError: No module named 'matplotlib'", 'python" lacks matplotlib; install it')):
            python = self.file("python", f'#!/bin/sh\necho "{said}" >&2\nexit 1\n')
            os.chmod(python, stat.S_IRWXU)
            self.assertIn(words, self.output("report", *FAST, "-o", self.folder, environment={"ONEFOLD_PYTHON": python}))

    def test_script_that_fails(self):
        python = self.file("python", '#!/bin/sh\n[ "$2" = "import matplotlib" ] && exit 0\necho boom >&2\nexit 3\n')
        os.chmod(python, stat.S_IRWXU)
        self.assertIn("without plots: the plotting script failed: boom",
                      self.output("report", *FAST, "-o", self.folder, environment={"ONEFOLD_PYTHON": python}))
        self.assertIn("boom", self.text("html"))

    def test_script_that_writes_no_plots(self):
        for i, written in enumerate(("no JSON", '{"bandwidth": 1}')):
            python = self.file(f"python{i}", f"#!/bin/sh\n[ \"$2\" = \"import matplotlib\" ] || echo '{written}'\n")
            os.chmod(python, stat.S_IRWXU)
            self.assertIn("without plots: the plotting script wrote something other than plots",
                          self.output("report", *FAST, "-o", self.folder, environment={"ONEFOLD_PYTHON": python}))
            self.assertTrue(json.loads(self.text("json"))["parts"]["latency"]["rows"])
            self.assertIn("something other than plots", self.text("html"))

    def test_standard_output(self):
        text = self.output("report", *FAST)
        self.check_tables(text)
        self.assertIn("## Bandwidth against length", text)
        self.assertNotIn("no plots", text)
        self.assertTrue(self.printed(*FAST)["parts"]["latency"]["rows"])

    def test_largest_leaves_out_shapes(self):
        report = self.printed("--seconds", "0.001", "--largest", "512000", environment=self.without_cuda)
        self.assertTrue(report["parts"]["shapes-cached"]["rows"])
        self.assertEqual(report["parts"]["shapes"]["rows"], [])
        self.assertIn({"what": "arrays of 4096000 elements or more", "why": "--largest 512000 leaves them out",
                       "code": "unsupported"},
                      report["parts"]["shapes"]["left_out"])
        self.assertEqual({line["part"] for line in report["shapes"]}, {"shapes-cached"})

    def test_words_that_are_markup(self):
        environment = {"OMP_X": "<b>&amp;|*x*`", "ONEFOLD_PYTHON": "false"}
        self.report(*FAST, environment=environment)
        self.assertIn("OMP_X=<b>&amp;|*x*`", " ".join(Page(self.text("html")).words))
        self.assertIn(r"OMP\_X=\<b>&amp;\|\*x\*\`", self.text("md"))

    def test_folders_that_cannot_be_written(self):
        start = time.monotonic()
        file = self.file("file", "")
        for path in (file, os.path.join(file, "x"), "/proc/nosuch"):
            self.wrong(1, [path, "cannot be written"], "-o", path)
        self.assertLess(time.monotonic() - start, 5)  # before the work
        if os.getuid() != 0:
            os.chmod(self.directory, stat.S_IRUSR | stat.S_IXUSR)
            self.wrong(1, ["cannot be written", "Permission denied"], "-o", self.directory)
            os.chmod(self.directory, stat.S_IRWXU)

    def test_files_that_cannot_be_replaced(self):
        start = time.monotonic()
        place = os.path.join(self.folder, "report.md")
        for make, remove, why in ((os.makedirs, os.rmdir, "directory"), (os.mkfifo, os.remove, "not a regular file")):
            make(place)
            self.wrong(1, ["report.md", "cannot be written", why], "-o", self.folder)
            self.assertEqual(os.listdir(self.folder), ["report.md"])
            remove(place)
        self.assertLess(time.monotonic() - start, 5)  # before the work

    def test_a_folder_of_plots_that_is_none(self):
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "plots"), "wb"):
            pass
        self.wrong(1, ["plots", "cannot be written"], "-o", self.folder)
        self.assertEqual(os.listdir(self.folder), ["plots"])  # before the work

    def test_a_link_stays(self):
        os.makedirs(self.folder)
        elsewhere = self.file("elsewhere.json", "")
        os.symlink(elsewhere, os.path.join(self.folder, "report.json"))
        self.report(*FAST)
        self.assertTrue(os.path.islink(os.path.join(self.folder, "report.json")))
        with open(elsewhere, encoding="utf-8") as written:
            self.assertTrue(json.load(written)["parts"])


class Presets(ReportTest):
    @unittest.skipUnless(FAKES, "this program cannot load modules")
    def test_notebook(self):
        words = ("--preset", "Notebook", "--seconds", "0.001", "--largest", "1e6")
        rows = self.printed(*words, environment=fake("good"))["parts"]["notebook"]["rows"]
        self.assertEqual([(r["n"], r["ran"], r["location"], r["kernel"]) for r in rows],
                         [(n, *way) for n in (100_000, 1_000_000) for way in [("sequential", "host", None)] +
                          [("cuda", where, k) for where in ("host", "device")
                           for k in ("sequential_addressing", "shuffle", "canonical")]])
        for r in rows:
            [base] = [b for b in rows if b["n"] == r["n"] and b["ran"] == "sequential"]
            self.assertAlmostEqual(r["speedup"], base["seconds"] / r["seconds"])
        text = self.output("report", *words, environment=fake("good"))
        for piece in ("one CPU core", "host data, shared memory", "device data, shuffle", "250.0 us", "speed-up"):
            self.assertIn(piece, text)

    @unittest.skipUnless(FAKES, "this program cannot load modules")
    def test_ladders(self):
        for preset, n, dtype in (("ladder-1m", 1 << 20, "f32"), ("harris-4m", 1 << 22, "i32")):
            report = self.report("--preset", preset, "--seconds", "0.001", environment=fake("good"))
            self.assertEqual(list(report["parts"]), [preset])
            rows = report["parts"][preset]["rows"]
            self.assertEqual([r["kernel"] for r in rows],
                             ["global_interleaved", "interleaved", "sequential_addressing", "first_add", "unrolled",
                              "shuffle", "coarsened", "canonical"])
            self.assertEqual({(r["n"], r["dtype"], r["location"], r["occupancy"], r["device_seconds"]) for r in rows},
                             {(n, dtype, "device", 0.75, 0.25e-3)})
            text = self.text("md")
            rate = n * 4 / 0.25e-3 / 1e9
            self.assertRegex(text, rf"\| shuffle \| 250.0 us \| {rate:.3g} \| 1.00 \| 1.00 \| 75 % \|")

    def test_without_cuda(self):
        for preset in ("ladder-1m", "harris-4m"):
            self.wrong(4, ["cuda", self.no_cuda], "--preset", preset, environment=self.without_cuda)
        part = self.printed("--preset", "notebook", *FAST[:2], "--largest", "1e6",
                            environment=self.without_cuda)["parts"]["notebook"]
        self.assertEqual([r["ran"] for r in part["rows"]], ["sequential"] * 2)
        self.assertIn(self.no_cuda, part["left_out"][0]["why"])

    @unittest.skipUnless(FAKES, "this program cannot load modules")
    def test_full(self):
        python = python_with_matplotlib()
        report = self.report("--full", *FAST, environment={**fake("good"), "ONEFOLD_PYTHON": python or "false"})
        self.assertEqual({(r["op"], r["dtype"]) for r in report["parts"]["bandwidth"]["rows"]},
                         {(op, dtype) for op in ("sum", "max") for dtype in ("f32", "f64")})
        self.assertEqual({(r["ran"], r["location"]) for r in report["parts"]["latency"]["rows"] if r["ran"] == "cuda"},
                         {("cuda", "host"), ("cuda", "device")})
        self.assertLess({"cuda, host data", "cuda, device data"}, {c["faster"] for c in report["crossover"]})
        self.assertLess({*CHAPTERS, *PRESETS}, set(Page(self.text("html")).ids))
        self.check_tables(self.text("md"))

    @unittest.skipUnless(FAKES, "this program cannot load modules")
    def test_shapes_on_devices(self):
        report = self.printed("--seconds", "0.001", "--largest", "512000", environment=fake("good"))
        rows = [r for r in report["parts"]["shapes-cached"]["rows"] if r["ran"] == "cuda"]
        self.assertEqual(sorted((r["shape"] or "", r["location"]) for r in rows),
                         sorted((line["shape"] or "", where) for line in report["shapes"] for where in ("host", "device")))
        self.assertTrue(all(r["same_bits"] for r in rows))
        for line in report["shapes"]:
            self.assertLess({"cuda, host data", "cuda, device data"}, set(line["share_of_whole"]))
            self.assertNotEqual(line["fastest"], "cuda, device data")

    @unittest.skipUnless(FAKES, "this program cannot load modules")
    def test_wrong_bits_and_failed_rows(self):
        done = self.run_program("report", *FAST, environment=fake("wrong"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^onefold: \d+ of \d+ rows have other bits .*\n$")
        self.assertIn("OTHER BITS", done.stdout.decode())
        done = self.run_program("report", *FAST, "-o", self.folder, environment=fake("broken"))
        self.assertEqual((done.returncode, done.stderr.decode().count("the stand-in is broken")), (1, 1))
        self.assertIn("the stand-in is broken", self.text("md"))
        self.assertIn("sequential", self.text("md"))


class Interrupts(ReportTest):
    def test_control_c_keeps_the_rows(self):
        with subprocess.Popen([PROGRAM, "report", "--seconds", "0.3", "-o", self.folder], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as run:
            time.sleep(20 if SANITIZED else 3)
            run.send_signal(signal.SIGINT)
            _, errors = run.communicate(timeout=self.limit)
        self.assertEqual(run.returncode, 130, errors)
        self.assertRegex(errors.decode(), r"^onefold: interrupted: .*\n$")
        report = json.loads(self.text("json"))
        self.assertTrue(report["interrupted"])
        self.assertTrue(report["parts"]["bandwidth"]["rows"])
        self.assertIn("Interrupted", self.text("md"))


class WrongUsage(ReportTest):
    def test_words(self):
        self.wrong(2, ["--preset", '"notebok"', "did you mean notebook"], "--preset", "notebok")
        self.wrong(2, ["--quick", "--full"], "--quick", "--full")
        self.wrong(2, ["--preset"], "--quick", "--preset", "notebook")
        self.wrong(2, ["--tolerance", "--compare"], "--tolerance", "0.1")
        self.wrong(2, ['"csv"'], "--format", "csv")
        self.wrong(2, ['"--ful"', "did you mean --full"], "--ful")
        for option in ("--seconds", "--largest"):
            for word in ("x", "-1", "1,2", "1e19", ""):
                self.wrong(2, [option], f"{option}={word}")
        for word in ("0", "1.5"):
            self.wrong(2, ["--largest"], f"--largest={word}")
        self.wrong(2, ["--largest", "1"], "--largest", "1", "--preset", "notebook")

    def test_full_output(self):
        if os.path.exists("/dev/full"):
            with open("/dev/full", "wb") as full:
                self.check_error(self.run_program("report", *FAST, stdout=full), 1, "standard output")


if __name__ == "__main__":
    unittest.main()
