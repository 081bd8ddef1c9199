// ONEFOLD_BACKEND, ONEFOLD_NUM_THREADS and ONEFOLD_ISA: who wins, and what a wrong value says.
#include "dispatch/process.hpp"
#include "onefold/onefold.hpp"
#include "support/catch.hpp"

namespace {

using dispatch::process_result;
using strings = std::vector<std::string>;

process_result probe(const strings& environment, const strings& arguments = {}) {
  const process_result r = dispatch::run(dispatch::setting("PROBE"), environment, arguments);
  UNSCOPED_INFO(r.text);
  CHECK(r.status == 0);
  CHECK(r.says("afterwards 6\n"));
  return r;
}

std::vector<std::string> parallel_backends() {
  strings names;
  for (const auto& b : onefold::backends())
    if (b.available && b.backend != onefold::backend::sequential) names.push_back(onefold::name_of(b.backend));
  return names;
}

}  // namespace

TEST_CASE("ONEFOLD_BACKEND chooses where the caller does not") {
  for (const auto& name : parallel_backends())
    CHECK(probe({"ONEFOLD_BACKEND=" + name}).says("backend " + name + ": requested by ONEFOLD_BACKEND\n"));
  CHECK(probe({"ONEFOLD_BACKEND=sequential"}).says("backend sequential: requested by ONEFOLD_BACKEND\n"));
  CHECK(probe({"ONEFOLD_BACKEND=SeQ"}).says("backend sequential: requested by ONEFOLD_BACKEND\n"));
}

TEST_CASE("the call's option comes before ONEFOLD_BACKEND") {
  CHECK(probe({"ONEFOLD_BACKEND=cuda"}, {"backend=seq"}).says("backend sequential: requested by the caller\n"));
  for (const auto& name : parallel_backends())
    CHECK(probe({"ONEFOLD_BACKEND=sequential"}, {"backend=" + name})
              .says("backend " + name + ": requested by the caller\n"));
}

TEST_CASE("ONEFOLD_BACKEND is obeyed or an error, never replaced") {
  const auto r = probe({"ONEFOLD_BACKEND=gpu"});
  CHECK(r.says("error backend_unavailable: backend cuda cannot run: "));
  CHECK(r.says("the nearest choice is "));
}

TEST_CASE("a wrong name in ONEFOLD_BACKEND is an error with the nearest name") {
  CHECK(
      probe({"ONEFOLD_BACKEND=openmpp"})
          .says(
              "error invalid_argument: ONEFOLD_BACKEND: unknown backend \"openmpp\"; did you mean openmp? Choices: "));
  CHECK(probe({"ONEFOLD_BACKEND=sequentail"}).says("did you mean sequential?"));
  CHECK(probe({"ONEFOLD_BACKEND=none"}).says("ONEFOLD_BACKEND: unknown backend \"none\"; choices: automatic, "));
  CHECK(probe({"ONEFOLD_BACKEND=\n\xff" + std::string(100, 'x')})
            .says("ONEFOLD_BACKEND: unknown backend \"\\x0a\\xff" + std::string(38, 'x') + "...\"; choices: "));
}

TEST_CASE("ONEFOLD_BACKEND = auto, cpu or nothing leaves the choice") {
  for (const char* value : {"auto", "automatic", "AUTO", ""}) {
    const auto r = probe({std::string("ONEFOLD_BACKEND=") + value}, {"n=10"});
    CHECK(r.says("backend sequential: no other backend is faster or can run\n"));
    CHECK(r.says("not openmp: the input is too small"));
    CHECK(r.says("not tbb: the input is too small"));
  }
  CHECK(probe({"ONEFOLD_BACKEND=cpu"}).says("not cuda: a CPU backend was requested\n"));
}

TEST_CASE("the threads: the call, then ONEFOLD_NUM_THREADS, then the backend's own rule") {
  for (const auto& name : parallel_backends()) {
    CHECK(probe({"ONEFOLD_NUM_THREADS=2"}, {"backend=" + name}).says("\nthreads 2\n"));
    CHECK(probe({"ONEFOLD_NUM_THREADS=2"}, {"backend=" + name, "threads=1"}).says("\nthreads 1\n"));
    CHECK(probe({"ONEFOLD_NUM_THREADS="}, {"backend=" + name, "threads=2"}).says("\nthreads 2\n"));
    // No more threads than pages.
    CHECK(probe({"ONEFOLD_NUM_THREADS=2"}, {"backend=" + name, "n=5"}).says("\nthreads 1\n"));
  }
  CHECK(probe({"ONEFOLD_NUM_THREADS=2"}, {"backend=sequential"}).says("\nthreads 1\n"));
  CHECK(probe({"ONEFOLD_NUM_THREADS=1"}).says("not openmp: one thread was requested\n"));
}

TEST_CASE("OMP_THREAD_LIMIT is what OpenMP keeps to, however many threads are asked for") {
  for (const auto& name : parallel_backends()) {
    if (name != "openmp") continue;
    CHECK(probe({"OMP_THREAD_LIMIT=2"}, {"backend=openmp", "threads=8"}).says("\nthreads 2\n"));
    CHECK(probe({"OMP_THREAD_LIMIT=2", "OMP_NUM_THREADS=8"}, {"backend=openmp"}).says("\nthreads 2\n"));
    CHECK(probe({"OMP_THREAD_LIMIT=1"}, {"backend=openmp", "threads=8"}).says("\nthreads 1\n"));
  }
}

TEST_CASE("OMP_NUM_THREADS is OpenMP's own rule, and ONEFOLD_NUM_THREADS comes before it") {
  for (const auto& name : parallel_backends()) {
    if (name != "openmp") continue;
    CHECK(probe({"OMP_NUM_THREADS=3"}, {"backend=openmp"}).says("\nthreads 3\n"));
    CHECK(probe({"OMP_NUM_THREADS=3", "ONEFOLD_NUM_THREADS=2"}, {"backend=openmp"}).says("\nthreads 2\n"));
    CHECK(probe({"OMP_NUM_THREADS=1"}, {"backend=openmp"}).says("\nthreads 1\n"));
  }
}

TEST_CASE("a wrong ONEFOLD_NUM_THREADS is an error") {
  for (const char* value : {"0", "-1", "two", "2x", " 2", "1025", "99999999999999999999"})
    CHECK(probe({std::string("ONEFOLD_NUM_THREADS=") + value})
              .says(std::string(
                        "error invalid_argument: ONEFOLD_NUM_THREADS: expected an integer from 1 to 1024, found \"") +
                    value + "\"\n"));
  CHECK(probe({"ONEFOLD_NUM_THREADS=two"}, {"threads=1"}).says("value "));
}

TEST_CASE("ONEFOLD_ISA chooses the instruction set where the caller does not") {
  const auto levels = onefold::isas();
  for (const auto level : levels) {
    const std::string name = onefold::name_of(level);
    CHECK(probe({"ONEFOLD_ISA=" + name}).says("\ninstruction set " + name + "\n"));
    CHECK(probe({"ONEFOLD_ISA=nonsense"}, {"isa=" + name}).says("\ninstruction set " + name + "\n"));
  }
  const std::string highest = onefold::name_of(levels.back());
  for (const char* value : {"", "auto", "AUTOMATIC"})
    CHECK(probe({std::string("ONEFOLD_ISA=") + value}).says("\ninstruction set " + highest + "\n"));
}

TEST_CASE("a wrong ONEFOLD_ISA is an error") {
  CHECK(probe({"ONEFOLD_ISA=x86-64-v5"})
            .says("error invalid_argument: ONEFOLD_ISA: unknown instruction set \"x86-64-v5\"; did you mean x86-64-v"));
  const auto levels = onefold::isas();
  for (const auto level :
       {onefold::isa::baseline, onefold::isa::x86_64_v2, onefold::isa::x86_64_v3, onefold::isa::x86_64_v4}) {
    if (std::find(levels.begin(), levels.end(), level) != levels.end()) continue;
    const std::string name = onefold::name_of(level);
    CHECK(probe({"ONEFOLD_ISA=" + name}).says("error unsupported: ONEFOLD_ISA requests instruction set " + name));
    CHECK(probe({}, {"isa=" + name}).says("error unsupported: the caller requests instruction set " + name));
  }
}

TEST_CASE("options may leave the environment out of account") {
  const std::string highest = onefold::name_of(onefold::isas().back()),
                    lowest = onefold::name_of(onefold::isas().front());
  const auto r = probe({"ONEFOLD_BACKEND=nonsense", "ONEFOLD_ISA=nonsense", "ONEFOLD_NUM_THREADS=nonsense"},
                       {"environment=no", "n=10"});
  CHECK(r.says("backend sequential: no other backend is faster or can run\n"));
  CHECK(r.says("\ninstruction set " + highest + "\n"));
  CHECK(probe({"ONEFOLD_ISA=" + lowest}, {"environment=no"}).says("\ninstruction set " + highest + "\n"));
  for (const auto& name : parallel_backends()) {
    CHECK(probe({"ONEFOLD_NUM_THREADS=1"}, {"environment=no", "backend=" + name, "threads=2"}).says("\nthreads 2\n"));
    CHECK_FALSE(probe({"ONEFOLD_BACKEND=" + name}, {"environment=no", "n=10"}).says("backend " + name + ": "));
  }
}

TEST_CASE("with_environment makes the environment's choices the caller's") {
  const std::string lowest = onefold::name_of(onefold::isas().front());
  for (const auto& name : parallel_backends()) {
    const auto r =
        probe({"ONEFOLD_BACKEND=" + name, "ONEFOLD_ISA=" + lowest, "ONEFOLD_NUM_THREADS=2"}, {"environment=resolved"});
    CHECK(r.says("backend " + name + ": requested by the caller\n"));
    CHECK(r.says("\nthreads 2\n"));
    CHECK(r.says("\ninstruction set " + lowest + "\n"));
  }
  CHECK(probe({"ONEFOLD_BACKEND=openmp", "ONEFOLD_ISA=nonsense"},
              {"environment=resolved", "backend=sequential", "isa=" + lowest})
            .says("backend sequential: requested by the caller\n"));
  CHECK(probe({"ONEFOLD_BACKEND=nonsense"}, {"environment=resolved"})
            .says("error invalid_argument: ONEFOLD_BACKEND: unknown backend \"nonsense\""));
  CHECK(
      probe({"ONEFOLD_NUM_THREADS=0"}, {"environment=resolved"}).says("error invalid_argument: ONEFOLD_NUM_THREADS: "));
  CHECK(probe({"ONEFOLD_ISA=nonsense"}, {"environment=resolved"}).says("error invalid_argument: ONEFOLD_ISA: "));
}

TEST_CASE("the first users of the library may be many threads at once") {
  for (const char* backend : {"auto", "openmp", "tbb", "threads", "sequential"}) {
    const auto r = probe({}, {"together=8", std::string("backend=") + backend, "threads=2"});
    CHECK_FALSE(r.says("the threads differ"));
  }
}

TEST_CASE("the first use of the library may be under traps of the caller") {
  for (const char* backend : {"auto", "openmp", "tbb", "threads", "sequential"})
    for (const char* n : {"10", "1048576"})
      CHECK(
          probe({}, {std::string("backend=") + backend, "threads=2", "traps=1", std::string("n=") + n}).says("value "));
  CHECK(probe({"ONEFOLD_PROFILE=/nowhere"}, {"traps=1"}).says("figures: built in: /nowhere is not used"));
}

TEST_CASE("the last use of the library may be in a destructor at the end of the process") {
  for (const char* backend : {"auto", "openmp", "tbb", "threads", "sequential"})
    CHECK(probe({}, {std::string("backend=") + backend, "threads=2", "last=1"}).says("at last 524288 524288\n"));
}
