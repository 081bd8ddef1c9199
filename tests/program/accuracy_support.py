"""What the tests of onefold accuracy share."""

import json
import struct
from fractions import Fraction

from support import TYPES, ProgramTest

MODES = ["native", "wide", "kahan", "exact"]


def number(dtype, text):
    """The exact value of a result's bits."""
    return Fraction(*struct.unpack(">" + TYPES[dtype][1], bytes.fromhex(text[2:])))


class AccuracyTest(ProgramTest):
    def studies(self, *words, **more):
        return json.loads(self.output("accuracy", *words, "--format", "json", **more))["studies"]

    def study(self, *words, **more):
        [one] = self.studies(*words, **more)
        return one

    def wrong(self, code, pieces, *words, **more):
        self.check_error(self.run_program("accuracy", *words, **more), code, *pieces)
