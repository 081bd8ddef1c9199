"""What is said where backend cuda has no driver, an old one, or no device: stand-ins for libcuda.so.1."""

import json
import os
import resource
import unittest

from support import ProgramTest

DRIVERS = os.environ["DRIVERS"]


class Drivers(ProgramTest):
    def check_why(self, folder, *pieces):
        """cuda is not available for a reason that has the pieces, and says so where it is forced."""
        environment = {"LD_LIBRARY_PATH": os.pathsep.join([folder, os.environ.get("LD_LIBRARY_PATH", "")])}
        backends = json.loads(self.output("backends", "--format", "json", environment=environment))["backends"]
        cuda, = (b for b in backends if b["backend"] == "cuda")
        self.assertFalse(cuda["available"])
        for piece in pieces:
            self.assertIn(piece, cuda["detail"])
        self.refused(4, ["cuda", cuda["detail"], "nearest"], "sum", "--backend", "cuda", given="1 2",
                     environment=environment)
        self.assertEqual(self.reduced("sum", given="1 2", environment=environment)["value"], 3)

    def test_no_driver(self):
        self.file("libcuda.so.1", "")  # found first, and no library
        self.check_why(self.directory, "no NVIDIA driver", "libcuda.so.1")

    def test_old_driver(self):
        self.check_why(os.path.join(DRIVERS, "old"), "too old", "supports CUDA 11.4", "update the driver")

    def test_no_device(self):
        self.check_why(os.path.join(DRIVERS, "empty"), "finds no device", "CUDA_VISIBLE_DEVICES")


    def test_few_descriptors(self):
        """The driver would keep the failure of its first start for good: it is not started."""
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        resource.setrlimit(resource.RLIMIT_NOFILE, (60, before[1]))  # what this process starts inherits it
        self.check_why(os.path.join(DRIVERS, "empty"), "driver was not started", "64 file descriptors")


if __name__ == "__main__":
    unittest.main()
