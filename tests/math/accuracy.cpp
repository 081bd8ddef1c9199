// How accurate the elementary functions are: the largest error in ulps over all f32, or many f64, and their order.
//
// usage: math_accuracy [f32|f64|FUNCTION|POINTS]...
//
// POINTS of each function and type, default 2^20; of f32, 4294967296 are all. The exit code is 1 where an error exceeds
// what docs/math.md promises, a NaN is not the canonical one, or a result is on the wrong side of its neighbor's.
#include <atomic>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "functions.hpp"
#include "reference.hpp"

namespace {

constexpr int block = 4096;

/// The largest errors in ulps that docs/math.md names; of f64, where not all arguments were seen, a little more.
constexpr struct {
  const char* function;
  double f32, f64;
} promised[] = {{"exp", 0.92, 0.91},   {"log", 0.75, 0.77},
                {"exp2", 0.87, 0.88},  {"log2", 0.88, 0.88},
                {"expm1", 0.84, 0.85}, {"log1p", 0.88, 0.88},
                {"tanh", 0.74, 0.85},  {"sqrt", 0.5, 0.5},
                {"rsqrt", 0.51, 0.51}, {"exp_nonpositive", 0.996, 0.91}};

template <class T>
using bits_t = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Arguments in ascending order of their bits, equally far apart; the first is the last of the block before.
void fill(float* x, std::uint64_t b, std::uint64_t points, std::mt19937_64&, const std::string&) {
  for (std::uint64_t i = 0; i < block; ++i) {
    const double place = static_cast<double>(b * (block - 1) + i) * (0x1p32 / static_cast<double>(points));
    x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(std::min(place, 0x1p32 - 1)));
  }
}

/// Where expm1 and tanh of f64 take the next power of two: at (k + this) log(2) and half of it.
constexpr double log2_of_three_halves = 0.5849625007211562;

/// Places that are hard for a function, or where it changes its ways: thresholds and the borders of its reductions.
double place(const std::string& f, std::mt19937_64& random) {
  const auto pick = [&](std::initializer_list<double> all) { return all.begin()[random() % all.size()]; };
  const auto integer = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const bool first = random() % 2 != 0;
  if (f == "exp" || f == "exp_nonpositive")
    return first ? pick({0, 709.782712893384, -708.396418532264, -745.133219101941})
                 : (integer(-1075, 1024) + 0.5) * 0.6931471805599453;
  if (f == "expm1")
    return first ? pick({0, 709.782712893384, -36.7368005696771, -37.4299477502370, -0.2876820724517809,
                         0.4054651081081644})
                 : (integer(-55, 1023) + log2_of_three_halves) * 0.6931471805599453;
  if (f == "exp2") return first ? pick({0, 1024, -1022, -1075}) : integer(-1075, 1024) + 0.5;
  if (f == "tanh")
    return first ? pick({0, 18.7149738751185, 19.0615474653985, 0.14384103622589045})
                 : (integer(-55, -1) + log2_of_three_halves) * 0.34657359027997264;
  if (f == "log1p")
    return first ? pick({0, -1, -0.2928932188134524, 0.4142135623730951})
                 : std::ldexp(1.4142135623730951, integer(-53, 1023)) - 1;
  return first ? pick({1, 0x1p-1022, 0.7071067811865476, 1.4142135623730951})
               : std::ldexp(random() % 2 ? 1.0 : 1.4142135623730951, integer(-1073, 1023));
}

/// Runs of 64 arguments with equally distant bits, from starts that are spread over all exponents, over those near 1,
/// evenly over numbers below 2, and around hard places.
void fill(double* x, std::uint64_t, std::uint64_t, std::mt19937_64& random, const std::string& f) {
  for (int i = 0; i < block; i += 64) {
    std::uint64_t bits = random();
    const std::uint64_t kind = random() % 8;
    if (kind == 1 || kind == 2) {
      bits = (bits & 0x800fffffffffffff) | (1023 - 64 + random() % 76) << 52;
    } else if (kind == 3) {
      bits = std::bit_cast<std::uint64_t>(0x1p-62 * static_cast<double>(static_cast<std::int64_t>(bits)));
    } else if (kind > 3) {
      const double p = place(f, random), away = std::ldexp(1 + 0x1p-53 * static_cast<double>(random() >> 11),
                                                           -1 - static_cast<int>(random() % 54));
      const double signed_away = random() % 2 ? away : -away;
      bits = std::bit_cast<std::uint64_t>(p == 0 ? signed_away : p * (1 + signed_away));
    }
    const std::uint64_t stride = std::uint64_t{1} << random() % 40;
    for (std::uint64_t j = 0; j < 64; ++j) x[i + static_cast<int>(j)] = std::bit_cast<double>(bits + j * stride);
  }
}

/// What was seen of a function.
struct findings {
  double error = 0;  // the largest
  double at = 0;
  std::uint64_t strange_nans = 0, disorders = 0, doubts = 0;  // doubts: of the reference, by MPFR
};

template <class T, class R>
void look(const std::string& f, const T* x, const T* y, math::reference<R> exact, int at_random, findings& seen) {
  for (int i = 0; i < block; ++i) {
    const double e = static_cast<double>(math::error_in_ulps(y[i], exact(static_cast<R>(x[i]))));
    if (!(e <= seen.error)) seen.error = e, seen.at = static_cast<double>(x[i]);
    if (i == at_random && math::exact_error(f, x[i], y[i]) > e + 0x1p-9) ++seen.doubts;
    constexpr auto nan = static_cast<bits_t<T>>(sizeof(T) == 4 ? 0x7fc00000u : 0x7ff8000000000000u);
    if (y[i] != y[i] && std::bit_cast<bits_t<T>>(y[i]) != nan) ++seen.strange_nans;
    if (i > 0 && (sizeof(T) == 4 || i % 64 != 0) && x[i] != x[i - 1] && std::signbit(x[i]) == std::signbit(x[i - 1]) &&
        ((x[i] > x[i - 1]) == (f != "rsqrt") ? y[i] < y[i - 1] : y[i] > y[i - 1]))
      ++seen.disorders;
  }
}

template <class T, class R>
bool measure(const std::string& f, std::uint64_t points, double promise) {
  const math::kernel& k = math::best_level().of(f.c_str(), sizeof(T));
  const auto exact = math::reference_of<R>(f);
  const std::uint64_t blocks = sizeof(T) == 4 ? points / (block - 1) + 1 : points / block;
  std::atomic<std::uint64_t> next{0};
  findings all;
  std::mutex mutex;
  std::vector<std::thread> team;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
    team.emplace_back([&] {
      std::vector<T> x(block), y(block);
      findings mine;
      for (std::uint64_t b; (b = next++) < blocks;) {
        std::mt19937_64 random(b);
        fill(x.data(), b, points, random, f);
        k.run(x.data(), y.data(), block);
        look<T, R>(f, x.data(), y.data(), exact, static_cast<int>(random() % block), mine);
      }
      mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);  // what MPFR keeps for this thread
      const std::lock_guard lock(mutex);
      if (!(mine.error <= all.error)) all.error = mine.error, all.at = mine.at;
      all.strange_nans += mine.strange_nans, all.disorders += mine.disorders, all.doubts += mine.doubts;
    });
  for (auto& t : team) t.join();
  const T x = static_cast<T>(all.at);
  std::vector<T> in(64, x), out(64);
  k.run(in.data(), out.data(), 64);
  const double error = math::exact_error(f, x, out[0]);
  const bool good = error <= promise && all.error <= promise * 1.001 && all.strange_nans == 0 && all.disorders == 0 &&
                    all.doubts == 0;
  std::printf("%-6s %s  %.4f ulp at %a  (%" PRIu64 " points, %" PRIu64 " out of order)%s\n", f.c_str(),
              sizeof(T) == 4 ? "f32" : "f64", error, all.at, sizeof(T) == 4 ? points : blocks * block, all.disorders,
              good               ? ""
              : all.doubts       ? "  MPFR disagrees"
              : all.strange_nans ? "  NaN not canonical"
                                 : "  FAILED");
  std::fflush(stdout);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t points = 1 << 20;
  std::string type, function;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "f32" || word == "f64")
      type = word;
    else if (word.find_first_not_of("0123456789") == std::string::npos)
      points = std::strtoull(word.c_str(), nullptr, 10);
    else
      function = word;
  }
  bool good = true, any = false;
  for (const auto& p : promised) {
    if (!function.empty() && function != p.function) continue;
    any = true;
    if (type != "f64")
      good &= measure<float, double>(p.function, std::min<std::uint64_t>(points, std::uint64_t{1} << 32), p.f32);
    if (type != "f32") good &= measure<double, long double>(p.function, points, p.f64);
  }
  mpfr_free_cache();
  return any && good ? 0 : 1;
}
