#include "lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "data.hpp"
#include "onefold/onefold.hpp"
#include "onefold/row_operations.hpp"
#include "onefold/scan.hpp"

namespace bench {
namespace {

struct aligned_delete {
  void operator()(void* p) const { ::operator delete (p, std::align_val_t{64}); }
};

/// Memory for this many bytes of results, which those who run in turns have in common: the last one asked for is kept.
std::shared_ptr<void> room_for(std::int64_t bytes) {
  static std::shared_ptr<void> kept;
  static std::int64_t kept_bytes = 0;
  if (bytes != kept_bytes) {
    kept.reset();
    kept = {::operator new (static_cast<std::size_t>(bytes), std::align_val_t{64}), aligned_delete{}};
    kept_bytes = bytes;
  }
  return kept;
}

template <class T>
long double wide(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return static_cast<float>(x);
}

/// What a line of results must be near to, by the definition of the operation.
template <class T>
std::vector<long double> definition(std::string_view operation, const T* x, std::int64_t n) {
  std::vector<long double> y;
  y.reserve(static_cast<std::size_t>(n));
  long double sum = 0, squares = 0, exponentials = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    sum += wide(x[i]);
    squares += wide(x[i]) * wide(x[i]);
    exponentials += std::exp(wide(x[i]));
    if (operation == "cumsum") y.push_back(sum);
  }
  const auto count = static_cast<long double>(n);
  const long double mean = sum / count, deviation = std::sqrt(squares / count - mean * mean + 1e-5L);
  for (std::int64_t i = 0; i < n && operation != "cumsum"; ++i)
    y.push_back(operation == "softmax"       ? std::exp(wide(x[i])) / exponentials
                : operation == "log_softmax" ? wide(x[i]) - std::log(exponentials)
                : operation == "layer_norm"  ? (wide(x[i]) - mean) / deviation
                                             : wide(x[i]) / std::sqrt(squares / count + 1e-5L));
  return y;
}

/// Whether the first lines' results are near to that; elements lie in (-1, 1).
template <class T>
bool near(const line_work& w, const T* x, const T* results) {
  for (std::int64_t i = 0; i < std::min<std::int64_t>(w.lines, 8); ++i) {
    const std::vector<long double> meant = definition(w.operation, x + i * w.length, w.length);
    for (std::int64_t j = 0; j < w.length; ++j) {
      const long double y = meant[static_cast<std::size_t>(j)];
      const long double within = w.operation == "cumsum" ? 1e-4L * static_cast<long double>(w.length)
                                                         : (sizeof(T) == 2 ? 1e-2L : 1e-4L) * (1 + std::abs(y));
      if (!(std::abs(wide(results[i * w.length + j]) - y) <= within)) return false;
    }
  }
  return true;
}

bool near(const line_work& w, std::string_view type, const void* x, const void* results) {
  const auto as = [&]<class T>(T) { return near(w, static_cast<const T*>(x), static_cast<const T*>(results)); };
  if (type == type_name<float>) return as(float{});
  if (type == type_name<double>) return as(double{});
  if (type == type_name<onefold::f16>) return as(onefold::f16{});
  if (type == type_name<onefold::bf16>) return as(onefold::bf16{});
  throw std::invalid_argument("no lines of type " + std::string(type));
}

template <class T>
void add_scan(std::vector<contender>& list, const line_work& w, runtime used, onefold::options how,
              onefold::accuracy mode) {
  how.accuracy = mode;
  const std::string name = mode == onefold::accuracy::native ? "onefold" : "onefold, kahan";
  list.push_back(line_contender(w, type_name<T>, name, onefold::name_of(how.backend), used, false,
                                [n = w.length, how](int threads) -> line_function {
                                  onefold::options o = how;
                                  o.threads = threads;
                                  const auto plan = std::make_shared<onefold::scan_plan<T, onefold::op::sum>>(
                                      n, onefold::scan_kind::inclusive, o);
                                  return [plan](const void* data, void* results) {
                                    (*plan)(static_cast<const T*>(data), static_cast<T*>(results));
                                  };
                                }));
}

onefold::row_operation operation_named(const std::string& name) {
  using enum onefold::row_operation;
  return name == "softmax"       ? softmax
         : name == "log_softmax" ? log_softmax
         : name == "layer_norm"  ? layer_norm
                                 : rms_norm;
}

template <class T>
void add_rows(std::vector<contender>& list, const line_work& w, runtime used, const onefold::options& how) {
  list.push_back(line_contender(
      w, type_name<T>, "onefold", onefold::name_of(how.backend), used, false, [w, how](int threads) -> line_function {
        onefold::options o = how;
        o.threads = threads;
        const auto plan = std::make_shared<onefold::row_plan<T>>(operation_named(w.operation),
                                                                 onefold::array_view<T>(nullptr, {w.lines, w.length}),
                                                                 -1, onefold::row_parameters<T>{}, o);
        return
            [plan](const void* data, void* results) { (*plan)(static_cast<const T*>(data), static_cast<T*>(results)); };
      }));
}

}  // namespace

std::string line_work::row() const {
  if (operation == "cumsum") return unaligned ? "cumsum_unaligned" : "cumsum";
  return operation + "-" + std::to_string(lines) + "x" + std::to_string(length) + "-axis1";
}

std::vector<line_work> scans() {
  std::vector<line_work> all;
  for (const int log2 : {10, 14, 16, 18, 20, 24, 26}) all.push_back({"cumsum", 1, std::int64_t{1} << log2});
  all.push_back({"cumsum", 1, (std::int64_t{1} << 18) - 3, true});
  return all;
}

std::vector<line_work> row_operations() {
  std::vector<line_work> all;
  for (const char* operation : {"softmax", "log_softmax", "layer_norm", "rms_norm"}) {
    for (const std::int64_t length : {32, 256, 1000, 4096}) all.push_back({operation, (1 << 18) / length, length});
    for (const std::int64_t length : {256, 4096}) all.push_back({operation, (1 << 24) / length, length});
  }
  return all;
}

contender line_contender(const line_work& w, const char* type, const std::string& name, const std::string& flavor,
                         runtime needs, bool copies, const std::function<line_function(int threads)>& prepare) {
  const std::int64_t size = element_size(type);
  const std::int64_t before = w.unaligned ? size : 0, bytes = w.elements() * size;
  return {.row = w.row(),
          .type = type,
          .name = name,
          .flavor = flavor,
          .needs = needs,
          .prepare =
              [=](std::int64_t, int threads) {
                return [work = prepare(threads), before, room = room_for(before + bytes)](const void* data) {
                  work(static_cast<const char*>(data) + before, static_cast<char*>(room.get()) + before);
                  return 0.0;
                };
              },
          .elements = w.elements() + (w.unaligned ? 1 : 0),
          .is_right =
              [=](const void* data, int threads) {
                const auto room = room_for(before + bytes);
                const char* const from = static_cast<const char*>(data) + before;
                char* const to = static_cast<char*>(room.get()) + before;
                std::memset(to, 0, static_cast<std::size_t>(bytes));
                prepare(threads)(from, to);
                return copies ? std::memcmp(from, to, static_cast<std::size_t>(bytes)) == 0 : near(w, type, from, to);
              }};
}

void add_onefold_lines(std::vector<contender>& list, runtime used, const onefold::options& how) {
  for (const line_work& w : scans())
    for (const onefold::accuracy mode : {onefold::accuracy::native, onefold::accuracy::kahan}) {
      add_scan<float>(list, w, used, how, mode);
      add_scan<double>(list, w, used, how, mode);
    }
  for (const line_work& w : row_operations()) {
    add_rows<float>(list, w, used, how);
    add_rows<onefold::f16>(list, w, used, how);
    add_rows<onefold::bf16>(list, w, used, how);
  }
}

}  // namespace bench
