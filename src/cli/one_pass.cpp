// The results of a pass as those of single operations.
#include "one_pass.hpp"

#include <chrono>

#include "computation.hpp"
#include "onefold/dynamic_fused.hpp"

namespace onefold::cli {

std::vector<reduced> reduced_in_one_pass(std::span<const int> list, dtype type, const options& how,
                                         std::optional<dtype> result, const void* data, std::int64_t n) {
  dynamic_fused pass(list, type, how, result);
  std::vector<reduced> all;
  std::vector<void*> to;
  for (std::size_t i = 0; i < pass.size(); ++i) {
    all.push_back({{operation_name(list[i]), pass.results(i)}, {}, 1});
    const auto bytes = static_cast<std::size_t>(pass.results(i).result_size());
    to.push_back(all.back().results.room(bytes));
    all.back().results.grow(bytes);
  }
  const auto start = std::chrono::steady_clock::now();
  const std::vector<run_report> ran = pass.run(data, n, to);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].seconds = seconds;
    all[i].ran = ran[i];
  }
  return all;
}

}  // namespace onefold::cli
