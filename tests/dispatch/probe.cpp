// Reduces once, as its arguments say, and prints who ran or the error: the tests start it with another environment.
//
//   onefold_probe [backend=B] [accuracy=A] [isa=I] [threads=T] [n=N] [together=K] [short=files|memory] [traps=1]
//   [last=1] [environment=no|resolved]
//
// together: K threads start at once, as the first users of the library in this process. short: once before, the system
// has no descriptors or memory left; that report comes first, in brackets. traps: every floating-point exception traps.
// last: reduces once more when the process ends, after the destructors of libraries that were loaded meanwhile.
// environment: the options leave it out of account, or are what with_environment makes of them.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

struct arguments {
  onefold::options how;
  std::size_t n = 1 << 20;
  int together = 1;
  std::string shortage;
  bool traps = false, last = false, resolved = false;
};

/// While it lives a resource is used up.
class used_up {
 public:
  explicit used_up(const std::string& what) : which_(what == "files" ? RLIMIT_NOFILE : RLIMIT_AS) {
    getrlimit(which_, &before_);
    rlimit none = before_;
    if (which_ == RLIMIT_NOFILE) {
      const int next = dup(0);
      close(next);
      none.rlim_cur = static_cast<rlim_t>(next);
    } else {
      rlim_t pages = 0;
      std::ifstream("/proc/self/statm") >> pages;
      none.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    }
    setrlimit(which_, &none);
  }
  ~used_up() { setrlimit(which_, &before_); }
  used_up(const used_up&) = delete;
  used_up& operator=(const used_up&) = delete;

 private:
  __rlimit_resource which_;
  rlimit before_{};
};

/// While it lives, every floating-point exception of this thread is a signal.
class trapping {
 public:
  explicit trapping(bool wanted) {
    if (wanted) feenableexcept(FE_ALL_EXCEPT);
  }
  ~trapping() { fedisableexcept(FE_ALL_EXCEPT); }
  trapping(const trapping&) = delete;
  trapping& operator=(const trapping&) = delete;
};

arguments parse(int argc, char** argv) {
  arguments given;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i], name = word.substr(0, word.find('=')), value = word.substr(name.size() + 1);
    if (name == "backend") given.how.backend = onefold::backend_named(value);
    if (name == "accuracy") given.how.accuracy = onefold::accuracy_named(value);
    if (name == "isa") given.how.isa = onefold::isa_named(value);
    if (name == "threads") given.how.threads = std::stoi(value);
    if (name == "n") given.n = std::stoul(value);
    if (name == "together") given.together = std::stoi(value);
    if (name == "short") given.shortage = value;
    if (name == "traps") given.traps = true;
    if (name == "last") given.last = true;
    if (name == "environment") given.how.environment = value != "no";
    if (name == "environment") given.resolved = value == "resolved";
  }
  return given;
}

std::string reduce(const arguments& given, const std::vector<float>& data) try {
  onefold::reported<float> r{};
  std::string ran;
  {
    const trapping all(given.traps);
    onefold::backends();
    r = onefold::reduce_reported<float, onefold::op::sum>(
        data, given.resolved ? onefold::with_environment(given.how) : given.how);
    ran = r.ran.text();
  }
  return "value " + std::to_string(r.value) + "\n" + ran;
} catch (const std::bad_alloc&) {
  return "error: no memory\n";
} catch (const onefold::error& e) {
  std::ostringstream text;
  text << "error " << e.code() << ": " << e.what() << "\n";
  return text.str();
}

/// What is left to do when the process ends.
struct last_words {
  std::optional<arguments> given;
  std::optional<onefold::plan<float, onefold::op::sum>> kept;
  ~last_words() {
    if (!given) return;
    const std::vector<float> data(given->n, 0.5f);
    std::cout << "at last " << (*kept)(data) << ' ' << onefold::sum(data, given->how) << std::endl;
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_NUMERIC, "");  // as programs with a user interface do
  const arguments given = parse(argc, argv);
  const std::vector<float> data(given.n, 0.5f);
  static last_words last;
  if (!given.shortage.empty()) {
    std::string text;
    {
      const used_up nothing_left(given.shortage);
      text = reduce(given, data);
    }
    std::cout << "[" << text << "]\n";
  }
  std::vector<std::string> texts(static_cast<std::size_t>(given.together));
  {
    std::vector<std::jthread> threads;
    for (std::string& text : texts) threads.emplace_back([&] { text = reduce(given, data); });
  }
  for (const std::string& text : texts)
    if (text != texts[0]) std::cout << "the threads differ: " << text;
  std::cout << texts[0];
  if (given.last) {
    last.kept.emplace(static_cast<std::int64_t>(given.n), given.how);
    last.given = given;
  }
  // Whatever happened, the library can be used.
  const std::vector<int> few{1, 2, 3};
  std::cout << "afterwards "
            << onefold::sum(few, {.backend = onefold::backend::sequential, .threads = 1, .isa = onefold::isas()[0]})
            << "\n";
}
