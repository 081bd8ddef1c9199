"""Commands, help, and wrong words of the command line."""

import json
import os
import platform
import pty
import re
import shutil
import subprocess
import unittest

from support import PROGRAM, ProgramTest


class Help(ProgramTest):
    def test_help_has_examples(self):
        for words, example in (([], "onefold reduce sum data.npy"), (["reduce"], "onefold reduce mean --accuracy wide"),
                               (["scan"], "onefold scan cumsum data.npy"),
                               (["rows"], "onefold rows softmax logits.npy"),
                               (["summary"], "seq 100 | onefold summary"),
                               (["quantile"], "onefold quantile --at 0.05,0.5,0.95"),
                               (["statistic"], "onefold statistic skewness data.npy"),
                               (["histogram"], "onefold histogram --bins 64"),
                               (["accuracy"], "onefold accuracy --data conditioned"),
                               (["bench"], "onefold bench --accuracy all"),
                               (["report"], "onefold report --compare"),
                               (["join"], "onefold join a.p b.p --save-partial ab.p"),
                               (["calibrate"], "onefold calibrate --output lab.json"),
                               (["manual"], "man ./onefold.1"), (["help"], "onefold help sum"),
                               (["backends"], "onefold backends --format json"), (["operations"], "onefold operations"),
                               (["completion"], "onefold completion bash")):
            text = self.output(*words, "--help")
            self.assertIn("Examples:", text)
            self.assertIn(example, text)

    def test_version(self):
        text = self.output("--version")
        self.assertRegex(text, r"^onefold \d+\.\d+\.\d+\n")
        self.assertEqual(text, self.output("--color", "never", "--version"))
        read = json.loads(self.output("--version", "--format", "json"))
        self.assertEqual(f"onefold {read['version']}", text.splitlines()[0])
        self.assertRegex(read["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertIn("MIT", text)
        self.assertTrue(read["compiler"] in text and read["libraries"]["fmt"] in text)
        for b in json.loads(self.output("backends", "--format", "json"))["backends"]:
            self.assertIn(b["detail"], read["backends"][b["backend"]])
            self.assertIn(read["backends"][b["backend"]], text)

    def test_operations(self):
        listed = json.loads(self.output("operations", "--format", "json"))
        text = self.output("operations")
        self.assertEqual([line.split()[0] for line in text.splitlines()], [o["op"] for o in listed])
        self.assertIn("sum", text)
        for o in listed:
            for dtype in o["dtypes"]:
                r = self.reduced(o["op"], "--dtype", dtype, given="1 2 3")
                self.assertEqual((r["op"], r["dtype"], r["n"]), (o["op"], dtype, 3))

    def test_backends(self):
        listed = json.loads(self.output("backends", "--format", "json"))
        text = self.output("backends")
        for b in listed["backends"]:
            self.assertIn(b["backend"], text)
            self.assertIn(b["detail"], text)
            self.assertTrue(b["detail"])
            self.assertEqual(b["threads"] > 0, b["available"] and b["backend"] != "cuda")
        self.assertEqual([b["backend"] for b in listed["backends"]], ["cuda", "tbb", "openmp", "threads", "sequential"])
        self.assertIn("sequential", [b["backend"] for b in listed["backends"] if b["available"]])
        self.assertTrue(listed["isa"])

    def test_help_is_at_most_100_columns_wide(self):
        for command in ("", "reduce", "join", "summary", "quantile", "statistic", "histogram", "scan", "rows", "accuracy", "bench",
                        "report", "calibrate", "backends", "operations", "completion", "manual", "help"):
            words = [command] if command else []
            for line in self.output(*words, "--help").splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_options_in_groups(self):
        groups = re.findall(r"^(\S.*):$", self.output("reduce", "--help"), re.MULTILINE)
        self.assertEqual(groups[:6], ["Arguments", "Options", "Input", "Axes and groups", "Computation", "Output"])
        groups = re.findall(r"^(\S.*):$", self.output("scan", "--help"), re.MULTILINE)
        self.assertEqual(groups[:6], ["Arguments", "Options", "Input", "Lines", "Computation", "Output"])
        groups = re.findall(r"^(\S.*):$", self.output("rows", "--help"), re.MULTILINE)
        self.assertEqual(groups[:6], ["Arguments", "Options", "Input", "Lines", "Computation", "Output"])
        groups = re.findall(r"^(\S.*):$", self.output("join", "--help"), re.MULTILINE)
        self.assertEqual(groups[:4], ["Arguments", "Options", "Computation", "Output"])
        groups = re.findall(r"^(\S.*):$", self.output("calibrate", "--help"), re.MULTILINE)
        self.assertEqual(groups[:3], ["Options", "Measurement", "Output"])

    def test_rows_offer_the_types_that_they_take(self):
        listed = re.search(r"--dtype TYPE .*\n((?: {10}.*\n)*)", self.output("rows", "--help")).group()
        for dtype in json.loads(self.output("operations", "--format", "json"))[0]["dtypes"]:
            done = self.run_program("rows", "softmax", "--dtype", dtype, given="1 2")
            self.assertEqual(done.returncode == 0, re.search(rf"\b{dtype}\b", listed) is not None, dtype)

    @unittest.skipUnless(shutil.which("mandoc") or shutil.which("man"), "there is neither mandoc nor man")
    def test_manual(self):
        page = self.file("onefold.1", self.output("manual"))
        if shutil.which("mandoc"):
            done = subprocess.run(["mandoc", "-Tlint", page], capture_output=True, check=False, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
        if shutil.which("man"):
            done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, check=True, text=True,
                                  env={**os.environ, "MANWIDTH": "400", "LC_ALL": "C.UTF-8"})
            self.assertEqual(done.stderr, "")
            shown = " ".join(done.stdout.split())
            for command in ("reduce", "join", "summary", "quantile", "statistic", "histogram", "scan", "rows", "accuracy", "bench",
                            "report", "calibrate", "completion"):
                for option in re.findall(r"^ +(?:-\w, *)?(--[a-z-]+)", self.output(command, "--help"), re.MULTILINE):
                    self.assertIn(option, shown)
            self.assertIn("None or \\N in any case", shown)
            self.assertIn("onefold accuracy --data uniform --n 2^10..2^24 --plot n.png --format csv", shown)


class Color(ProgramTest):
    """In color are error messages alone, and only where somebody sees them."""

    RED = b"\x1b[1;31monefold:\x1b[m unknown"

    def on_a_terminal(self, *words, **environment):
        """What the program writes to standard error if that is a terminal."""
        here, there = pty.openpty()
        try:
            done = self.run_program(*words, stderr=there, environment={"TERM": "xterm", "NO_COLOR": "", **environment})
            self.assertEqual(done.returncode, 2)
            return os.read(here, 65536)
        finally:
            os.close(here)
            os.close(there)

    def test_terminal(self):
        self.assertTrue(self.on_a_terminal("summ").startswith(self.RED))
        for words, environment in ((["summ"], {"NO_COLOR": "1"}), (["summ"], {"TERM": "dumb"}),
                                   (["--color", "never", "summ"], {}), (["reduce", "summ", "--color=never"], {})):
            self.assertTrue(self.on_a_terminal(*words, **environment).startswith(b"onefold: unknown"), words)
        self.assertTrue(self.on_a_terminal("--color=always", "summ", NO_COLOR="1").startswith(self.RED))

    def test_no_terminal(self):
        self.assertTrue(self.run_program("summ").stderr.startswith(b"onefold: unknown"))
        done = self.run_program("reduce", "summ", "--color", "always")
        self.assertTrue(done.stderr.startswith(self.RED))
        done = self.run_program("reduce", "sum", "--color", "always", given="1 2")
        self.assertEqual((done.stdout, done.stderr), (b"3\n", b""))


class WrongUsage(ProgramTest):
    def wrong(self, words, *pieces):
        self.check_error(self.run_program(*words), 2, *pieces)

    def test_commands(self):
        self.wrong([], "expected a command")
        self.wrong(["redcue"], '"redcue"', "did you mean reduce")
        self.wrong(["--versoin"], '"--versoin"', "did you mean --version")
        self.wrong(["backends", "x"], "backends", '"x"')
        self.wrong(["completion"], "SHELL")
        self.wrong(["completion", "tcsh"], '"tcsh"; choices: bash, zsh, fish')
        self.wrong(["--version", "--format", "csv"], '"csv"', "text")
        self.wrong(["--version", "sum"], "--version: expected", '"sum"')
        self.wrong(["--", "reduce"], "expected the command reduce before --")
        for name in ("sum", "SUM", "argmax"):
            self.wrong(["--", name, "f32.npy"], f"expected the operation {name} before --")
        self.wrong(["--", "summ", "f32.npy"], '"summ"', "did you mean summary?")

    def test_names(self):
        self.wrong(["reduce"], "OP")
        self.wrong(["reduce", "summ"], '"summ"', "did you mean sum")
        self.wrong(["reduce", "sum", "--backend", "sequentail"], "--backend", '"sequentail"', "did you mean sequential")
        self.wrong(["reduce", "sum", "--accuracy", "wid"], "--accuracy", '"wid"', "did you mean wide")
        self.wrong(["reduce", "sum", "--isa", "v9"], "--isa", '"v9"', "did you mean v")
        self.wrong(["reduce", "sum", "--dtype", "f46"], "--dtype", '"f46"', "did you mean f")
        self.wrong(["reduce", "sum", "--input", "nyp"], "--input", '"nyp"', "did you mean npy")
        self.wrong(["reduce", "sum", "--format", "jsn"], "--format", '"jsn"', "did you mean json")
        self.wrong(["reduce", "sum", "--acuracy", "wide"], '"--acuracy"', "did you mean --accuracy")
        self.wrong(["reduce", "sum", "--bakend=tbb"], '"--bakend"', "did you mean --backend")
        self.wrong(["reduce", "sum", "--acc", "wide"], '"--acc"', "did you mean --accuracy")
        self.wrong(["reduce", "argmxa"], '"argmxa"', "did you mean argmax")

    def test_one_sentence_for_unknown_names(self):
        for option, what in (("--backend", "backend"), ("--accuracy", "accuracy"), ("--isa", "instruction set"),
                             ("--kernel", "kernel"), ("--dtype", "element type"), ("--input", "kind of file"),
                             ("--missing", "rule"), ("--integers", "rule"), ("--format", "format")):
            self.wrong(["sum", option, "qqqq"], f'onefold: {option}: unknown {what} "qqqq"; choices: ')
        for option, what in (("--base", "backend"), ("--location", "location"), ("--data", "data set")):
            self.wrong(["bench", option, "qqqq"], f'onefold: {option}: unknown {what} "qqqq"; choices: ')
        self.wrong(["report", "--preset", "qqqq"], 'onefold: --preset: unknown preset "qqqq"; choices: ')
        self.wrong(["sum", "--qqqqqqq"], 'onefold: unknown option "--qqqqqqq"; choices: --')
        self.wrong(["completion", "rc"], 'onefold: unknown shell "rc"; choices: bash, zsh, fish')
        self.wrong(["sum", "--color", "red"], 'onefold: --color: unknown color "red"; choices: auto, always, never')

    def test_what_is_quoted_is_escaped_once(self):
        for word, shown in (("a\nb", "a\\x0ab"), ("a\\x0ab", "a\\\\x0ab"), ("né", "né"), ("a\u202eb", "a\\u202eb"),
                            ("a\u200bb", "a\\u200bb"), ("a\u00adb", "a\\u00adb"), ("a\u2060b", "a\\u2060b"),
                            ("a\ufeffb", "a\\ufeffb"), ("a\U000e0041b", "a\\U000e0041b"),
                            ("é" * 30, "é" * 20 + "..."), ("x" + "é" * 30, "x" + "é" * 19 + "..."),
                            ("😀" * 10, "😀" * 10), ("xy" + "😀" * 10, "xy" + "😀" * 9 + "...")):
            self.wrong(["sum", "--backend", word], f'unknown backend "{shown}"; choices')
            if "." not in shown:
                self.check_error(self.run_program("sum", word), 3, f"onefold: {shown}: ")

    @unittest.skipUnless(platform.machine() == "x86_64", "levels of x86-64")
    def test_level_of_other_architectures(self):
        for words, environment in ((["--isa", "baseline"], {}), ([], {"ONEFOLD_ISA": "baseline"})):
            done = self.run_program("reduce", "sum", *words, given="1", environment=environment)
            self.check_error(done, 2, "instruction set baseline", "the lowest level on x86-64 is x86-64-v2")
            self.assertNotIn(b"this CPU", done.stderr)

    def test_names_in_any_case(self):
        for words in (["SUM", "--format", "JSON"], ["Sum", "--input", "TEXT", "--dtype", "F64", "--format", "Json"]):
            self.assertEqual(json.loads(self.output("reduce", *words, given="1 2"))["op"], "sum")
        done = json.loads(self.output("accuracy", "--op", "MEAN", "--data", "Uniform", "--n", 10, "--format", "Json"))
        self.assertEqual(done["op"], "mean")

    def test_values(self):
        for word in ("0", "-1", "x", "1.5", "", "1025", "2147483648", "99999999999"):
            self.wrong(["reduce", "sum", "--threads", word], "--threads", "from 1 to 1024")
        self.wrong(["--format", "json", "reduce", "sum"], "--format: expected after the command reduce")
        self.wrong(["report", "--seconds", "x"], "--seconds: expected a number from 0 to 3600")
        self.wrong(["reduce", "sum", "--threads"], "reduce: --threads: expected N")
        self.wrong(["reduce", "sum", "--threads", "1", "--threads=2"], "reduce: --threads: given twice")
        self.wrong(["reduce", "sum", "--explain=abc"], "reduce: --explain: expected no value", '"abc"')
        for option in ("--threads", "--init", "--backend", "--dtype", "--format", "--column"):
            self.wrong(["reduce", "sum", option + "=", "--explain"], option, '""')
        self.wrong(["reduce", "sum", "--result", "i32"], "--result", "f32")
        for word in ("x", "", "1e999", "--"):
            self.wrong(["reduce", "sum", "--init=" + word], "--init")
        self.wrong(["reduce", "sum", "--dtype", "f32", "--dtype", "f64"], "--dtype")
        self.wrong(["reduce", "sum", "-", "-"], "once")

    def test_operations_that_do_not_fit(self):
        self.wrong(["reduce", "bit_and", "--dtype", "f32"], "bit_and", "f32", "integer")
        self.wrong(["reduce", "argmin", "--init", "3"], "argmin")
        self.wrong(["reduce", "minmax", "--init", "3"], "minmax takes no initial value")
        self.wrong(["reduce", "max", "--dtype", "f16", "--init", "70000"], "70000", "f16")
        self.wrong(["reduce", "sum", "--dtype", "f32", "--init", "1e39"], "1e39", "f32")
        for dtype, word in (("i64", "-9223372036854775809"), ("i64", "9007199254740993.0"), ("i64", "1e-400"),
                            ("u64", "18446744073709551616"), ("u64", "-1"), ("u8", "0.99999999999999999999")):
            self.wrong(["reduce", "sum", "--dtype", dtype, "--init=" + word], "--init", f'"{word}"', "integer")
        self.wrong(["reduce", "min", "--result", "f32"], "min", "f64")
        self.wrong(["reduce", "product", "--accuracy", "exact"], "exact", "wide")
        self.wrong(["reduce", "product", "--accuracy", "kahan"], "product", "kahan")
        self.wrong(["reduce", "sum", "--dtype", "i32", "--init", "0.5"], "--init", "an integer in the range of i64", '"0.5"')

    def test_told_before_a_long_read(self):
        # Standard input stays open and empty: whoever read it first would wait for ever.
        for words in (["bit_or", "--dtype", "f32"], ["product", "--accuracy", "exact"], ["summ"],
                      ["sum", "--threads", "0"], ["bit_or", "--dtype", "f32", "/no/such/file"]):
            done = subprocess.Popen([PROGRAM, "reduce", *words, "--input", "text"], stdin=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
            self.assertEqual(done.wait(timeout=self.limit), 2)
            done.stdin.close()
            done.stderr.close()

    def test_control_characters_stay_on_one_line(self):
        self.wrong(["reduce", "su\nm"], "su\\x0am")
        self.check_error(self.run_program("reduce", "sum", "no\nsuch\tfile"), 3, "no\\x0asuch\\x09file")


class Files(ProgramTest):
    def test_odd_names(self):
        for name in ("[a,b]", "{a}", "-x", "%y", "--sum", "a b", "\x01z", "é", "@f", "'q'"):
            path = self.file(name, "1 2")
            self.assertEqual(self.output("reduce", "sum", path), "3\n")
            self.assertEqual(self.output("reduce", "sum", "--threads", 1, "--", name, cwd=self.directory), "3\n")
        self.assertEqual(self.output("reduce", "sum", "[a,b]", "{a}", cwd=self.directory), "6\n")

    def test_options_after_files_and_with_equals(self):
        path = self.file("a", "1 2")
        self.assertEqual(self.output("reduce", "sum", path, "--init=-5", "--dtype", "i8"), "-2\n")
        self.assertEqual(self.output("reduce", "sum", path, "--init", "-5"), "-2\n")
        self.assertEqual(self.output("reduce", "sum", path, "--init", "-inf"), "-inf\n")
        # Rounded once, as the same word in a text of f32 is.
        self.assertEqual(self.reduced("max", path, "--dtype", "f32", "--init", "1.00000005960464477539062500000001e9")["bits"],
                         self.reduced("max", "--dtype", "f32", given="1.00000005960464477539062500000001e9")["bits"])

    def test_name_that_is_not_utf_8(self):
        path = self.file(b"\xff\xfe".decode("utf-8", "surrogateescape"), "1")
        self.assertEqual(self.reduced("sum", path, "--explain")["value"], 1)


if __name__ == "__main__":
    unittest.main()
