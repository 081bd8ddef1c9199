"""onefold calibrate, and what reduce --explain says of the estimates."""

import json
import os
import signal
import subprocess
import time
import unittest

from busy import busy_machine
from support import PROGRAM, SANITIZED, ProgramTest

FAKES = os.environ.get("FAKES")  # folders with modules that say that they are CUDA, and a driver


class Calibrate(ProgramTest):
    def test_measures_stores_and_is_read(self):
        cache = os.path.join(self.directory, "cache")
        path = os.path.join(cache, "onefold", "profile.json")
        where = {"XDG_CACHE_HOME": cache, "ONEFOLD_PROFILE": ""}
        said = self.output("calibrate", "--force", environment=where)  # whatever else this machine does
        self.assertTrue(said.endswith(f"stored in {path}\n"), said)
        self.assertEqual(os.listdir(os.path.dirname(path)), ["profile.json"])
        with open(path, encoding="utf-8") as file:
            profile = json.load(file)
        self.assertEqual(profile["onefold_profile"], 3)
        self.assertEqual(list(profile["read_gb_per_s"]), ["one_thread", "openmp", "tbb", "threads"])
        for rates in profile["read_gb_per_s"].values():
            for level in ("l2", "l3", "memory"):
                self.assertTrue(0.1 < rates[level] < 1e5, (level, rates))
        for name in ("light", "search", "moments", "wide", "compensated", "exact"):
            for rate in profile["elements_per_ns"][name].values():
                self.assertTrue(0.01 < rate < 1000, (name, rate))
        self.assertRegex(profile["measured"]["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        version = self.output("--version").split()[1]
        self.assertEqual(profile["measured"]["version"], version)
        self.assertEqual(profile["measured"]["disturbed"], "\nwarning: measured on a busy machine: " in said)
        # A compensated sum has a price of its own, and the pair of doubles one more.
        if not SANITIZED and not profile["measured"]["disturbed"]:
            self.assertLess(profile["elements_per_ns"]["wide"]["8_byte"], profile["elements_per_ns"]["light"]["8_byte"])
        explained = self.explained(environment=where)
        self.assertEqual(explained["figures"], path)
        self.assertRegex(explained["figures_age"], rf"^measured \d{{4}}-\d\d-\d\d, today, by onefold {version} at load \d")
        self.assertEqual(bool(explained["figures_warning"]), profile["measured"]["disturbed"])
        listed = json.loads(self.output("backends", "--format", "json", environment=where))
        for name in ("figures", "figures_age", "figures_warning"):
            self.assertEqual(listed[name], explained[name])
        self.assertIn(f"\nfigures: {path}\n{explained['figures_age']}\n", self.output("backends", environment=where))
        os.remove(path)
        self.assertIn("built in", self.explained(environment=where)["figures"])

    def test_processors_are_those_that_the_process_may_use(self):
        path = os.path.join(self.directory, "profile.json")
        allowed = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, allowed)
        os.sched_setaffinity(0, {min(allowed)})  # what this process starts inherits it
        self.output("calibrate", "--force", "--output", path)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["processors"], 1)
        here = self.explained(environment={"ONEFOLD_PROFILE": path})
        self.assertEqual((here["backend"], here["figures"]), ("sequential", path))
        self.assertEqual({e["threads"] for e in here["estimates"]}, {1})
        listed = json.loads(self.output("backends", "--format", "json"))["backends"]
        self.assertLessEqual({b["threads"] for b in listed if b["available"]}, {0, 1})
        os.sched_setaffinity(0, allowed)
        if len(allowed) > 1:
            figures = self.explained(environment={"ONEFOLD_PROFILE": path})["figures"]
            self.assertIn("it was measured on another machine: 1 processors", figures)

    def explained(self, *words, **more):
        values = self.file("values", bytes(1 << 22))
        return self.reduced("sum", values, "--dtype", "f32", "--explain", *words, **more)

    def test_estimates(self):
        r = self.explained()
        self.assertEqual(r["figures"], "built in: ONEFOLD_PROFILE is none")
        estimates = {e["backend"]: e for e in r["estimates"]}
        self.assertEqual(estimates["sequential"]["threads"], 1)
        self.assertLessEqual(0.95 * estimates[r["backend"]]["seconds"], min(e["seconds"] for e in r["estimates"]))
        text = self.output("reduce", "sum", "--dtype", "f32", "--explain", self.file("values", bytes(1 << 22)))
        for pattern in (r"\nestimate of sequential, 1 thread: [0-9.e+]+ us\n",
                        r"\nfigures: built in: ONEFOLD_PROFILE is none\n"):
            self.assertRegex(text, pattern)
        self.assertEqual(self.explained("--backend", "sequential")["estimates"], [])

    def test_a_busy_machine_is_not_stored(self):
        path = os.path.join(self.directory, "profile.json")
        with busy_machine():
            start = time.monotonic()
            done = self.run_program("calibrate", "--output", path)
            self.assertLess(time.monotonic() - start, 60)
            self.check_error(done, 1, "this machine is busy: other programs use ", "load average", "nothing was stored",
                             "--force")
            self.assertEqual(os.listdir(self.directory), [])
            said = self.output("calibrate", "--force", "--output", path)
        self.assertRegex(said, r"\nwarning: measured on a busy machine: other programs use [\d.]+ of \d+ processor")
        with open(path, encoding="utf-8") as file:
            self.assertIs(json.load(file)["measured"]["disturbed"], True)
        self.assertIn("the machine was busy", self.explained(environment={"ONEFOLD_PROFILE": path})["figures_warning"])
        self.check_error(self.run_program("calibrate", "--check", "--force"), 2, "--force cannot be combined with --check")

    def test_work_that_comes_later_is_not_stored_either(self):
        path = os.path.join(self.directory, "profile.json")
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ONEFOLD_")}
        with subprocess.Popen([PROGRAM, "calibrate", "--output", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=clean) as calibration:
            time.sleep(0.6)  # the look at other programs takes 0.25 s; measuring takes seconds
            with busy_machine():
                out, errors = calibration.communicate(timeout=self.limit)
        self.assertEqual((calibration.returncode, out), (1, b""), errors)
        self.assertIn(b"this machine is busy: ", errors)
        self.assertEqual(os.listdir(self.directory), [])

    def test_places_that_cannot_be_written(self):
        blocked = self.file("file", "")
        done = self.run_program("calibrate", "--output", os.path.join(blocked, "profile.json"))
        self.check_error(done, 1, blocked, "cannot be written")
        self.check_error(self.run_program("calibrate", "--output", self.directory), 1, "it is a directory")
        self.check_error(self.run_program("calibrate", "--output", ""), 2, "--output", "a file", '""')
        self.check_error(self.run_program("calibrate", "--output", "/proc/x"), 1, "/proc cannot be written")
        done = self.run_program("calibrate", environment={"HOME": "", "XDG_CACHE_HOME": ""})
        self.check_error(done, 2, "--output")
        self.check_error(self.run_program("calibrate", "--check", "--output", "x"), 2, "--output cannot be combined with --check")

    def checked_for(self, seconds):
        """What checking says that is interrupted after so many seconds. Wishes of the environment count for nothing."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ONEFOLD_")}
        variables = {"ONEFOLD_BACKEND": "none", "ONEFOLD_ISA": "none", "ONEFOLD_NUM_THREADS": "many"}
        with subprocess.Popen([PROGRAM, "calibrate", "--check", "--format", "json"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env={**clean, **variables, "ONEFOLD_PROFILE": "none"}) as check:
            time.sleep(seconds)
            check.send_signal(signal.SIGINT)
            out, line = check.communicate(timeout=self.limit)
        self.assertEqual(check.returncode, 130, line)
        self.assertRegex(line.decode(), r"^onefold: interrupted after [0-9]+ points\n$")
        return out

    def test_check(self):
        # An instrumented program, on a machine with other work, takes its time for a point.
        out = self.checked_for(5) or self.checked_for(20) or self.checked_for(80)
        self.assertTrue(out, "no point was finished in 80 seconds")
        found = json.loads(out)
        self.assertEqual(found["worst_ratio"], max(p["ratio"] for p in found["points"]))
        for p in found["points"]:
            self.assertAlmostEqual(p["ratio"], p["seconds"] / p["best_seconds"])
            self.assertIn(p["chosen"], self.available_backends())
            self.assertEqual(p["location"], "host")


@unittest.skipUnless(FAKES, "a statically linked program loads no module")
class Accelerator(ProgramTest):
    def run_on(self, memory, *words, profile="none", module="good", op="sum", size=1 << 22):
        environment = {"LD_PRELOAD": os.path.join(FAKES, "driver", "libcuda.so.1"), "FAKE_MEMORY": memory,
                       "ONEFOLD_BACKEND_PATH": os.path.join(FAKES, module), "ONEFOLD_PROFILE": profile}
        values = self.file("values", bytes(size))
        # --keep: else the elements would be folded on a CPU while they are read.
        return self.run_program("reduce", op, values, "--dtype", "f32", "--shape", size // 4, "--keep", "--explain",
                                "--format", "json", *words, environment=environment)

    def reduced_on(self, memory, *words, **more):
        done = self.run_on(memory, *words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return json.loads(done.stdout)

    measured = None  # the machine's own profile

    def profile(self, name="no device", pinned=1e6, pageable=1e-3):
        """That one, with a CPU as fast as CPUs are, even if the program is instrumented, and with a GPU: its name, and
        the GB/s of its ways to host memory."""
        if not Accelerator.measured:
            Accelerator.measured = self.output("calibrate", "--force", "--format", "json", "--output", self.file("profile.json", ""))
        profile = json.loads(Accelerator.measured)
        for rates, rate in (("read_gb_per_s", 100), ("elements_per_ns", 25)):
            profile[rates] = {who: dict.fromkeys(those, rate) for who, those in profile[rates].items()}
        profile["device"] = {"name": name, "launch_us": 0.1, "transfer_us": 0.1, "memory_gb_per_s": 1e6,
                             "pinned_gb_per_s": pinned, "pageable_gb_per_s": pageable}
        return self.file("profile.json", json.dumps(profile))

    def test_one_that_cannot_be_measured_is_left_out(self):
        path = os.path.join(self.directory, "profile.json")
        self.output("calibrate", "--force", "--output", path,
                    environment={"ONEFOLD_BACKEND_PATH": os.path.join(FAKES, "unmeasured")})
        with open(path, encoding="utf-8") as file:
            profile = json.load(file)
        self.assertEqual(list(profile["read_gb_per_s"]), ["one_thread", "openmp", "tbb", "threads"])
        self.assertNotIn("device", profile)

    def test_device_memory_leaves_no_choice(self):
        for memory, why in (("device", "the data is in device memory"),
                            ("managed", "the data is in managed memory that was moved to a device")):
            r = self.reduced_on(memory)
            self.assertEqual((r["backend"], r["why"], r["estimates"]), ("cuda", why, []))
        for backend in ("sequential", "cpu"):
            self.check_error(self.run_on("device", "--backend", backend), 2, "device memory", "cannot read")
            self.assertNotEqual(self.reduced_on("managed", "--backend", backend)["backend"], "cuda")

    def test_host_memory_goes_where_the_estimate_is_least(self):
        fast = self.profile()
        r = self.reduced_on("pinned", profile=fast)
        self.assertEqual((r["backend"], r["why"]), ("cuda", "it has the best estimate"))
        self.assertIn("cuda", [e["backend"] for e in r["estimates"]])
        for memory, *words in (("pageable",), ("pinned", "--backend", "cpu")):
            r = self.reduced_on(memory, *words, profile=fast)
            self.assertNotEqual(r["backend"], "cuda")
        self.assertIn("cuda", [d["backend"] for d in self.reduced_on("pageable", profile=fast)["declined"]])
        self.assertNotEqual(self.reduced_on("pinned", profile=self.profile(pinned=1e-3))["backend"], "cuda")
        # The figures are of another device: the built-in ones count.
        self.assertNotEqual(self.reduced_on("pinned", profile=self.profile(name="another"))["backend"], "cuda")

    def declined_on(self, memory, *words, **more):
        """Why the stand-in did not run."""
        r = self.reduced_on(memory, *words, profile=self.profile(), **more)
        self.assertNotEqual(r["backend"], "cuda")
        self.assertNotIn("cuda", [e["backend"] for e in r["estimates"]])
        return {d["backend"]: d["why"] for d in r["declined"]}["cuda"]

    def test_exact_powers_may_move(self):
        for op in ("variance", "moments", "norm2", "sum_squares"):
            r = self.reduced_on("pinned", "--accuracy", "exact", profile=self.profile(), op=op)
            self.assertEqual(r["backend"], "cuda")

    def test_a_lost_device_leaves_host_memory_to_the_cpu(self):
        self.assertEqual(self.declined_on("pinned", module="broken"), "GPU specifications unavailable")

    def test_short_calls_ask_no_gpu(self):
        self.assertEqual(self.declined_on("pinned", size=400), "the call is too short for a GPU")


if __name__ == "__main__":
    unittest.main()
