"""Completion scripts, in the shells that they are for."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from support import ProgramTest

COMMANDS = ("reduce sum", "sum", "join", "summary", "quantile", "statistic", "statistic ptp", "histogram", "scan sum", "rows softmax",
            "accuracy", "bench", "report", "calibrate", "backends", "operations", "completion bash", "manual", "help")

# A command line, and what completes its last word in every shell.
COMPLETED = (
    ("red", ["reduce"]), ("acc", ["accuracy"]), ("be", ["bench"]), ("he", ["help"]), ("sample_v", ["sample_variance"]),
    ("sum,arg", ["sum,argmin", "sum,argmax"]), ("--ver", ["--version"]),
    ("reduce sample_", ["sample_variance", "sample_stddev"]), ("reduce sum,arg", ["sum,argmin", "sum,argmax"]),
    ("reduce --kee", ["--keep"]), ("reduce --backend tbb argm", ["argmin", "argmax"]), ("reduce sum --acc", ["--accuracy"]),
    ("reduce sum --backend sequ", ["sequential"]), ("reduce sum --format c", []), ("reduce sum --separator se", ["semicolon"]),
    ("sum --backend sequ", ["sequential"]), ("sum,mean --sh", ["--shape"]), ("sum --result b", ["bf16"]),
    ("sca", ["scan"]), ("scan cums", ["cumsum"]), ("scan sample_", ["sample_variance", "sample_stddev"]),
    ("scan sum,cumm", ["sum,cummin", "sum,cummax"]), ("scan cumsum --exc", ["--exclusive"]),
    ("scan sum --backend sequ", ["sequential"]), ("scan sum --kee", []),
    ("summa", ["summary"]), ("summary --ski", ["--skip-nan"]), ("quan", ["quantile"]), ("quantile --meth", ["--method"]), ("quantile --method lo", ["lower"]),
    ("stat", ["statistic"]), ("statistic sk", ["skewness"]), ("statistic ptp,sample_", ["ptp,sample_skewness", "ptp,sample_excess_kurtosis"]),
    ("statistic skewness --acc", ["--accuracy"]), ("statistic data.npy --backend sequ", ["sequential"]), ("help harm", ["harmonic_mean"]),
    ("hist", ["histogram"]), ("histogram --bi", ["--bins"]), ("row", ["rows"]), ("rows log", ["log_softmax", "logsumexp"]), ("rows rms_norm --we", ["--weight"]),
    ("rows softmax --backend sequ", ["sequential"]), ("rows softmax --res", []),
    ("accuracy --data co", ["conditioned"]), ("accuracy --pl", ["--plot"]), ("accuracy --format c", ["csv"]),
    ("accuracy --op arg", []), ("accuracy --backend tbb,openm", ["tbb,openmp"]),
    ("bench --lo", ["--location"]), ("bench --location p", ["pinned"]), ("bench --sh", ["--shape"]),
    ("bench --base sequ", ["sequential"]), ("bench --op arg", ["argmin", "argmax"]),
    ("bench --op sum,arg", ["sum,argmin", "sum,argmax"]), ("bench --format c", ["csv"]),
    ("statistic a sk", []), ("reduce sum arg", []), ("sum arg", []), ("scan sum cumm", []), ("rows softmax log", []),
    ("completion bash fi", []), ("help sum arg", []),
    ("report --preset lad", ["ladder-1m"]), ("completion fi", ["fish"]), ("help cal", ["calibrate"]),
    ("help argm", ["argmin", "argmax"]), ("backends --color al", ["always"]))

# After these words and a blank there come files; after those, none.
FILES = ("reduce sum", "reduce sum --partial", "sum", "join", "join a", "join --save-partial", "summary", "quantile",
         "statistic", "statistic ptp", "statistic ptp,skewness", "statistic a", "histogram", "scan sum", "scan cumsum", "scan sum -o", "rows softmax", "rows rms_norm --weight", "accuracy",
         "bench", "report --compare", "report --compare a", "report --peers", "report --from", "calibrate --output",
         "accuracy --plot", "sum,mean", "reduce sum --output", "reduce sum -o")
NO_FILES = ("reduce", "scan", "scan sum --axis", "rows", "rows rms_norm --eps", "backends", "calibrate", "manual",
            "quantile --at", "histogram --range", "sum --init", "bench --n", "accuracy --cond", "sum --axis")


class Completion(ProgramTest):
    """The cases of every shell; the subclasses have the shells."""

    def complete_all(self, lines):
        """For each line the words that the shell offers for the last word of "onefold " and the line."""
        raise NotImplementedError

    def complete(self, line):
        return self.complete_all([line])[0]

    def check(self):
        os.makedirs(os.path.join(self.directory, "zzfolder"))
        self.file("zzfile", "1")
        lines = [line for line, _ in COMPLETED]
        for (line, expected), found in zip(COMPLETED, self.complete_all(lines)):
            self.assertEqual(sorted(found), sorted(expected), line)
        for line, found in zip(FILES, self.complete_all([line + " zzf" for line in FILES])):
            self.assertIn("zzfile", found, line)
        for line, found in zip(NO_FILES, self.complete_all([line + " zzf" for line in NO_FILES])):
            self.assertNotIn("zzfile", found, line)
        for command, found in zip(COMMANDS, self.complete_all([line + " --" for line in COMMANDS])):
            listed = re.findall(r"^ +(?:-\w, *)?(--[a-z-]+)", self.output(*command.split(), "--help"), re.MULTILINE)
            self.assertEqual(set(listed) - {"--help"}, set(found) - {"--help"}, command)


@unittest.skipUnless(shutil.which("bash"), "there is no bash")
class Bash(Completion):
    ASKED = r"""
compopt() { compgen -f -- "$current"; }
for line; do
  IFS=$'\t' read -ra COMP_WORDS <<<"$line"
  [[ $line == *$'\t' ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _onefold | tr '\n' ' '  # files, in the stand-in above
  _onefold >/dev/null
  echo "${COMPREPLY[@]}"
done
"""

    def complete_all(self, lines):
        # bash splits words at = too.
        split = ["\t".join(["onefold", *(word for word in re.split("(=)| ", line) if word is not None)]) for line in lines]
        done = subprocess.run(["bash", "-c", self.output("completion", "bash") + self.ASKED, "bash", *split],
                              capture_output=True, check=True, text=True, cwd=self.directory)
        self.assertEqual(done.stderr, "")
        return [found.split() for found in done.stdout.splitlines()]

    def test_completion(self):
        self.check()
        lines = ["sum,re", "reduce sum argm", "reduce --backend tbb sum argm", "sum --backend=sequ", "sum --backend=",
                 "sum --backend "]
        *some, equals, blank = self.complete_all(lines)
        self.assertEqual(some, [[], [], [], ["sequential"]])
        self.assertEqual(equals, blank)


@unittest.skipUnless(shutil.which("fish"), "there is no fish")
class Fish(Completion):
    ASKED = "source $argv[1]; for line in $argv[2..]; echo (complete -C $line | string split -f1 \\t); end"

    def complete_all(self, lines):
        script = self.file("onefold.fish", self.output("completion", "fish"))
        done = subprocess.run(["fish", "--no-config", "-c", self.ASKED, script, *("onefold " + line for line in lines)],
                              capture_output=True, check=True, text=True, cwd=self.directory,
                              env={**os.environ, "HOME": self.directory, "TERM": "dumb"})
        self.assertEqual(done.stderr, "")
        # fish also offers what has the letters elsewhere.
        return [[word for word in found.split() if word.startswith(line.split(" ")[-1])]
                for line, found in zip(lines, done.stdout.splitlines())]

    def test_completion(self):
        self.check()
        self.assertEqual(self.complete("sum --backend=sequ"), ["--backend=sequential"])
        self.assertEqual(self.complete("statistic --threads 2 sk"), ["skewness"])
        self.assertEqual(self.complete("statistic --threads 2 data.npy sk"), [])
        self.assertEqual(self.complete("bench --op=sum,argma"), ["--op=sum,argmax"])
        self.assertEqual(self.complete("report -o zz"), ["zzfolder/"])


@unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
class Zsh(Completion):
    """zsh completes only where somebody types: a terminal of our own. What would be offered goes into a file."""

    START = r"""
PS1= PS2= RPS1=
autoload -U compinit && compinit -D -u
source {script}
zstyle ':completion:*' list-colors ''
compadd() {{
  # Asked what would match, not told to offer it.
  if [[ ${{@[1,(i)(-|--)]}} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a __offered
  builtin compadd -O __offered "$@"
  local prefix=${{IPREFIX}}
  (( $#__offered )) && printf '%s\n' $prefix${{^__offered}} >>{found}
  builtin compadd "$@"
}}
complete-word-and-tell() {{ zle list-choices; : >>{done}; mv {done} {done}.yes; BUFFER= }}
zle -N complete-word-and-tell
bindkey '^T' complete-word-and-tell
: >{ready}
"""

    def setUp(self):
        super().setUp()
        self.paths = {name: os.path.join(self.directory, "." + name) for name in ("script", "found", "done", "ready")}
        with open(self.paths["script"], "w", encoding="utf-8") as out:
            out.write(self.output("completion", "zsh"))
        start = self.file(".start", self.START.format(**self.paths))
        child, self.terminal = pty.fork()
        if child == 0:
            os.chdir(self.directory)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "HOME": self.directory, "TERM": "dumb"})
        self.addCleanup(os.waitpid, child, 0)
        self.addCleanup(os.close, self.terminal)
        os.write(self.terminal, f"source {start}\n".encode())
        self.wait_for(self.paths["ready"])

    def wait_for(self, path):
        end = time.monotonic() + 60
        while not os.path.exists(path):
            self.assertLess(time.monotonic(), end, "zsh does not answer")
            if select.select([self.terminal], [], [], 0.02)[0]:
                os.read(self.terminal, 65536)

    def complete_all(self, lines):
        return [self.complete(line) for line in lines]

    def complete(self, line):
        for name in ("found", "done"):
            for path in (self.paths[name], self.paths[name] + ".yes"):
                if os.path.exists(path):
                    os.remove(path)
        os.write(self.terminal, f"onefold {line}\x14".encode())
        self.wait_for(self.paths["done"] + ".yes")
        if not os.path.exists(self.paths["found"]):
            return []
        with open(self.paths["found"], encoding="utf-8") as lines:
            return [word.rstrip("=") for word in lines.read().split("\n") if word]

    def test_completion(self):
        self.check()


if __name__ == "__main__":
    unittest.main()
