"""Partials: --save-partial, --partial and --begin of onefold reduce, and onefold join."""

import json
import os
import random
import unittest

from support import ProgramTest, npy, packed

PAGE = 4096  # elements of f32


class Partials(ProgramTest):
    def setUp(self):
        super().setUp()
        r = random.Random(18)
        self.values = [r.uniform(-1, 1) for _ in range(5 * PAGE + 77)]
        self.whole = self.npy_file("whole.npy", self.values)

    def npy_file(self, name, values):
        return self.file(name, npy("f32", values))

    def path(self, name):
        return os.path.join(self.directory, name)

    def part(self, name, begin, end, op="sum", *words):
        """Saves the partial of a part that is reduced by itself, and returns its path."""
        data = self.npy_file(name + ".npy", self.values[begin:end])
        saved = self.path(name + ".partial")
        self.output("reduce", op, data, "--begin", begin, "--save-partial", saved, *words)
        return saved

    def joined(self, *words):
        return json.loads(self.output("join", *words, "--format", "json"))

    def test_goes_on_from_a_partial(self):
        for op in ("sum", "mean", "argmax", "moments", "min"):
            for accuracy in ("native", "kahan", "exact"):
                with self.subTest(op=op, accuracy=accuracy):
                    if (op, accuracy) == ("moments", "kahan"):
                        accuracy = "native"
                    wanted = self.reduced(op, self.whole, "--accuracy", accuracy)
                    saved, cut = self.path("p"), 3 * PAGE + 5
                    first = self.npy_file("first.npy", self.values[:cut])
                    then = self.npy_file("then.npy", self.values[cut:])
                    alone = self.reduced(op, first, "--accuracy", accuracy, "--save-partial", saved)
                    self.assertEqual(alone["bits"], self.reduced(op, first, "--accuracy", accuracy)["bits"])
                    got = self.reduced(op, "--partial", saved, then)
                    self.assertEqual((got["bits"], got["n"], got["accuracy"]),
                                     (wanted["bits"], len(self.values), accuracy))

    def test_a_partial_is_continued_in_place(self):
        saved = self.path("p")
        for i in range(0, len(self.values), 3000):
            data = self.npy_file("day.npy", self.values[i:i + 3000])
            before = ["--partial", saved] if i > 0 else []
            text = self.output("sum", data, *before, "--save-partial", saved)
        self.assertEqual(text, self.output("sum", self.whole))

    def test_parts_are_joined(self):
        wanted = self.reduced("sum", self.whole)
        cuts = [0, 100, PAGE, 2 * PAGE + 1, len(self.values)]
        parts = [self.part(f"p{i}", *ends) for i, ends in enumerate(zip(cuts, cuts[1:]))]
        got = self.joined(*parts)
        self.assertEqual((got["op"], got["dtype"], got["n"], got["bits"]),
                         ("sum", "f32", len(self.values), wanted["bits"]))
        right = self.path("right")
        self.assertEqual(self.output("join", *parts[1:], "--save-partial", right), "")
        self.assertEqual(self.joined(parts[0], right)["bits"], wanted["bits"])
        self.assertEqual(self.output("join", parts[0], right, "--save-partial", self.path("all")),
                         self.output("sum", self.whole))
        self.assertEqual(self.joined(self.path("all"), "--result", "f64", "--init", "1")["bits"],
                         self.reduced("sum", self.whole, "--result", "f64", "--init", "1")["bits"])

    def test_joining_does_not_look_at_the_environment(self):
        part = self.part("p", 0, 10)
        typo = {"environment": {"ONEFOLD_ISA": "v9", "ONEFOLD_BACKEND": "gpu"}}
        self.assertEqual(self.output("join", part, **typo), self.output("join", part))

    def test_without_an_order_parts_are_joined_anyhow(self):
        for op, words in (("max", []), ("sum", ["--accuracy", "exact"])):
            parts = [self.part(f"p{i}", b, e, op, *words) for i, (b, e) in enumerate(((0, 9), (9, PAGE), (PAGE, 9000)))]
            head = self.npy_file("head.npy", self.values[:9000])
            self.assertEqual(self.joined(parts[2], parts[0], parts[1])["bits"], self.reduced(op, head, *words)["bits"])

    def test_parts_of_no_elements(self):
        """A partial of nothing is saved, without a result where the operation has none, and adds nothing."""
        one, nothing, some = self.npy_file("one.npy", [3]), self.npy_file("nothing.npy", []), self.path("some")
        joined = self.path("joined")
        for op, shown in (("sum", "0\n"), ("min", ""), ("mean", ""), ("argmax", "")):
            with self.subTest(op=op):
                empty, again = self.path(op), self.path(op + "2")
                self.assertEqual(self.output("reduce", op, nothing, "--save-partial", empty), shown)
                self.assertEqual(self.output("reduce", op, nothing, "--partial", empty, "--save-partial", again), shown)
                self.assertEqual(self.output("join", empty, again, "--save-partial", joined), shown)
                wanted = self.output("reduce", op, one)
                self.assertEqual(self.output("reduce", op, one, "--partial", joined, "--save-partial", some), wanted)
                self.assertEqual(self.output("join", empty, some), wanted)
                if not shown:
                    done = self.run_program("join", empty)
                    self.check_error(done, 3, f"{empty}: {op} of no elements has no value: the input is empty")
        self.assertEqual(self.output("reduce", "min", nothing, "--save-partial", some, "--init", "7"), "7\n")
        self.assertEqual(self.output("join", some, "--save-partial", joined, "--init", "7"), "7\n")

    def test_text_raw_elements_and_standard_input(self):
        saved = self.path("p")
        self.assertEqual(self.output("sum", "-", "--save-partial", saved, given="1 2 3"), "6\n")
        self.assertEqual(self.output("sum", "-", "--partial", saved, given="4 5"), "15\n")
        table = self.file("t.csv", "a,b\n1,10\n2,20\n")
        self.assertEqual(self.output("sum", "--column", "b", table, "--partial", saved), "36\n")
        self.assertEqual(self.output("sum", "-", "--begin", 5, "--missing", "skip", "--save-partial", self.path("q"),
                                     given="1 NA 3"), "")
        raw = self.file("a.bin", packed("f64", [7]))
        self.assertEqual(self.output("sum", "--dtype", "f64", raw, "--partial", saved), "13\n")

    def test_the_type_of_the_partial(self):
        p = self.part("p", 0, 100)  # of f32
        whole = self.reduced("sum", "--partial", p, self.npy_file("x.npy", [0.1, 2]))
        for path in (self.file("x.txt", "0.1 2"), self.file("x.bin", packed("f32", [0.1, 2]))):
            self.assertEqual(self.reduced("sum", "--partial", p, path)["bits"], whole["bits"])
        raw = self.file("x", packed("f32", [0.1, 2]))
        self.assertEqual(self.reduced("sum", "--partial", p, raw, "--input", "raw")["bits"], whole["bits"])
        self.refused(3, ["p.partial holds a sum of f32 at accuracy native, not of f64"], "sum", "--partial", p,
                     self.path("x.txt"), "--dtype", "f64")

    def test_what_does_not_fit_is_refused(self):
        p, data = self.part("p", 0, 100), self.npy_file("x.npy", [1, 2])
        self.refused(3, ["p.partial", "it holds a sum of f32 at accuracy native, not max"], "max", "--partial", p, data)
        self.refused(3, ["a sum of f32 at accuracy native, not accuracy wide"], "sum", "--partial", p, data,
                     "--accuracy", "wide")
        self.refused(3, ["p.partial holds a sum of f32 at accuracy native, not of f64"], "sum", "--partial", p,
                     self.file("y.npy", npy("f64", [1])))
        self.refused(3, ["q.partial: it begins at position 100, and a sum of f32 at accuracy native needs the elements "
                         "before them"], "sum", "--partial", self.part("q", 100, 200), self.path("missing"))
        self.refused(3, ["x.npy", "these bytes are not a partial: they do not begin with 1fxp"], "sum", "--partial",
                     data, data)
        self.refused(3, ["missing"], "sum", "--partial", self.path("missing"), data)
        for words in ([], ["--dtype", "f32"]):
            self.refused(3, ["p.partial: expected numbers, found a partial; onefold join shows its result"], "sum", p, *words)
        self.assertEqual(self.reduced("count", "--dtype", "u8", "--input", "raw", p)["n"], os.path.getsize(p))
        large = self.path("large")
        with open(large, "wb") as file:
            file.truncate((64 << 20) + 1)
        self.refused(3, ["large", "too many for a report or a partial"], "sum", "--partial", large, data)
        with open(p, "r+b") as file:
            file.seek(70)
            file.write(b"\x99")
        self.refused(3, ["their checksum does not match"], "sum", "--partial", p, data)

    def test_options_that_do_not_go_with_partials(self):
        p, data = self.part("p", 0, 100), self.npy_file("x.npy", [1, 2])
        for words in (["--axis", "0"], ["--keep"], ["--skip-nan"]):
            self.refused(2, ["--partial cannot be combined with " + words[0]], "sum", data, "--partial", p, *words)
        self.refused(2, ["--save-partial cannot be combined with several operations"], "sum,mean", data,
                     "--save-partial", p)
        self.refused(2, ["--partial cannot be combined with --begin"], "sum", data, "--partial", p, "--begin", "3")
        self.refused(2, ["--save-partial", "x.npy is an input; expected another file"], "sum", data, "--save-partial",
                     data)
        self.refused(1, ["cannot be written"], "sum", data, "--save-partial", self.path("missing/p"))
        for word in ("", "-"):
            self.refused(2, ["--save-partial: expected a file"], "sum", data, "--save-partial", word)
            self.check_error(self.run_program("join", p, "--save-partial", word), 2, "--save-partial: expected a file")
        self.refused(2, ["--begin requires --save-partial"], "sum", data, "--begin", "3")
        self.refused(2, ["--begin", "an integer from 0", "-1"], "sum", data, "--begin=-1", "--save-partial", p)
        self.refused(2, ["accumulators fold elements of the host on CPUs only"], "sum", data, "--save-partial", p, "--backend", "cuda")

    def test_errors_of_join(self):
        a, b, c = self.part("a", 0, 100), self.part("b", 100, 200), self.part("c", 150, 300)
        refused = lambda code, pieces, *words: self.check_error(self.run_program("join", *words), code, *pieces)
        refused(3, ["c.partial", "[0, 100)", "[150, 300)", "join a partial of the elements [100, 150) between them"], a, c)
        refused(3, ["c.partial", "both have the elements [150, 200); leave those out of one of them"], b, c)
        refused(3, ["a.partial", "not adjacent in this order; swap them"], b, a)
        refused(3, ["b.partial: a partial of the elements [100, 200)", "needs the elements before them"], b)
        refused(2, ["argmax takes no initial value"], self.part("e", 0, 9, "argmax"), "--init", "1")
        refused(3, ["d.partial", "a partial of a sum of f32 cannot be joined with one of a max of f32; make both "
                    "with the same operation and element type"], a,
                self.part("d", 100, 200, "max"))
        refused(2, ["FILE"])

    def test_positions_need_c_order(self):
        data = self.file("f.npy", npy("f32", [1, 2, 3, 4, 5, 6], shape=(2, 3), fortran=True))
        self.refused(2, ["in C order"], "argmax", data, "--save-partial", self.path("p"))


if __name__ == "__main__":
    unittest.main()
