"""Who runs: flags, the environment, and the same bits whoever it is."""

import json
import random
import unittest

from support import ProgramTest, npy


class Choices(ProgramTest):
    def test_same_bits_from_every_backend_thread_count_and_level(self):
        generator = random.Random(7)
        path = self.file("a.npy", npy("f32", [generator.gauss(0, 1) for _ in range(300_007)]))
        levels = json.loads(self.output("backends", "--format", "json"))["isa"]
        for op, accuracy in (("sum", "native"), ("sum", "kahan"), ("sum", "wide"), ("variance", "native"),
                             ("argmax", "native")):
            seen = set()
            for backend in self.available_backends():
                for threads in (1, 2, 3):
                    for level in levels:
                        if backend == "sequential" and threads > 1:
                            continue
                        r = self.reduced(op, path, "--backend", backend, "--accuracy", accuracy, "--threads", threads,
                                         "--isa", level)
                        self.assertEqual((r["backend"], r["accuracy"], r["isa"]), (backend, accuracy, level))
                        seen.add(r["bits"])
            self.assertEqual(len(seen), 1, (op, accuracy))

    def test_aliases(self):
        self.assertEqual(self.reduced("sum", "--backend", "SEQ", given="1")["backend"], "sequential")
        self.assertEqual(self.reduced("sum", "--accuracy", "double", given="1")["accuracy"], "wide")

    def test_environment_and_flag(self):
        with_environment = {"ONEFOLD_BACKEND": "nonsense"}
        self.refused(2, ["nonsense"], "sum", given="1", environment=with_environment)
        for flag in ("sequential", "automatic"):
            self.assertEqual(self.reduced("sum", "--backend", flag, given="1", environment=with_environment)["value"],
                             1)
        # A variable whose flag says nothing still counts.
        more = {"ONEFOLD_BACKEND": "nonsense", "ONEFOLD_NUM_THREADS": "none"}
        self.refused(2, ["ONEFOLD_NUM_THREADS"], "sum", "--backend", "automatic", given="1", environment=more)
        for backend in self.available_backends():
            r = self.reduced("sum", given="1", environment={"ONEFOLD_BACKEND": backend})
            self.assertEqual(r["backend"], backend)
            r = self.reduced("sum", "--backend", "sequential", given="1", environment={"ONEFOLD_BACKEND": backend})
            self.assertEqual(r["backend"], "sequential")

    def test_unavailable_backends(self):
        for b in json.loads(self.output("backends", "--format", "json"))["backends"]:
            if not b["available"]:
                self.refused(4, [b["backend"], b["detail"], "nearest"], "sum", "--backend", b["backend"], given="1")
                self.refused(4, [b["backend"]], "sum", given="1", environment={"ONEFOLD_BACKEND": b["backend"]})
                r = self.reduced("sum", given="1")
                self.assertIn(b["backend"], [d["backend"] for d in r["declined"]])

    def test_device_goes_with_cuda_and_automatic(self):
        for words in ((), ("--backend", "automatic")):
            self.assertEqual(self.reduced("sum", "--device", 0, *words, given="1")["value"], 1)
        for backend in ("sequential", "cpu"):
            self.refused(2, [f"onefold: device 0 applies to backend cuda or automatic, not to {backend}"],
                         "sum", "--device", 0, "--backend", backend, given="1")

    def test_devices_go_with_cuda_and_automatic(self):
        self.refused(2, ["onefold: devices 0, 1 apply to backend cuda or automatic, not to sequential"],
                     "sum", "--devices", "0,1", "--backend", "sequential", given="1")
        self.refused(2, ["--devices", "x"], "sum", "--devices", "0,x", given="1")
        self.refused(2, ["devices: 1 occurs twice"], "sum", "--devices", "1,1", given="1")

    def test_wrong_environment_is_shortened(self):
        done = self.run_program("reduce", "sum", given="1", environment={"ONEFOLD_BACKEND": "x" * 5000})
        self.check_error(done, 2, 'ONEFOLD_BACKEND: unknown backend "xxx', '..."')
        self.assertLess(len(done.stderr), 200)

    def test_missing_modules(self):
        for backend in self.available_backends():
            if backend != "sequential":
                r = self.run_program("reduce", "sum", "--backend", backend, "--format", "json", given="1",
                                     environment={"ONEFOLD_BACKEND_PATH": self.directory})
                self.assertIn(r.returncode, (0, 4))
                if r.returncode == 4:
                    self.check_error(r, 4, backend)
                else:
                    self.assertEqual(json.loads(r.stdout)["backend"], backend)

    def test_threads(self):
        for backend in self.available_backends():
            if backend not in ("sequential", "cuda"):
                values = self.file("t.bin", bytes(1 << 22))
                r = self.reduced("sum", values, "--dtype", "u8", "--backend", backend, "--threads", 2)
                self.assertEqual(r["threads"], 2)


if __name__ == "__main__":
    unittest.main()
