"""Foreign text: names, contents, profiles, reports and environments full of what a terminal would obey."""

import csv
import io
import json
import os
import pty
import shutil
import stat
import subprocess
import unittest

from report_support import FAST, ReportTest
from support import PROGRAM, npy, python_with_matplotlib

UNSAFE = ([*range(0x01, 0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F] + [*range(0x2028, 0x202F)] +
          [*range(0x2066, 0x206A)])
# Bytes that are not UTF-8: a lone continuation, overlong forms, a surrogate, beyond U+10FFFF, a cut sequence.
BROKEN = [b"\x9b", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xe2\x80"]


def texts():
    """Short texts with every unsafe character, and one with every kind of broken bytes, between letters."""
    for i in range(0, len(UNSAFE), 12):
        yield b"a".join(chr(c).encode() for c in UNSAFE[i:i + 12]) + b"z"
    yield b"a".join(BROKEN) + b"z"


class Foreign(ReportTest):
    def check_clean(self, data, what):
        """No unsafe character but line ends, and UTF-8."""
        text = data.decode()  # raises where it is not UTF-8
        self.assertEqual([hex(ord(c)) for c in text if ord(c) in UNSAFE and c != "\n"], [], (what, data[:300]))
        return text

    def check_run(self, *words, lines=None, **more):
        """Nothing unsafe on either stream; one line of errors, if any. Returns what was written."""
        done = self.run_bytes(*words, **more)
        self.check_clean(done.stdout, words)
        errors = self.check_clean(done.stderr, words)
        self.assertLessEqual(errors.count("\n"), 1, errors)
        self.assertIn(done.returncode, (0, 1, 2, 3, 4), errors)
        if lines is not None:
            self.assertEqual(done.stdout.count(b"\n"), lines, done.stdout)
        return done.stdout.decode()

    def run_bytes(self, *words, given=b"", environment=None, **more):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ONEFOLD_")}
        clean["ONEFOLD_PROFILE"] = "none"
        clean.update(environment or {})
        return subprocess.run([PROGRAM, *words], input=given, env=clean, timeout=120, check=False, capture_output=True,
                              **more)

    def folder_file(self, name, content):
        path = os.path.join(self.directory.encode(), name)
        with open(path, "wb") as out:
            out.write(content)
        return path

    def test_names_of_files(self):
        for name in texts():
            path = self.folder_file(name, b"1 2\n")
            for words in (["reduce", "sum"], ["sum", "--explain"], ["reduce", "sum", "--explain", "--format", "json"],
                          ["accuracy"], ["accuracy", "--format", "json"], ["accuracy", "--format", "csv"],
                          ["reduce", "sum", "--input", "raw", "--dtype", "f64"], ["reduce", "sum", "--input", "npy"],
                          ["reduce", "min", "--column", "7"], ["report", "--peers"], ["report", "--compare", b"-"],
                          ["report", "--compare", path], ["accuracy", "--n", "99"]):
                self.check_run(*words, path, lines=None)
                self.check_run(*words, path + b".missing")
            # A line of a table stays a line.
            lines = self.check_run("accuracy", path, "--backend", "seq", "--format", "csv").count("\n")
            self.assertEqual(lines, 6)

    def test_names_of_files_in_json(self):
        """JSON has the name itself, escaped once; U+FFFD stands for what is not UTF-8."""
        for name, known, written, shown in ((b"n\x1b.npy", "n\x1b.npy", "n\\u001b.npy", "n\\x1b.npy"),
                                            ("\u202e\u00e9".encode(), "\u202e\u00e9", "\\u202e\\u00e9", "\\u202e\u00e9"),
                                            (b"a\\x1b", "a\\x1b", "a\\\\x1b", "a\\\\x1b"),
                                            (b"a\xffz", "a\ufffdz", "a\\ufffdz", "a\\xffz"), (b"a\nz", "a\nz", "a\\nz", "a\\x0az")):
            self.folder_file(name, npy("f32", [1, 2]))
            for words, told in ((["sum", "--explain"], lambda x: x["inputs"][0]["file"]),
                                (["accuracy", "--backend", "seq"], lambda x: x["studies"][0]["data"]),
                                (["bench", "--backend", "seq", "--seconds", "0.001"], lambda x: x["data"])):
                with self.subTest(name=name, words=words):
                    text = self.check_run(*words, "--format", "json", name, cwd=self.directory)
                    self.assertEqual(told(json.loads(text)), known)
                    self.assertIn(f'"{written}"', text)
                    self.assertIn(shown, self.check_run(*words, name, cwd=self.directory))

    def test_words_of_the_command_line(self):
        for word in texts():
            for words in ([word], ["reduce", word], ["help", word], ["--" + "x", word], [b"--" + word],
                          ["reduce", "sum", b"--" + word], ["completion", word], ["backends", word],
                          ["reduce", "sum", "--backend", word], ["reduce", "sum", "--init", word],
                          ["reduce", "sum", "--column", word], ["bench", "--op", word], ["bench", "--n", word],
                          ["accuracy", "--data", word], ["accuracy", "--plot", word],
                          ["accuracy", "--plot", word + b"/a.svg"], ["report", "-o", word + b"/x"],
                          ["report", "--preset", word], ["calibrate", "--output", word + b"/x/y"]):
                self.check_run(*words, cwd=self.directory)

    def test_contents_of_files(self):
        for word in texts():
            path = self.file("content", word + b" 1\n")
            named = self.file("table", b"x," + word + b"\n1,2\n")
            header = self.file("a.npy", npy("f64", [1.0]).replace(b"<f8", b"<" + word[:2].ljust(2, b"8")))
            for words in (["sum", path], ["sum", "--column", "1", path], ["sum", "--column", "nosuch", named],
                          ["sum", "--column", "2", named], ["sum", header], ["accuracy", path]):
                self.check_run(*words)

    def test_environment(self):
        for word in texts():
            for name in ("ONEFOLD_BACKEND", "ONEFOLD_ISA", "ONEFOLD_NUM_THREADS", "ONEFOLD_PROFILE", "ONEFOLD_PYTHON",
                         "ONEFOLD_BACKEND_PATH"):
                environment = {name: os.fsdecode(word)}
                values = bytes(8 << 20)
                for words in (["backends"], ["backends", "--format", "json"],
                              ["sum", "--dtype", "f32", "--explain", "--threads", "1"],
                              ["accuracy", "--data", "normal", "--n", "9", "--plot", self.directory + "/a.svg"]):
                    self.check_run(*words, given=values if "f32" in words else b"", environment=environment)

    def test_line_ends_forge_no_lines(self):
        path = self.directory + "/a\nbackend forged: yes"
        text = self.check_run("sum", "--dtype", "f32", "--explain", given=bytes(8 << 20),
                              environment={"ONEFOLD_PROFILE": path, "ONEFOLD_BACKEND_PATH": path})
        self.assertNotIn("\nbackend forged", text)
        os.mkdir(path)
        for name in ("openmp", "tbb", "cuda"):
            with open(f"{path}/libonefold_{name}.so", "w", encoding="ascii") as module:
                module.write("no module")
        for words in (["backends"], ["sum", "--explain"], ["sum", "--backend", "tbb"], ["bench", "--n", "1"]):
            text = self.check_run(*words, given=b"1", environment={"ONEFOLD_BACKEND_PATH": path})
            self.assertNotIn("\nbackend forged", text)

    def test_profiles(self):
        for word in texts():
            path = self.file("profile.json", json.dumps({"onefold_profile": 2, "cpu": word.decode("latin-1")},
                                                        ensure_ascii=False).encode())
            for words in (["--explain"], ["--explain", "--format", "json"]):
                self.check_run("sum", "--dtype", "f32", *words, given=bytes(8 << 20), environment={"ONEFOLD_PROFILE": path})

    def test_peers_and_reports(self):
        # One text with all of it is enough here: each makes a report.
        word = b"a".join(chr(c).encode() for c in UNSAFE).decode() + "\x85<b>[x](y)"
        row = {"op": word, "dtype": "f32", "n": 8, "where": word, "who": word, "flags": word, "ns": 5, "onefold_ns": 5,
               "onefold_speed": 1}
        answer = {**row, "runs": 1, "threads": [1], "answers_in_runs": 1, "answers_over_threads": 1, "ulps": 0}
        for escaped in (True, False):
            peers = self.file("peers.json", json.dumps({"context": {word: word}, "speeds": [row], "answers": [answer]},
                                                       ensure_ascii=escaped))
            words = ("report", "--seconds", "0.001", "--preset", "notebook", "--largest", "1e5", "--peers", peers)
            self.assertIn("## Peers", self.check_run(*words, environment={"OMP_X": word}))
            self.check_run(*words, "--format", "json")
            self.check_run(*words, "-o", self.folder, environment={"ONEFOLD_PYTHON": "false"})
            for name in ("json", "md", "html"):
                with open(os.path.join(self.folder, "report." + name), "rb") as file:
                    self.check_clean(file.read(), name)
            with open(os.path.join(self.folder, "report.json"), encoding="utf-8") as file:
                report = json.load(file)
            self.assertEqual(report["peers"]["context"], {word: word})  # JSON keeps it
            for row_of_report in report["parts"]["notebook"]["rows"]:
                row_of_report["data"] = word
            report["machine"][word] = word
            before = self.file("before.json", json.dumps(report, ensure_ascii=escaped))
            report["machine"][word] = word + "x"
            for row_of_report in report["parts"]["notebook"]["rows"]:
                row_of_report["bits"] = "0x0"
            after = self.file("after.json", json.dumps(report, ensure_ascii=escaped))
            text = self.check_run("report", "--compare", before, after)
            self.assertIn("other bits: ", text)
            self.check_run("report", "--compare", before, after, "--format", "json")
            broken = self.file("broken.json", json.dumps({"onefold_report": word}, ensure_ascii=escaped))
            self.check_run("report", "--compare", broken, after)

    def test_formulas_in_csv(self):
        for name in ("=1+1", "+1+1", "-1+1", "@SUM(A1)", "=cmd|' -C calc'!A0", "\t=1"):
            self.folder_file(name.encode(), b"1 2\n")
            rows = list(csv.DictReader(io.StringIO(
                self.check_run("accuracy", "--backend", "seq", "--format", "csv", "--", name, cwd=self.directory))))
            self.assertEqual({r["data"] for r in rows}, {"\\x09=1" if name[0] == "\t" else "'" + name})
        # Numbers stay numbers.
        self.folder_file(b"-12", b"-1 -2\n")
        text = self.check_run("accuracy", "--backend", "seq", "--format", "csv", "--", "-12", cwd=self.directory)
        self.assertIn("\n-12,", text)
        self.assertIn(",-3,", text)

    def test_python_that_writes(self):
        word = (b"a".join(chr(c).encode() for c in UNSAFE if c != 0x0A)).replace(b"\x27", b"")
        said = self.file("said", word)
        python = self.file("python", f"#!/bin/sh\n[ \"$2\" = \"import matplotlib\" ] && exit 0\ncat '{said}' >&2\nexit 3\n")
        os.chmod(python, stat.S_IRWXU)
        environment = {"ONEFOLD_PYTHON": python}
        self.check_run("accuracy", "--data", "normal", "--n", "9", "--plot", self.directory + "/a.svg",
                       environment=environment)
        self.check_run("report", *FAST, "-o", self.folder, environment=environment)
        for name in ("md", "html"):
            self.check_clean(self.text(name).encode(), name)


class Python(ReportTest):
    @unittest.skipUnless(python_with_matplotlib(), "there is no Python with matplotlib")
    def test_modules_of_the_working_directory_do_not_run(self):
        where = os.path.join(self.directory, "cwd")
        os.mkdir(where)
        trap = os.path.join(self.directory, "trapped")
        code = f"open({trap!r}, 'w').close()\nraise ImportError('the wrong module')\n"
        for name in ("matplotlib.py", "json.py", "base64.py", "evil.py", "sitecustomize.py", "usercustomize.py"):
            with open(os.path.join(where, name), "w", encoding="ascii") as file:
                file.write(code)
        with open(os.path.join(where, "matplotlibrc"), "w", encoding="ascii") as file:
            file.write("backend: module://evil\nfont.size: 3000\n")
        environment = {"ONEFOLD_PYTHON": python_with_matplotlib(), "PYTHONPATH": where}
        for more in (environment, {**environment, "PYTHONSTARTUP": where + "/evil.py"}):
            self.output("accuracy", "--data", "normal", "--n", 9, "--plot", "a.svg", cwd=where, environment=more)
            self.assertTrue(os.path.exists(os.path.join(where, "a.svg")))
            told = self.output("report", *FAST, "-o", "out", cwd=where, environment=more)
            self.assertNotIn("without plots", told)
        self.assertFalse(os.path.exists(trap))

    def test_a_relative_python(self):
        where = os.path.join(self.directory, "bin")
        os.mkdir(where)
        with open(os.path.join(where, "python"), "w", encoding="ascii") as file:
            file.write("#!/bin/sh\npwd >&2\nexit 5\n")
        os.chmod(os.path.join(where, "python"), stat.S_IRWXU)
        done = self.run_program("accuracy", "--data", "normal", "--n", 9, "--plot", "a.svg", cwd=self.directory,
                                environment={"ONEFOLD_PYTHON": "bin/python"})
        self.check_error(done, 1, "--plot", "matplotlib")


class Files(ReportTest):
    def listed(self):
        return sorted(os.listdir(self.directory))

    def test_planted_links(self):
        """Whatever name a temporary file could have: an attacker's link there is not followed."""
        victim = self.file("victim", "precious")
        place = os.path.join(self.directory, "shared")
        os.mkdir(place)
        words = ["report", *FAST, "-o", place]
        # The names that were predictable: of the next processes.
        with open("/proc/sys/kernel/pid_max", encoding="ascii") as file:
            most = int(file.read())
        os.symlink(victim, os.path.join(place, ".onefold-trial"))
        here = os.getpid()
        for pid in range(here, here + 3000):
            for name in ("report.json", ".onefold-trial"):
                os.symlink(victim, os.path.join(place, f"{name}.{pid % most}.part"))
        self.run_program(*words, environment={"ONEFOLD_PYTHON": "false"})
        with open(victim, encoding="ascii") as file:
            self.assertEqual(file.read(), "precious")
        self.assertTrue(os.path.islink(os.path.join(place, ".onefold-trial")))  # nor is it removed

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_flags_of_temporary_files(self):
        log = os.path.join(self.directory, "log")
        done = subprocess.run(["strace", "-f", "-qq", "-e", "trace=open,openat,creat", "-o", log, PROGRAM, "report",
                               *FAST, "-o", os.path.join(self.directory, "out")], capture_output=True, check=False,
                              env={**os.environ, "ONEFOLD_PYTHON": "false"})
        if done.returncode != 0:
            self.skipTest("strace cannot trace here")
        with open(log, encoding="utf-8", errors="replace") as file:
            # The thread sanitizer has a file of its own, and gcov its counts and a place for complaints.
            others = ("/tsan.", ".gcda", '"/dev/null"')
            made = [line for line in file if "O_CREAT" in line and not any(other in line for other in others)]
        self.assertGreaterEqual(len(made), 4)
        for line in made:
            for flag in ("O_EXCL", "O_NOFOLLOW", "O_CLOEXEC"):
                self.assertIn(flag, line)

    def test_permissions(self):
        path = os.path.join(self.directory, "a.svg")
        python = self.file("python", "#!/bin/sh\n[ \"$2\" = \"import matplotlib\" ] || echo plot\n")
        os.chmod(python, stat.S_IRWXU)

        def mode(umask):
            before = os.umask(umask)
            try:
                self.output("accuracy", "--data", "normal", "--n", 9, "--plot", path, environment={"ONEFOLD_PYTHON": python})
            finally:
                os.umask(before)
            return stat.S_IMODE(os.stat(path).st_mode)
        self.assertEqual(mode(0o027), 0o640)
        os.chmod(path, 0o604)
        self.assertEqual(mode(0o077), 0o604)  # the file's own stay
        os.remove(path)
        self.assertEqual(mode(0o077), 0o600)
        self.assertEqual(self.listed(), ["a", "a.svg", "libonefold_cuda.so", "python"])

    def test_no_folder_but_the_named_one(self):
        below = os.path.join(self.directory, "no", "such")
        for words in (["report", *FAST, "-o", below], ["report", *FAST, "-o", below + "/../out"],
                      ["calibrate", "--output", below + "/profile.json"],
                      ["accuracy", "--data", "normal", "--n", "9", "--plot", below + "/a.svg"]):
            before = self.listed()
            done = self.run_program(*words)
            self.check_error(done, 1, "no", "cannot be written")
            self.assertEqual(self.listed(), before)
        folder = os.path.join(self.directory, "out")
        self.output("report", *FAST, "-o", folder + "/", environment={"ONEFOLD_PYTHON": "false"})
        self.assertEqual(sorted(os.listdir(folder)), ["report.html", "report.json", "report.md"])

    def test_a_failed_write_leaves_nothing(self):
        path = os.path.join(self.directory, "out")
        os.mkdir(path)
        script = 'ulimit -f 4; exec "$0" "$@"'  # 2 or 4 KiB a file: LLVM's OpenMP runtime has one of 1 KiB
        done = subprocess.run(["sh", "-c", script, PROGRAM, "report", *FAST, "-o", path], capture_output=True, check=False,
                              env={**os.environ, "ONEFOLD_PYTHON": "false"})
        self.check_error(done, 1, "report.json", "File too large")
        self.assertEqual(os.listdir(path), [])


class Terminal(ReportTest):
    def ask(self, *words):
        """Runs with a terminal as standard input, at which Ctrl-D is typed after a number."""
        ours, theirs = pty.openpty()
        with subprocess.Popen([PROGRAM, *words], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            os.close(theirs)
            os.write(ours, b"1 2\n\x04")
            out, errors = run.communicate(timeout=20)
        os.close(ours)
        return run.returncode, out.decode(), errors.decode()

    def test_says_that_it_reads_a_terminal(self):
        told = "onefold: reading from the terminal; end with Ctrl-D\n"
        for words in (["sum"], ["reduce", "sum"], ["reduce", "sum", "-"], ["accuracy", "--backend", "seq"],
                      ["bench", "--seconds", "0.001", "--backend", "seq", "-"]):
            code, _, errors = self.ask(*words)
            self.assertEqual((code, errors), (0, told), words)
        self.assertTrue(self.ask("sum", "-:member")[2].startswith(told))
        path = self.file("number", "4")
        self.assertEqual(self.ask("sum", path), (0, "4\n", ""))
        self.assertEqual(self.ask("backends")[2], "")


if __name__ == "__main__":
    unittest.main()
