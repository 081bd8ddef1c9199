"""What the tests of onefold bench share."""

import json
import os

from support import ProgramTest

FAKES = os.environ.get("FAKES")
FAST = ("--seconds", "0.001", "--warm")
MODES = ["native", "wide", "kahan", "exact"]


def fake(case):
    """The environment in which backend cuda is a stand-in."""
    return {"ONEFOLD_BACKEND_PATH": os.path.join(FAKES, case)}


def split(text):
    """Rows and reasons of JSON lines."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [x for x in lines if "op" in x], [x for x in lines if "left_out" in x]


class BenchTest(ProgramTest):
    def bench(self, *words, **more):
        """Rows and reasons of a run that must succeed."""
        return split(self.output("bench", *FAST, *words, "--format", "json", **more))

    def wrong(self, code, pieces, *words, **more):
        self.check_error(self.run_program("bench", *words, **more), code, *pieces)
