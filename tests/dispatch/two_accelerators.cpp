// Two accelerators in one process: each array is reduced by the one that owns its memory. A program of its own that
// contains the library's sources, built over the list of backends in two/: cuda, other, sequential.
//
//   onefold_two_accelerators <case>
//
// Both accelerators are the stand-in for CUDA. cuda takes what begins at a border of 4 KiB for its device memory, other
// what begins in the middle between two, and their drivers are empty libraries of the drivers' names.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dispatch/process.hpp"
#include "onefold/onefold.hpp"

namespace {

using onefold::backend;
using onefold::error_code;
using onefold::op::sum;

int failed = 0;

void check(bool good, const std::string& what) {
  std::printf("%s: %s\n", good ? "ok" : "FAILED", what.c_str());
  failed += !good;
}

/// The error that a call throws, or nothing.
template <class Call>
std::optional<onefold::error> error_of(Call call) {
  try {
    call();
    return std::nullopt;
  } catch (const onefold::error& e) {
    return e;
  }
}

template <class Call>
void check_refused(error_code code, const std::string& words, const std::string& what, Call call) {
  const std::optional<onefold::error> e = error_of(call);
  check(e && e->code() == code && std::string(e->what()).find(words) != std::string::npos,
        what + (e ? std::string(": ") + e->what() : " was not refused"));
}

/// Numbers in memory of a backend: 8 bytes after a border of 4 KiB, in the middle between two such places, or
/// elsewhere.
template <class T>
class numbers {
 public:
  numbers(backend owner, std::vector<T> values)
      : memory_(static_cast<char*>(std::aligned_alloc(4096, 4096))), size_(values.size()) {
    const std::size_t offset = owner == backend::cuda ? 8 : owner == backend::other ? 2056 : 256;
    data_ = reinterpret_cast<T*>(memory_.get() + offset);
    std::ranges::copy(values, data_);
  }
  T* data() const { return data_; }
  std::span<T> all() const { return {data_, size_}; }
  bool are(std::vector<T> expected) const { return std::ranges::equal(all(), expected); }

 private:
  struct freed {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char, freed> memory_;
  T* data_;
  std::size_t size_;
};

using floats = numbers<float>;

void load(const char* driver) { check(dlopen(dispatch::setting(driver).c_str(), RTLD_NOW) != nullptr, driver); }

void load_drivers() {
  load("DRIVER");
  load("DRIVER_OTHER");
}

/// Which backend a single call runs on, whose result is right.
backend runs_on(const floats& data, const onefold::options& how = {}) {
  const auto r = onefold::reduce_reported<float, sum>(data.all(), how);
  float expected = 0;
  for (const float x : data.all()) expected += x;
  check(r.value == expected, "the result is right");
  return r.ran.backend;
}

bool is_loaded(const char* module) {
  std::ifstream file("/proc/self/maps");
  return std::string(std::istreambuf_iterator<char>(file), {}).find(module) != std::string::npos;
}

constexpr std::array accelerators{backend::cuda, backend::other};
backend other_than(backend b) { return b == backend::cuda ? backend::other : backend::cuda; }
std::string named(backend b, const std::string& what) { return std::string(onefold::name_of(b)) + ": " + what; }

const std::vector<float> ones(12, 1.0f);

void list() {
  const std::vector<onefold::backend_info> all = onefold::backends();
  check(all.size() == 3 && all[0].backend == backend::cuda && all[1].backend == backend::other &&
            all[2].backend == backend::sequential,
        "there are cuda, other and sequential");
  check(std::ranges::all_of(all, [](const onefold::backend_info& b) { return b.available; }), "all can run");
}

// A driver that comes later is seen, too.
void one_driver() {
  const floats of_cuda(backend::cuda, ones), of_other(backend::other, ones);
  load("DRIVER_OTHER");
  check(runs_on(of_other) == backend::other, "the data of other is reduced there");
  check(runs_on(of_cuda) == backend::sequential, "without a driver no memory is cuda's");
  check(!is_loaded("libonefold_cuda.so"), "cuda is not loaded for it");
  load("DRIVER");
  check(runs_on(of_cuda) == backend::cuda, "now the data of cuda is reduced there");
  check(runs_on(of_other) == backend::other, "and that of other where it was");
}

void owners() {
  load_drivers();
  const floats host(backend::sequential, ones);
  check(runs_on(host) == backend::sequential, "host memory is reduced on the CPU");
  for (const backend b : accelerators) {
    const floats data(b, ones);
    check(runs_on(data) == b, named(b, "owns its data"));
    check_refused(error_code::invalid_argument, std::string("use backend ") + onefold::name_of(b) + " or automatic",
                  named(b, "is named to who asks for the CPU"),
                  [&] { onefold::sum(data.all(), {.backend = backend::sequential}); });
  }
  const auto report = onefold::reduce_reported<float, sum>(host.all()).ran;
  check(report.declined.size() == 2 && report.declined[0].backend == backend::cuda &&
            report.declined[1].backend == backend::other &&
            report.declined[1].why == "another accelerator is preferred",
        "the report says why neither accelerator reads host memory");
}

/// Whether plans follow the data: `run(data)` runs one, and its report names what ran.
template <class Plan, class Run>
void check_plan(const char* name, const Plan& plan, Run run) {
  for (const backend b :
       {backend::sequential, backend::cuda, backend::other, backend::cuda, backend::other, backend::sequential}) {
    const floats data(b, ones);
    check(run(data), named(b, name) + " has the right result");
    check(plan.report().backend == b, named(b, name) + " runs where the data is");
  }
}

void plans() {
  load_drivers();
  const floats room(backend::sequential, std::vector<float>(12));
  const std::span<float> out = room.all();
  onefold::plan<float, sum> array(12);
  check_plan("plan", array, [&](const floats& data) { return array(data.all()) == 12; });
  const onefold::array_view<float> like(nullptr, {3, 4});
  onefold::shaped_plan<float, sum> shaped(like, {.axes = {1}});
  check_plan("shaped_plan", shaped, [&](const floats& data) {
    shaped(data.data(), out.first(3));
    return out[0] == 4 && out[1] == 4 && out[2] == 4;
  });
  const numbers<std::int32_t> offsets(backend::sequential, {0, 2, 12});
  onefold::segmented_plan<float, sum> segmented(2, 12);
  check_plan("segmented_plan", segmented, [&](const floats& data) {
    segmented(onefold::segments(data.all(), offsets.all()), out.first(2));
    return out[0] == 2 && out[1] == 10;
  });
  const numbers<std::int32_t> keys(backend::sequential, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 2, 2});
  onefold::keyed_plan<float, sum, std::int32_t> keyed(12);
  check_plan("keyed_plan", keyed, [&](const floats& data) {
    const numbers<std::int32_t> found(backend::sequential, {0, 0});
    return keyed(onefold::by_key(data.all(), keys.all()), found.all(), out.first(2)) == 2 && out[0] == 5 && out[1] == 7;
  });
  onefold::scan_plan<float, sum> scan(12);
  check_plan("scan_plan", scan, [&](const floats& data) {
    scan(data.data(), out.data());
    return out[0] == 1 && out[11] == 12;
  });
  onefold::row_plan<float> rows(onefold::row_operation::normalize_l1, like);
  check_plan("row_plan", rows, [&](const floats& data) {
    rows(data.data(), out.data());
    return std::ranges::all_of(out, [](float x) { return x == 0.25f; });
  });
}

void forced() {
  load_drivers();
  const onefold::array_view<float> like(nullptr, {3, 4});
  for (const backend b : accelerators) {
    const onefold::options how{.backend = b};
    const floats own(b, ones), foreign(other_than(b), ones), host(backend::sequential, ones);
    check(runs_on(own, how) == b && runs_on(host, how) == b, named(b, "reads its own memory and the host's"));
    onefold::plan<float, sum> array(12, how);
    onefold::shaped_plan<float, sum> shaped(like, {.axes = {1}}, how);
    onefold::row_plan<float> rows(onefold::row_operation::softmax, like, -1, {}, how);
    onefold::scan_plan<float, sum> scan(12, onefold::scan_kind::inclusive, how);
    const floats out(backend::sequential, std::vector<float>(12, -1));
    const auto refused = [&](const std::string& what, const std::function<void()>& call) {
      check_refused(error_code::invalid_argument,
                    std::string("the data is in device memory, which backend ") + onefold::name_of(b) +
                        " cannot read; use backend " + onefold::name_of(other_than(b)) + " or automatic",
                    named(b, what), call);
    };
    refused("sum", [&] { onefold::sum(foreign.all(), how); });
    refused("sum over an axis", [&] {
      onefold::reduce<float, sum>(onefold::array_view<float>(foreign.data(), {3, 4}), {.axes = {1}}, out.all().first(3),
                                  how);
    });
    refused("plan", [&] { array(foreign.all()); });
    refused("plan on a stream", [&] { array.enqueue(foreign.data(), 12, own.data(), nullptr); });
    refused("shaped_plan", [&] { shaped(foreign.data(), out.all().first(3)); });
    refused("shaped_plan on a stream", [&] { shaped.enqueue(foreign.data(), own.all().first(3), nullptr); });
    refused("row_plan", [&] { rows(foreign.data(), out.data()); });
    refused("scan_plan", [&] { scan(foreign.data(), out.data()); });
    check(out.are(std::vector<float>(12, -1)) && own.are(ones), named(b, "nothing was written"));
    check(array(own.all()) == 12, named(b, "the plan can be used afterwards"));
  }
}

void streams() {
  load_drivers();
  onefold::plan<float, sum> array(12);
  onefold::scan_plan<float, sum> scan(12);
  for (const backend b : {backend::other, backend::cuda, backend::other}) {
    const floats data(b, ones), results(b, std::vector<float>(12, -1)),
        foreign(other_than(b), std::vector<float>(12, -1));
    array.enqueue(data.data(), 12, results.data(), nullptr);
    check(results.data()[0] == 12 && array.report().backend == b, named(b, "enqueues a sum of its data"));
    scan.enqueue(data.data(), results.data(), nullptr);
    check(results.data()[11] == 12 && scan.report().backend == b, named(b, "enqueues a scan of its data"));
    const auto refused = [&](const std::string& what, const std::function<void()>& call) {
      check_refused(error_code::invalid_argument,
                    std::string("in device memory, which backend ") + onefold::name_of(b) + " cannot", named(b, what),
                    call);
    };
    refused("a result elsewhere", [&] { array.enqueue(data.data(), 12, foreign.data(), nullptr); });
    refused("results elsewhere", [&] { scan.enqueue(data.data(), foreign.data(), nullptr); });
    const numbers<std::int64_t> n(other_than(b), {12});
    refused("a number of elements elsewhere", [&] { array.enqueue(data.data(), n.data(), results.data(), nullptr); });
    check(foreign.are(std::vector<float>(12, -1)), named(b, "nothing was written"));
  }
}

/// Where cuda cannot run, for the reason that has these words, other serves.
void check_without_cuda(const std::string& words) {
  load_drivers();
  const std::vector<onefold::backend_info> all = onefold::backends();
  check(!all[0].available && all[0].detail.find(words) != std::string::npos, "cuda's reason: " + all[0].detail);
  const floats of_cuda(backend::cuda, ones), of_other(backend::other, ones), host(backend::sequential, ones);
  check(all[1].available && runs_on(of_other) == backend::other, "other serves");
  check(runs_on(of_cuda) == backend::sequential, "no memory is cuda's");
  check(runs_on(host, {.backend = backend::other}) == backend::other, "other can be requested");
  check_refused(error_code::backend_unavailable, words, "cuda cannot",
                [&] { onefold::sum(host.all(), {.backend = backend::cuda}); });
  onefold::plan<float, sum> array(12);
  const floats result(backend::other, {-1});
  array.enqueue(of_other.data(), 12, result.data(), nullptr);
  check(result.data()[0] == 12 && array.report().backend == backend::other, "other enqueues");
}

void absent() { check_without_cuda("libonefold_cuda.so not found"); }

void declining() {
  check_without_cuda("the stand-in declines");
  const floats host(backend::sequential, ones);
  const auto report = onefold::reduce_reported<float, sum>(host.all()).ran;
  check(report.declined.size() == 2 && report.declined[0].why == "the stand-in declines",
        "the report has cuda's reason beside that of other");
}

void refusals() {
  load_drivers();
  for (const backend b : accelerators) {
    const backend elsewhere = other_than(b);
    const floats data(b, ones), foreign(elsewhere, std::vector<float>(12, -1)), own(b, std::vector<float>(12, -1));
    const std::vector<std::int32_t> sevens(12, 7), ends{0, 5, 12};
    const numbers<std::int32_t> keys(backend::sequential, sevens), offsets(backend::sequential, ends),
        foreign_keys(elsewhere, sevens), foreign_offsets(elsewhere, ends), found(b, {-1}),
        foreign_found(elsewhere, {-1});
    const numbers<std::uint8_t> mask(backend::sequential, std::vector<std::uint8_t>(12, 1)),
        foreign_mask(elsewhere, std::vector<std::uint8_t>(12, 1));
    const onefold::array_view<float> view(data.data(), {3, 4});
    const onefold::array_view<std::uint8_t> mask_view(mask.data(), {3, 4});
    const std::span<float> out = own.all().first(3), to = foreign.all().first(3);
    for (const onefold::options& how : {onefold::options{}, onefold::options{.backend = b}}) {
      const std::string reach = std::string("in device memory, which backend ") + onefold::name_of(b) + " cannot ";
      const auto refused = [&](const std::string& what, const std::string& words, const std::function<void()>& call,
                               error_code code = error_code::invalid_argument) {
        check_refused(code, words, named(b, what), call);
      };
      refused("results over an axis", "the results are " + reach + "write",
              [&] { onefold::reduce<float, sum>(view, {.axes = {1}}, to, how); });
      refused("results of segments", "the results are " + reach + "write",
              [&] { onefold::reduce<float, sum>(onefold::segments(data.all(), offsets.all()), to.first(2), how); });
      refused("results of selected elements", "the results are " + reach + "write",
              [&] { onefold::reduce<float, sum>(onefold::where(view, mask_view), {.axes = {1}}, to, how); });
      refused("results of groups", "the results are " + reach + "write", [&] {
        onefold::reduce<float, sum>(onefold::by_key(data.all(), keys.all()), found.all(), to.first(1), how);
      });
      refused("results of a scan", "the results are " + reach + "write",
              [&] { onefold::inclusive_scan<float, sum>(data.all(), foreign.all(), how); });
      refused("results of rows", "the results are " + reach + "write", [&] {
        onefold::row_plan<float>(onefold::row_operation::softmax, view, -1, {}, how)(data.data(), foreign.data());
      });
      refused("a weight", "the weight is " + reach + "read", [&] {
        const onefold::row_parameters<float> with{.weight = foreign.all().first(4)};
        onefold::row_plan<float>(onefold::row_operation::rms_norm, view, -1, with, how)(data.data(), own.data(), with);
      });
      refused("a mask",
              std::string("the mask is in device memory, and the data is reduced by backend ") + onefold::name_of(b),
              [&] { onefold::sum(onefold::where(data.all(), foreign_mask.all()), how); });
      refused(
          "offsets", "the offsets are " + reach + "read; copy them to host memory",
          [&] { onefold::reduce<float, sum>(onefold::segments(data.all(), foreign_offsets.all()), out.first(2), how); },
          error_code::unsupported);
      refused("the groups' keys", "the groups' keys are " + reach + "write", [&] {
        onefold::reduce<float, sum>(onefold::by_key(data.all(), keys.all()), foreign_found.all(), out.first(1), how);
      });
      // Without a request the keys say which backend groups.
      refused("keys",
              how.backend == b ? "the keys are " + reach + "read"
                               : std::string("the data is in device memory, which backend ") +
                                     onefold::name_of(elsewhere) + " cannot read",
              [&] {
                onefold::reduce<float, sum>(onefold::by_key(data.all(), foreign_keys.all()), found.all(), out.first(1),
                                            how);
              });
    }
    check(own.are(std::vector<float>(12, -1)) && foreign.are(std::vector<float>(12, -1)) && found.are({-1}) &&
              foreign_found.are({-1}),
          named(b, "nothing was written"));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*run)();
  } cases[] = {{"list", list},     {"one_driver", one_driver}, {"owners", owners},
               {"plans", plans},   {"forced", forced},         {"streams", streams},
               {"absent", absent}, {"declining", declining},   {"refusals", refusals}};
  const std::string asked = argc > 1 ? argv[1] : "";
  for (const auto& c : cases)
    if (c.name == asked) {
      c.run();
      return failed == 0 ? 0 : 1;
    }
  std::printf("unknown case \"%s\"\n", asked.c_str());
  return 2;
}
