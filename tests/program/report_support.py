"""What the tests of onefold report share."""

import json
import os
import re

from support import ProgramTest

FAKES = os.environ.get("FAKES")
FAST = ("--seconds", "0.001", "--largest", "2^12")


class ReportTest(ProgramTest):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.directory, "a"))
        self.folder = os.path.join(self.directory, "a", "report")
        self.without_cuda = {"ONEFOLD_BACKEND_PATH": self.directory}  # this comes first, and cannot be loaded
        self.file("libonefold_cuda.so", "no library")
        # The reason, in the words of the program: one without modules has another.
        self.no_cuda = "cannot be loaded" if FAKES else "linked without the cuda backend"

    def text(self, name):
        with open(os.path.join(self.folder, "report." + name), encoding="utf-8") as file:
            return file.read()

    def report(self, *words, **more):
        """Makes a report that must succeed; its JSON."""
        self.output("report", *words, "-o", self.folder, **more)
        return json.loads(self.text("json"))

    def printed(self, *words, **more):
        """The JSON of a report without files."""
        return json.loads(self.output("report", *words, "--format", "json", **more))

    def wrong(self, code, pieces, *words, **more):
        self.check_error(self.run_program("report", *words, **more), code, *pieces)

    def check_tables(self, text):
        """All lines of a Markdown table have as many cells."""
        cells = [(line, len(re.findall(r"(?<!\\)\|", line))) for line in text.splitlines()]
        for (above, first), (line, second) in zip(cells, cells[1:]):
            if first and second:
                self.assertEqual(first, second, f"{above}\n{line}")
        self.assertGreater(sum(n > 0 for _, n in cells), 10)
