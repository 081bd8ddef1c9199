// Kernels of operations as text: NVRTC compiles them for a stand-in for CUDA, which runs the CPU's fold. The probe's
// processes have environments of their own.
#include <filesystem>
#include <string>

#include "dispatch/source_scratch.hpp"
#include "support/backend.hpp"
#include "support/errors.hpp"
#include "support/source_runs.hpp"

using namespace dispatch;

namespace {

const strings on_gpu{"PROBE_BACKEND=cuda", "ONEFOLD_BACKEND_PATH=" + setting("ONEFOLD_BACKEND_PATH")};

/// Whether there is NVRTC here; else the test is skipped.
bool has_nvrtc() {
  static const bool has = [] {
    const process_result r = scratch().probe(on_gpu);
    if (!r.says("NVRTC, which compiles operations as text for GPUs, was not found")) return true;
    support::skip(r.text);
    return false;
  }();
  return has;
}

strings with(strings more) {
  more.insert(more.end(), on_gpu.begin(), on_gpu.end());
  return more;
}

/// The file with kernels in the cache.
fs::path kernels_in(const scratch& here) {
  fs::path found;
  for (const fs::path& one : here.objects())
    if (one.extension() == ".kernels") found = one;
  REQUIRE(!found.empty());
  return found;
}

}  // namespace

TEST_CASE("kernels are compiled once, beside the object for the CPU") {
  if (!has_nvrtc()) return;
  const scratch here;
  CHECK(here.probe(on_gpu).says("36 by cuda"));
  CHECK(here.objects().size() == 2);
  const auto when = fs::last_write_time(kernels_in(here));
  CHECK(here.probe(on_gpu).says("36 by cuda"));
  CHECK(here.compilations() == 1);
  CHECK(fs::last_write_time(kernels_in(here)) == when);
  CHECK(here.objects().size() == 2);
}

TEST_CASE("damaged kernels are compiled again") {
  if (!has_nvrtc()) return;
  const scratch here;
  CHECK(here.probe(on_gpu).says("36 by cuda"));
  const std::string whole = content_of(kernels_in(here));
  REQUIRE(whole.size() > 1000);
  std::string changed = whole;
  changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 4);
  for (const std::string& content : {std::string(), whole.substr(0, whole.size() - 1), whole + "x", changed}) {
    write(kernels_in(here), content);
    CHECK(here.probe(on_gpu).says("36 by cuda"));
    CHECK(content_of(kernels_in(here)) == whole);
  }
}

TEST_CASE("without a cache nothing is left") {
  if (!has_nvrtc()) return;
  const scratch here;
  CHECK(here.probe(with({"ONEFOLD_CACHE=none"})).says("36 by cuda"));
  CHECK(here.objects().empty());
}

TEST_CASE("what NVRTC rejects is an error with the text's line") {
  if (!has_nvrtc()) return;
  const scratch here;
  const process_result packed = here.probe(on_gpu, {"packed"});
  CHECK(packed.says("error invalid_argument: operation cubes cannot be compiled by NVRTC:\n"));
  CHECK(packed.says("as text on a GPU, the state of an operation is a plain type, not a template"));
  const process_result hosted = here.probe(on_gpu, {"hosted"});
  CHECK(hosted.says("error invalid_argument: operation cubes cannot be compiled by NVRTC:\n"));
  CHECK(hosted.says("cubes(2): "));
  CHECK(hosted.says("cannot open source file \"string\""));
}

TEST_CASE("what both compilers reject is the C++ compiler's error") {
  const scratch here;
  const process_result r = here.probe(on_gpu, {"broken"});
  CHECK(
      r.says("error invalid_argument: operation cubes cannot be compiled by " + (here.folder() / "counting").string()));
  CHECK(r.says("cubes:6:"));
}

TEST_CASE("an NVRTC that is missing is an error that says where it was looked for") {
  const scratch here;
  CHECK(
      here.probe(with({"ONEFOLD_NVRTC=nonesuch"}))
          .says(
              "error backend_unavailable: backend cuda cannot run: ONEFOLD_NVRTC names \"nonesuch\", which is not the "
              "absolute path, or the name, of NVRTC 12.3 or newer"));
  CHECK(here.probe(with({"ONEFOLD_NVRTC=libc.so.6"})).says("ONEFOLD_NVRTC names \"libc.so.6\", which is not"));
}

TEST_CASE("shapes, segments, keys and selected elements have kernels") {
  if (!has_nvrtc()) return;
  support::check_source_plans({.backend = onefold::backend::cuda}, {.backend = onefold::backend::sequential});
}

TEST_CASE("the standard names that a text may use mean the same on both sides") {
  if (!has_nvrtc()) return;
  auto text = support::source_of("cubes", onefold::dtype::f32);
  text.text.insert(0, content_of(ONEFOLD_TEST_TEXT "/standard_names.hpp"));  // which asserts
  CHECK_NOTHROW(onefold::dynamic_plan(text, 9, {.backend = onefold::backend::cuda}));
}

TEST_CASE("a text for GPUs has no long double") {
  if (!has_nvrtc()) return;
  auto text = support::source_of("cubes", onefold::dtype::f32);
  const std::string sum = "float sum;";
  text.text.replace(text.text.find(sum), sum.size(), "long double sum;");
  support::check_error(onefold::error_code::invalid_argument, "'long double' is treated as 'double'",
                       [&] { onefold::dynamic_plan(text, 9, {.backend = onefold::backend::cuda}); });
}

TEST_CASE("a shape that is an array has an array's kernels, and one without a mask those of shapes") {
  if (!has_nvrtc()) return;
  const auto text = support::source_of("cubes", onefold::dtype::f32);
  const std::vector<float> x(12, 0.5f);
  const onefold::array_view<float> view(x.data(), {3, 4});
  const onefold::options there{.backend = onefold::backend::cuda}, here{.backend = onefold::backend::sequential};
  float result = 0;
  onefold::dynamic_shaped_plan(text, view.axes(), {.axes = {0, 1}}, there).run(x.data(), &result, 1);
  CHECK(result == onefold::reduce<float, mine::cubes>(x, here));
  const onefold::source_operation total{.name = "total", .element = onefold::dtype::i32, .text = R"(
    struct total {
      struct state { int sum; };
      static constexpr state identity() { return {}; }
      static constexpr state lift(int x) { return {x}; }
      static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
      static constexpr int finish(state s) { return s.sum; }
    };
  )"};
  const std::vector<std::int32_t> i{1, 2, 3, 4, 5, 6};
  const onefold::array_view<std::int32_t> rows(i.data(), {2, 3});
  std::int32_t sums[2];
  onefold::dynamic_selected_plan(total, rows.axes(), {onefold::mask_kind::not_nan, {}}, {.axes = {1}}, there)
      .run(i.data(), nullptr, sums, 2);
  CHECK(sums[0] == 6);
  CHECK(sums[1] == 15);
}

TEST_CASE("states that do not fit a thread have other kernels") {
  if (!has_nvrtc()) return;
  const onefold::source_operation wide{.name = "wide", .element = onefold::dtype::i32, .text = R"(
    struct wide {
      struct state { long sums[12]; };
      static constexpr state identity() { return {}; }
      static constexpr state lift(int x) { return {{x}}; }
      static constexpr state combine(state a, state b) { return {{a.sums[0] + b.sums[0]}}; }
      static constexpr long finish(state s) { return s.sums[0]; }
    };
  )"};
  const std::vector<std::int32_t> x{1, 2, 3, 4, 5, 6};
  onefold::dynamic_shaped_plan p(wide, onefold::array_view<std::int32_t>(x.data(), {2, 3}).axes(), {.axes = {1}},
                                 {.backend = onefold::backend::cuda});
  std::int64_t sums[2];
  p.run(x.data(), sums, 2);
  CHECK(sums[0] == 6);
  CHECK(sums[1] == 15);
}
