"""Short forms of commands, help, and what is said of words that are none."""

import os
import re
import unittest

from accuracy_support import AccuracyTest
from support import ProgramTest, npy


class ShortForms(ProgramTest):
    def test_every_operation_is_a_command(self):
        path = self.file("a.txt", "3 1 2")
        listed = [line.split()[0] for line in self.output("operations").splitlines()]
        self.assertIn("sum", listed)
        for op in listed:
            for dtype in ("i32", "f64"):
                words = (op, "--dtype", dtype, path, "--backend", "sequential")
                short, long = self.run_program(*words), self.run_program("reduce", *words)
                self.assertEqual((short.returncode, short.stdout, short.stderr),
                                 (long.returncode, long.stdout, long.stderr))
        self.assertEqual(self.output("SUM", path), "6\n")
        self.assertEqual(self.output("sum", given="4 5"), "9\n")
        self.assertEqual(self.output("sum", "--threads", 1, "--", "a.txt", cwd=self.directory), "6\n")

    def test_help(self):
        commands = [m[1] for m in re.finditer(r"^  ([a-z]+) {2,}\w", self.output("--help"), re.MULTILINE)]
        self.assertIn("help", commands)
        for command in commands:
            self.assertEqual(self.output("help", command), self.output(command, "--help"))
        self.assertEqual(self.output("help"), self.output("--help"))
        for op in ("sum", "Argmax"):
            self.assertEqual(self.output("help", op), self.output("reduce", "--help"))
            self.assertEqual(self.output(op, "--help"), self.output("reduce", "--help"))
        for piece in ("onefold sum data.npy", "onefold help reduce"):
            self.assertIn(piece, self.output("help"))


class Unknown(ProgramTest):
    def wrong(self, words, *pieces, **more):
        self.check_error(self.run_program(*words, **more), 2, *pieces)

    def test_commands(self):
        self.wrong(["redcue"], 'unknown command "redcue"; did you mean reduce?')
        self.wrong(["summ", "x"], 'unknown command "summ"; did you mean summary?')
        self.wrong(["sumn", "x"], 'unknown command "sumn"; did you mean sum?')
        self.wrong(["hlep"], 'unknown command "hlep"; did you mean help?')
        self.wrong(["help", "bnech"], 'unknown command "bnech"; did you mean bench?')
        self.wrong(["help", "reduce", "sum"], 'help: unexpected argument "sum"')
        self.wrong(["reduce", "summ"], 'unknown operation "summ"; did you mean sum?')

    def test_operations_of_other_commands(self):
        for words, line in ((["softmax", "x.npy"], "rows softmax x.npy"), (["RMS_NORM"], "rows RMS_NORM"),
                            (["cumsum", "my file.npy", "--axis", "0"], "scan cumsum 'my file.npy' --axis 0"),
                            (["sum,cummax", "x.npy"], "scan sum,cummax x.npy")):
            self.wrong(words, f'unknown command "{words[0]}"; did you mean onefold {line}?\n')
        for word, line in (("median", "quantile"), ("percentile", "quantile"), ("kurtosis", "statistic excess_kurtosis"),
                           ("cumsum", "scan cumsum"), ("softmax", "rows softmax"), ("RMS_NORM", "rows rms_norm")):
            self.wrong(["reduce", word], f'unknown operation "{word}"; did you mean onefold {line}?\n')
        for word, line in (("norm1", "statistic norm1"), ("PTP", "statistic ptp"), ("first,sum", "statistic first")):
            self.wrong(["reduce", word], f'unknown operation "{word.split(",")[0]}"; did you mean onefold {line}?\n')
        for word, line in (("l1", "statistic norm1"), ("linf", "statistic norm_inf"), ("prefix_sum", "scan cumsum")):
            self.wrong(["reduce", word], f'unknown operation "{word}"; did you mean onefold {line}?\n')
        for word, name in (("kurtosis", "excess_kurtosis"), ("range", "ptp"), ("linf", "norm_inf")):
            self.wrong(["statistic", word], f'unknown statistic "{word}"; did you mean {name}? ')
        self.wrong(["norm_inf", "x.npy"], 'unknown command "norm_inf"; did you mean onefold statistic norm_inf x.npy?\n')
        self.wrong(["scan", "norm1"], 'unknown operation "norm1"; did you mean onefold statistic norm1?\n')
        self.wrong(["rows", "sum"], 'unknown row operation "sum"; did you mean onefold reduce sum?\n')
        self.wrong(["median"], 'unknown command "median"; did you mean quantile?')
        self.wrong(["sofmax", "x.npy"], 'unknown command "sofmax"; did you mean softmax?')
        self.wrong(["cumsun", "x.npy"], 'unknown command "cumsun"; did you mean cumsum?')

    def test_functions_of_the_library(self):
        for word, line in (("nansum", "reduce sum"), ("nanstddev", "reduce stddev"), ("nanstd", "reduce stddev"),
                           ("nanmedian", "quantile"), ("nanptp", "reduce minmax"), ("nansummary", "summary")):
            for what, words in (("command", [word, "x.npy"]), ("operation", ["reduce", word, "x.npy"])):
                self.wrong(words, f'unknown {what} "{word}"; did you mean onefold {line} --skip-nan?\n')
        for word in ("dot", "top_k", "correlation"):
            for what, words in (("command", [word, "x.npy"]), ("operation", ["reduce", word, "x.npy"])):
                self.wrong(words, f'unknown {what} "{word}"; no command computes it; in C++ it is onefold::{word}\n')
        for word, name in (("weighted_sum", "dot"), ("cosine", "cosine_similarity"), ("pearson", "correlation")):
            self.wrong(["reduce", word], f'unknown operation "{word}"; no command computes it; in C++ it is onefold::{name}\n')
        self.wrong(["nancumsum", "x.npy"], 'unknown command "nancumsum"; choices: ')

    def test_options_of_other_commands(self):
        self.wrong(["summary", "x.csv", "--by", "k"], 'unknown option "--by"; it is one of onefold reduce\n')
        self.wrong(["sum", "--bins", "3"], 'unknown option "--bins"; it is one of onefold histogram\n')
        self.wrong(["summary", "--accurcy", "exact"], 'unknown option "--accurcy"; did you mean --accuracy?')

    def test_nothing_is_near(self):
        for words in (["frobnicate"], ["help", "frobnicate"]):
            done = self.run_program(*words)
            self.check_error(done, 2, 'unknown command "frobnicate"; choices: reduce, join, summary, quantile, statistic, histogram, scan, rows, accuracy, ')
            self.assertNotIn(b"did you mean", done.stderr)
        done = self.run_program("reduce", "frobnicate")
        self.check_error(done, 2, 'unknown operation "frobnicate"; choices: sum, ')
        self.check_error(self.run_program("sum", "--backend", "frobnicate"), 2,
                         '--backend: unknown backend "frobnicate"; choices: automatic, ')

    def test_synonyms(self):
        for word, op in (("avg", "mean"), ("std", "stddev"), ("var", "variance"), ("len", "count")):
            self.wrong([word, "x"], f'unknown command "{word}"; did you mean {op}?')
            self.wrong(["reduce", word], f'unknown operation "{word}"; did you mean {op}?')

    def test_a_file_in_place_of_a_command(self):
        self.file("numbers", "1 2")
        for name, quoted in (("a.npy", "a.npy"), ("numbers", "numbers"), ("my file.csv", "'my file.csv'"),
                             ("dir/it's", "'dir/it'\\''s'")):
            self.wrong([name], f'expected a command, found the file name "{name}"', f": onefold sum {quoted}\n",
                       cwd=self.directory)
            self.wrong([name, "max"], f": onefold max {quoted}\n", cwd=self.directory)
            self.wrong(["reduce", name], f'expected an operation, found the file name "{name}"',
                       f": onefold sum {quoted}\n", cwd=self.directory)
        self.wrong(["reduce", "--", "-.x"], 'expected an operation, found the file name "-.x"', ": onefold sum ./-.x\n")
        # The sentence works.
        self.assertEqual(self.output("sum", "numbers", cwd=self.directory), "3\n")

    def test_initial_value_is_not_blamed_on_the_file(self):
        path = self.file("a.npy", npy("f64", [1.0]))
        for files in ([], [path]):
            for word in ("1e400", "x", ""):
                done = self.run_program("sum", *files, "--init=" + word, given="1")
                self.check_error(done, 2, f'onefold: --init: expected a number in the range of f64, found "{word}"')

    def test_initial_value_of_a_truth_value(self):
        for word in ("2", "256", "0.5", "-1", "nan", "inf", "1e300"):
            self.assertEqual(self.output("any", "--init=" + word, given="0 0"), "true\n")
        for word in ("0", "-0.0"):
            self.assertEqual(self.output("any", "--init=" + word, given="0 0"), "false\n")
        self.check_error(self.run_program("any", "--init=x", given="0"), 2,
                         'onefold: --init: expected a number, found "x"')

    def test_empty_names_of_files(self):
        self.wrong(["report", "-o", ""], "--output: expected a folder")
        self.wrong(["calibrate", "--output", ""], "--output: expected a file")
        self.wrong(["accuracy", "--data", "normal", "--n", "9", "--plot", ""], "--plot: expected a file")
        self.wrong(["report", "--peers", ""], "expected a file, found an empty name")
        self.wrong(["report", "--compare", "", ""], "expected a file, found an empty name")

    def test_accuracies_that_are_named_are_accepted(self):
        """Of what declines an accuracy, the message lists those that work, and no other."""
        known = ("native", "wide", "kahan", "exact")
        for op in [line.split()[0] for line in self.output("operations").splitlines()]:
            for dtype in ("f64", "f32"):
                said, works = {}, set()
                for accuracy in known:
                    done = self.run_program(op, "--dtype", dtype, "--accuracy", accuracy, "--backend", "sequential",
                                            given="1 2")
                    if done.returncode == 0:
                        works.add(accuracy)
                    elif b"accuracy" in done.stderr:
                        said[accuracy] = done.stderr.decode()
                for accuracy, text in said.items():
                    listed = re.search(r"accuracy ((?:native|wide|kahan|exact|,| |and)+) only", text)
                    if listed:
                        self.assertEqual(set(re.findall("|".join(known), listed[1])), works, (op, dtype, accuracy, text))
                    nearest = re.search(rf"the nearest .*?({'|'.join(known)})", text)
                    if nearest:
                        self.assertIn(nearest[1], works, (op, dtype, accuracy, text))


class Nothing(AccuracyTest):
    def test_no_elements_have_no_accuracy(self):
        files = (([self.file("e.txt", "")], []), ([self.file("e.bin", "")], ["--dtype", "f32"]),
                 ([self.file("e.npy", npy("f32", []))], []), ([], []), ([self.file("c.txt", "# nothing\n")], []),
                 ([self.file("t.csv", "a,b\n")], ["--column", "2", "--header"]))
        for paths, words in files:
            for output in ("text", "json", "csv"):
                for op in ("sum", "mean", "variance", "norm2"):
                    self.wrong(3, ["needs at least one element"], "--op", op, "--format", output, *words, *paths)
        plot = os.path.join(self.directory, "a.svg")
        self.run_program("accuracy", "--plot", plot, given="")
        self.assertFalse(os.path.exists(plot))

    def test_lengths_of_nothing(self):
        path = self.file("a.txt", "1 2")
        for words in (["--data", "normal"], [path]):
            self.wrong(2, ["--n: expected integers of at least 1"], *words, "--n", "0")
            self.wrong(2, ["--n: expected integers of at least 1"], *words, "--n", "1,0")
        self.check_error(self.run_program("bench", "--n", "0"), 2, "--n")

    def test_operations_that_need_elements(self):
        for op in ("min", "max", "argmin", "argmax", "minmax", "mean", "variance", "stddev", "moments"):
            for output in ("text", "json"):
                self.refused(3, [op], op, "--format", output, given="")


if __name__ == "__main__":
    unittest.main()
