#include "bench/combine.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "backends.hpp"
#include "bench/array.hpp"
#include "data/sets.hpp"
#include "onefold/error.hpp"

namespace onefold::cli {
namespace {

std::string_view operation_name(int operation) { return operation_infos()[static_cast<std::size_t>(operation)].name; }

/// One array of the axes: its operations, accuracies, locations, backends, kernels and threads.
class combiner {
 public:
  combiner(const axes& a, std::vector<left_out>& without) : axes_(a), without_(without) {
    for (const backend_info& b : onefold::backends())
      if (!b.available && std::ranges::find(a.backends, b.backend) != a.backends.end()) {
        leave_out(without_, {name_of(b.backend), b.detail, error_code::backend_unavailable});
        missing_.push_back(b.backend);
      }
  }

  void add_array(dtype element, const std::optional<int>& data, std::int64_t n,
                 const std::vector<std::int64_t>& shape = {}) {
    setting s{};
    s.element = element;
    s.n = n;
    s.shape = shape;
    if (!shape.empty()) s.reduced = axes_.reduced;
    s.data = axes_.file ? axes_.file->notes().front().name : data_name(element, data);
    if (!axes_.file)
      if (const std::optional<left_out> why = why_no_data(s)) return leave_out(without_, *why);
    for (const int operation : axes_.operations)
      for (const accuracy mode : axes_.accuracies) {
        s.operation = operation;
        s.mode = mode;
        if (const char* why = why_not(operation, element, mode))
          leave_out(without_, {fmt::format("{} of {}, {}", operation_name(operation), name_of(element), name_of(mode)),
                               why, error_code::unsupported});
        else
          add_backends(s);
      }
  }

  std::vector<setting> take() { return std::move(rows_); }

 private:
  void add_backends(const setting& s) {
    const auto base = std::ranges::find(axes_.backends, axes_.base);
    add_backend(s, *base);
    for (const backend b : axes_.backends)
      if (b != axes_.base) add_backend(s, b);
  }

  void add_backend(setting s, backend b) {
    if (std::ranges::find(missing_, b) != missing_.end()) return;
    s.backend = b;
    bool on_host = b == axes_.base && !is_accelerator(b);
    for (const measure::location where : axes_.locations) {
      s.where = where;
      if (is_accelerator(b)) {
        for (const kernel k : axes_.kernels) {
          s.kernel = k;
          rows_.push_back(s);
        }
      } else if (where == measure::location::host) {
        on_host = true;
      } else {
        leave_out(without_,
                  {fmt::format("{} data on other backends than {}", name_of(where), detail::accelerator_names()),
                   "pinned and device memory require backend " + detail::accelerator_names(), error_code::unsupported});
      }
    }
    if (!on_host) return;
    s.where = measure::location::host;
    for (const int threads : b == backend::sequential ? std::vector<int>{0} : axes_.threads) {
      s.threads = threads;
      rows_.push_back(s);
    }
  }

  const axes& axes_;
  std::vector<left_out>& without_;
  std::vector<backend> missing_;
  std::vector<setting> rows_;
};

}  // namespace

void leave_out(std::vector<left_out>& without, left_out reason) {
  const auto same = [&](const left_out& l) { return l.what == reason.what && l.why == reason.why; };
  if (std::ranges::none_of(without, same)) without.push_back(std::move(reason));
}

std::int64_t elements_in(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<setting> combined(const axes& a, std::vector<left_out>& without) {
  for (const left_out& l : a.without) leave_out(without, l);
  combiner c(a, without);
  for (const dtype element : a.elements)
    for (const std::optional<int>& data : a.data) {
      for (const std::int64_t n : a.counts) c.add_array(element, data, n);
      for (const auto& shape : a.shapes) c.add_array(element, data, elements_in(shape), shape);
    }
  return c.take();
}

}  // namespace onefold::cli
