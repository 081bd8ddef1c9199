// What automatic dispatch rests on: profiles that are used or not, and the estimates that they lead to.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "dispatch/process.hpp"
#include "onefold/custom.hpp"
#include "onefold/keys.hpp"
#include "onefold/profile.hpp"
#include "onefold/version.hpp"
#include "support/catch.hpp"
#include "support/thread_recorder.hpp"

namespace {

using dispatch::process_result;
using onefold::backend;
using onefold::machine_profile;
using strings = std::vector<std::string>;

/// A folder that ends with the test.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "onefold-planner-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no scratch folder");
    path_ = name;
  }
  ~scratch_folder() { std::filesystem::remove_all(path_); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  std::string path() const { return path_; }
  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& content) const {
    const std::filesystem::path path = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
    return path.string();
  }

 private:
  std::string path_;
};

process_result probe(const strings& environment, const strings& arguments = {}) {
  const process_result r = dispatch::run(dispatch::setting("PROBE"), environment, arguments);
  UNSCOPED_INFO(r.text);
  CHECK(r.status == 0);
  return r;
}

bool runs(backend b) {
  return std::ranges::any_of(onefold::backends(),
                             [b](const auto& info) { return info.backend == b && info.available; });
}

void set_starts(machine_profile::team& t, double seconds) { t.two = t.all = {seconds, seconds}; }

/// The text with the first `from` as `to`.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The line with a figure, without what stands behind it.
std::string figure(const std::string& name, const std::string& value) { return "\"" + name + "\": " + value; }

}  // namespace

TEST_CASE("a profile decides who runs") {
  const scratch_folder folder;
  constexpr double free = 1e-12, dear = 100;
  const auto chosen = [&](double openmp, double tbb, double threads, const char* n) {
    machine_profile p = onefold::builtin_profile();
    set_starts(p.of(backend::openmp), openmp);
    set_starts(p.of(backend::tbb), tbb);
    set_starts(p.of(backend::threads), threads);
    const std::string path = folder.file("profile.json", onefold::to_json(p));
    const auto r = probe({"ONEFOLD_PROFILE=" + path}, {n});
    CHECK(r.says("figures: " + path + "\n"));
    CHECK(r.says("not cuda: the data is in host memory, and nothing in this process has started a GPU\n"));
    const std::string ran =
        r.text.substr(r.text.find("backend "), r.text.find("\ninstruction") - r.text.find("backend "));
    // Whoever is preferred to the one that ran has a reason; the others have none.
    CHECK(r.says("not tbb: its estimate is not better\n") == !ran.starts_with("backend tbb"));
    const bool alone = ran.starts_with("backend sequential");
    CHECK(r.says("not openmp: ") == (alone || ran.starts_with("backend threads")));
    CHECK(r.says("not threads: ") == alone);
    return ran;
  };
  const char* const least = "n=20480";  // five pages
  const char* const large = "n=4000000";
  CHECK(chosen(dear, dear, dear, large) == "backend sequential: no other backend is faster or can run");
  if (onefold::builtin_profile().processors < 2) return;
  for (const char* n : {least, large}) {
    if (runs(backend::openmp)) CHECK(chosen(free, dear, dear, n) == "backend openmp: it has the best estimate");
    if (runs(backend::tbb)) CHECK(chosen(dear, free, dear, n) == "backend tbb: it has the best estimate");
    if (runs(backend::threads)) CHECK(chosen(dear, dear, free, n) == "backend threads: it has the best estimate");
  }
}

TEST_CASE("a profile that cannot be used is not, and the report says why") {
  const scratch_folder folder;
  machine_profile fine = onefold::builtin_profile();
  fine.of(backend::openmp).two.hot = 1.5e-6;
  const std::string good = onefold::to_json(fine);
  const auto why_not = [&](const std::string& content) {
    const std::string path = folder.file("profile.json", content);
    const auto r = probe({"ONEFOLD_PROFILE=" + path});
    const std::string begin = "figures: built in: " + path + " is not used: ";
    const std::size_t at = r.text.find(begin);
    if (at == std::string::npos) return "it is used: " + r.text;
    return r.text.substr(at + begin.size(), r.text.find('\n', at) - at - begin.size());
  };
  for (const char* text : {"", "{", "[]", "{}", "profile", "7"}) CHECK(why_not(text) == "it is not a profile");
  CHECK(why_not(good.substr(0, good.size() / 2)) == "it is not a profile");
  CHECK(why_not(std::string(60000, '[')) == "it is not a profile");
  CHECK(why_not(good + std::string(64 << 10, ' ')) == "it has more than 65536 bytes");
  const std::string now = figure("onefold_profile", "3");
  for (const char* old : {"1", "2"})
    CHECK(why_not(changed(good, now, figure("onefold_profile", old))) ==
          "it is an old profile, version " + std::string(old) +
              " of the format; this library reads version 3; run onefold calibrate");
  for (const char* other : {"4", "null", "\"3\"", "-3", "[3]"})
    CHECK(why_not(changed(good, now, figure("onefold_profile", other))) ==
          "it is a profile of another version of the format; this library reads version 3; run onefold calibrate");
  CHECK(why_not(changed(good, "\"cpu\": \"", "\"cpu\": \"not ")).starts_with("it was measured on another machine: "));
  const int processors = onefold::builtin_profile().processors;
  CHECK(why_not(changed(good, figure("processors", std::to_string(processors)),
                        figure("processors", std::to_string(processors + 1))))
            .starts_with("it was measured on another machine: " + std::to_string(processors + 1) + " processors "));
  for (const char* value : {"0", "-1", "99999999999999999999", "1.5", "\"2\"", "null", "[2]"})
    CHECK(why_not(changed(good, figure("processors", std::to_string(processors)), figure("processors", value)))
              .starts_with("/processors is "));
  for (const char* value : {"0", "-1", "1e300", "null", "\"1\""})
    CHECK(why_not(changed(good, figure("two_hot", "1.5"), figure("two_hot", value)))
              .starts_with("/start_us/openmp/two_hot is "));
  CHECK(why_not(changed(good, "\"two_hot\"", "\"too_hot\"")) == "/start_us/openmp/two_hot is not a number");
  CHECK(why_not(changed(good, "\"start_us\"", "\"starts\"")) == "/start_us/openmp/two_hot is not a number");
  CHECK(why_not(changed(good, "\n}", ",\n\"device\": 3}")) == "/device/name is not a text");
}

TEST_CASE(
    "a profile that knows a backend in part is not used, and of one that it does not know the figures are built in") {
  const scratch_folder folder;
  const auto figures = [&](const std::string& text) {
    const std::string path = folder.file("profile.json", text);
    const auto r = probe({"ONEFOLD_PROFILE=" + path}, {"n=4000000", "threads=2"});
    return r.text.substr(r.text.find("figures: ") + 9,
                         r.text.find('\n', r.text.find("figures: ")) - r.text.find("figures: ") - 9);
  };
  const std::string path = folder.path() + "/profile.json", all = onefold::to_json(onefold::builtin_profile());
  const std::string partly = changed(all, "\"threads\"", "\"thread\"");  // what they read, which comes first
  CHECK(figures(all) == path);
  CHECK(figures(partly) == "built in: " + path + " is not used: /read_gb_per_s/threads/l2 is not a number");
  // As a library wrote it that had no such backend.
  CHECK(figures(changed(partly, "\"threads\"", "\"thread\"")) == path);
  if (onefold::builtin_profile().processors < 2) return;
  // Each backend has figures of its own, which come back: of starting two threads as many seconds as it has number.
  machine_profile p = onefold::builtin_profile();
  for (const auto& b : onefold::backends()) set_starts(p.of(b.backend), static_cast<int>(b.backend));
  const std::string own = folder.file("starts.json", onefold::to_json(p));
  const auto r = probe({"ONEFOLD_PROFILE=" + own}, {"n=4000000", "threads=2"});
  for (const backend b : {backend::openmp, backend::tbb, backend::threads})
    CHECK(r.says(std::string("estimate of ") + onefold::name_of(b) +
                 ", 2 threads: " + std::to_string(static_cast<int>(b)) + "e+06 us"));
}

TEST_CASE("what is no readable file is not waited for") {
  const scratch_folder folder;
  const auto figures = [&](const std::string& path) { return probe({"ONEFOLD_PROFILE=" + path}); };
  const std::string nothing = folder.path() + "/nothing", pipe = folder.path() + "/pipe";
  CHECK(figures(nothing).says("figures: built in: " + nothing + " is not used: No such file or directory\n"));
  CHECK(figures(folder.path()).says(folder.path() + " is not used: it is not a file\n"));
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(figures(pipe).says(pipe + " is not used: it is not a file\n"));
  CHECK(figures("/dev/zero").says("/dev/zero is not used: it is not a file\n"));
  if (geteuid() == 0) return;  // who may read everything
  const std::string locked = folder.file("locked", "{}");
  REQUIRE(chmod(locked.c_str(), 0) == 0);
  CHECK(figures(locked).says(locked + " is not used: Permission denied\n"));
}

TEST_CASE("the profile is looked for in the user's cache folder") {
  const scratch_folder folder;
  const std::string text = onefold::to_json(onefold::builtin_profile());
  const std::string cached = folder.file("cache/onefold/profile.json", text);
  const std::string at_home = folder.file("home/.cache/onefold/profile.json", text);
  const std::string home = "HOME=" + folder.path() + "/home", unset = "ONEFOLD_PROFILE=";
  CHECK(probe({unset, home, "XDG_CACHE_HOME=" + folder.path() + "/cache"}).says("figures: " + cached + "\n"));
  CHECK(probe({unset, home, "XDG_CACHE_HOME="}).says("figures: " + at_home + "\n"));
  CHECK(probe({unset, home, "XDG_CACHE_HOME=cache"}).says("figures: " + at_home + "\n"));  // not absolute
  CHECK(probe({unset, "HOME=" + folder.path(), "XDG_CACHE_HOME="})
            .says("figures: built in: this machine has no profile; run onefold calibrate\n"));
  CHECK(probe({unset, "HOME=", "XDG_CACHE_HOME="})
            .says("figures: built in: the environment names no folder for a profile\n"));
  CHECK(probe({"ONEFOLD_PROFILE=none", home}).says("figures: built in: ONEFOLD_PROFILE is none\n"));
}

TEST_CASE("a profile's age is said, and why it should be measured again") {
  const scratch_folder folder;
  const auto said = [&](const std::string& date, const std::string& version, bool disturbed = false) {
    machine_profile p = onefold::builtin_profile();
    p.measured = {date, version, 0.12, disturbed};
    const std::string path = folder.file("profile.json", onefold::to_json(p));
    const auto r = probe({"ONEFOLD_PROFILE=" + path});
    CHECK(r.says("figures: " + path + "\n"));
    return r.text;
  };
  const auto days_ago = [](int days) {
    const std::time_t then = std::time(nullptr) - days * 86400L;
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&then));
    return std::string(text);
  };
  const auto has = [](const std::string& text, const std::string& piece) {
    UNSCOPED_INFO(text);
    return text.find(piece) != std::string::npos;
  };
  const std::string this_one = ONEFOLD_VERSION, here = ", by onefold " + this_one + " at load 0.12\n";
  const std::string date = days_ago(3);
  CHECK(has(said(date, this_one), "\nmeasured " + date.substr(0, 10) + ", 3 days ago" + here));
  CHECK_FALSE(has(said(date, this_one), "warning"));
  CHECK(has(said(days_ago(0), this_one), ", today" + here));
  CHECK(has(said(days_ago(1), this_one), ", 1 day ago" + here));
  CHECK(has(said(days_ago(-9), this_one), ", by a clock that was ahead of this one" + here));
  CHECK(has(said(date, "0.0.9"), "\nwarning: onefold 0.0.9 measured the profile, and this is onefold " + this_one +
                                     "; run onefold calibrate again\n"));
  CHECK(has(said(date, this_one, true), "\nwarning: the machine was busy when its profile was measured; "));
  const std::string undated = said("", "");
  CHECK_FALSE((has(undated, "measured") || has(undated, "warning")));
}

TEST_CASE("a profile's age has a decimal point in any locale") {
  // Without a locale that has a comma, this is the test above.
  std::string with_comma = "C";
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "it_IT.UTF-8", "pt_BR.UTF-8", "ru_RU.UTF-8"})
    if (std::setlocale(LC_NUMERIC, name) && *std::localeconv()->decimal_point == ',') with_comma = name;
  std::setlocale(LC_NUMERIC, "C");
  if (with_comma == "C") WARN("no locale with a decimal comma is installed");

  const scratch_folder folder;
  machine_profile p = onefold::builtin_profile();
  p.measured = {"2026-11-22T10:51:19Z", ONEFOLD_VERSION, 0.12, false};
  const std::string path = folder.file("profile.json", onefold::to_json(p));
  CHECK(probe({"ONEFOLD_PROFILE=" + path, "LC_ALL=" + with_comma}).says(" at load 0.12\n"));
}

TEST_CASE("a date and a version that are not one make a profile useless") {
  const scratch_folder folder;
  const auto why_not = [&](const std::string& date, const std::string& version) {
    machine_profile p = onefold::builtin_profile();
    p.measured = {date, version, 0, false};
    const std::string path = folder.file("profile.json", onefold::to_json(p));
    const auto r = probe({"ONEFOLD_PROFILE=" + path});
    const std::string begin = path + " is not used: ";
    const std::size_t at = r.text.find(begin);
    REQUIRE(at != std::string::npos);
    return r.text.substr(at + begin.size(), r.text.find('\n', at) - at - begin.size());
  };
  const std::string date = "2026-11-22T10:51:19Z";
  for (const char* wrong : {"yesterday", "2026-11-22", "2026-13-22T10:51:19Z", "2026-11-22T10:51:19Zx", "\x1b[2J"})
    CHECK(why_not(wrong, "0.1.0") == "/measured/date is not a date");
  for (const char* wrong : {"", "1.0\x1b[2J", "1.0 or so", "1.0\n", "111111111122222222223333333333444"})
    CHECK(why_not(date, wrong) == "/measured/version is not a version");
}

TEST_CASE("a short reduction asks for no profile") {
  const auto r = probe({"ONEFOLD_PROFILE=/nothing"}, {"n=16384"});
  CHECK(r.says("not openmp: the input is too small to gain from threads\n"));
  CHECK_FALSE(r.says("figures"));
  CHECK_FALSE(r.says("estimate"));
  CHECK(probe({"ONEFOLD_PROFILE=/nothing"}, {"n=16385"}).says("figures: built in: /nothing is not used"));
}

TEST_CASE("estimates are data") {
  const std::vector<float> data(1 << 22, 0.5f);
  const auto r = onefold::reduce_reported<float, onefold::op::sum>(data);
  const auto& all = r.ran.estimates;
  const auto of = [&](backend b) { return std::ranges::find(all, b, &onefold::estimate::backend); };
  CHECK(r.ran.figures == onefold::profile().source);
  REQUIRE(of(backend::sequential) != all.end());
  CHECK(of(backend::sequential)->threads == 1);
  REQUIRE(of(r.ran.backend) != all.end());
  CHECK(of(r.ran.backend)->threads == r.ran.threads);
  for (const auto& e : all) {
    CHECK(e.seconds > 0);
    CHECK(e.after_pause >= e.seconds);
    CHECK(of(r.ran.backend)->seconds * 0.95 <= e.seconds);
    // Twice as many elements take longer, and a costlier operation does.
    const auto twice = onefold::plan<float, onefold::op::sum>(1 << 23).report();
    CHECK(std::ranges::find(twice.estimates, e.backend, &onefold::estimate::backend)->seconds > e.seconds);
    const auto costly = onefold::plan<float, onefold::op::variance>(1 << 22).report();
    CHECK(std::ranges::find(costly.estimates, e.backend, &onefold::estimate::backend)->seconds >= e.seconds);
  }
  CHECK(
      onefold::reduce_reported<float, onefold::op::sum>(data, {.backend = backend::sequential}).ran.estimates.empty());
  CHECK(onefold::reduce_reported<float, onefold::op::sum>(data, {.threads = 1}).ran.estimates.empty());
}

TEST_CASE("sums of squares cost less than variances, but for exact ones") {
  // Of bytes, which memory does not hold up.
  const auto alone = []<class Op>(Op, onefold::accuracy mode) {
    const auto r = onefold::plan<std::int8_t, Op>(1 << 22, {.accuracy = mode}).report();
    return std::ranges::find(r.estimates, backend::sequential, &onefold::estimate::backend)->seconds;
  };
  using onefold::accuracy;
  namespace op = onefold::op;
  for (const accuracy mode : {accuracy::native, accuracy::wide}) {
    CHECK(alone(op::sum_squares{}, mode) < 0.9 * alone(op::variance{}, mode));
    CHECK(alone(op::norm2{}, mode) == alone(op::sum_squares{}, mode));
  }
  CHECK(alone(op::sum_squares{}, accuracy::exact) == alone(op::variance{}, accuracy::exact));
}

TEST_CASE("estimates of segments and of groups by key") {
  const auto alone = [](const onefold::run_report& r) {
    REQUIRE(r.estimates.size() > 0);
    return std::ranges::find(r.estimates, backend::sequential, &onefold::estimate::backend)->seconds;
  };
  using onefold::op::sum;
  // 128 K segments took 0.6 ms (Xeon with AVX-512): each some 5 ns, and no memory is read for that.
  const double segments = alone(onefold::segmented_plan<float, sum>(1 << 17, 1 << 20).report());
  CHECK(segments > 0.5e-3);
  CHECK(segments < 1.0e-3);
  const double elements = alone(onefold::plan<float, sum>(1 << 20).report());
  const double groups = alone(onefold::keyed_plan<float, sum, std::int32_t>(1 << 20).report());
  CHECK(groups > elements);
  CHECK(groups <= 2.01 * elements);
  for (const std::int64_t n : {10'000, 20'000}) {
    const auto by_key = onefold::keyed_plan<float, sum, std::int32_t>(n).report();
    CHECK(by_key.backend == onefold::plan<float, sum>(n).report().backend);
    CHECK(by_key.threads == 1);
  }
}

TEST_CASE("a plan for much leaves little to the calling thread") {
  std::mutex lock;
  std::set<std::thread::id> seen;
  const std::vector<float> data(1 << 22, 0.5f);
  onefold::plan<float, support::thread_recorder> count(1 << 22, {}, support::thread_recorder{&lock, &seen});
  CHECK(count(data) == 1 << 22);
  for (int i = 0; i < 20; ++i) {
    seen.clear();
    CHECK(count(data.data(), 8192) == 8192);
    CHECK(seen == std::set{std::this_thread::get_id()});
  }
}

TEST_CASE("a profile's text says what it is") {
  machine_profile p = onefold::builtin_profile();
  p.device = {"a GPU", 1e-5, 3e-5, 4e12, 5e10, 8e9};
  const std::string text = onefold::to_json(p);
  CHECK(text.find("\"onefold_profile\": 3") != std::string::npos);
  CHECK(text.find("\"name\": \"a GPU\"") != std::string::npos);
  CHECK(text.find("\"transfer_us\": 30") != std::string::npos);
  const scratch_folder folder;
  const std::string path = folder.file("profile.json", text);
  CHECK(probe({"ONEFOLD_PROFILE=" + path}).says("figures: " + path + "\n"));
}
