// Bins from the command line or from the elements, and one count of all elements.
#include "histograms.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "axis.hpp"
#include "choices.hpp"
#include "input/failure.hpp"
#include "onefold/error.hpp"
#include "results.hpp"

namespace onefold::cli {
namespace {

constexpr int counts_elements[] = {0};  // the only operation

/// A result: a bin.
struct bin {
  double low, high;
  std::int64_t count;
};

/// What it looks like.
struct bin_results : dynamic_results {
  bin_results() : dynamic_results(layout) {}

 private:
  static constexpr result_member members[] = {{"low", dtype::f64, offsetof(bin, low)},
                                              {"high", dtype::f64, offsetof(bin, high)},
                                              {"count", dtype::i64, offsetof(bin, count)}};
  static constexpr detail::result_layout layout{sizeof(bin), alignof(bin), members};
};

/// The numbers that an option lists.
std::vector<double> numbers(const char* option, const std::string& words, double limit) {
  std::vector<double> list;
  for (const std::string& word : split_at_commas(words)) list.push_back(chosen_number(option, word, -limit, limit));
  return list;
}

/// Throws where the library refuses the edges.
void check_edges(std::span<const double> edges) {
  options how;
  how.backend = backend::sequential;
  how.environment = false;
  std::vector<std::int64_t> counts(edges.size());
  detail::count_in_bins(dtype::f64, nullptr, 0, edges, detail::bin_widths::any, counts.data(), how, nullptr);
}

/// The edges that --range or --edges gives.
std::vector<double> chosen_edges(const arguments& given, std::int64_t bins) try {
  if (given.edges) {
    std::vector<double> edges = numbers("--edges", *given.edges, HUGE_VAL);
    check_edges(edges);
    return edges;
  }
  if (!given.range) return {};
  const std::vector<double> ends = numbers("--range", *given.range, std::numeric_limits<double>::max());
  if (ends.size() != 2) throw unusable("--range", "two numbers with a comma between them", *given.range);
  return detail::uniform_edges({ends[0], ends[1], bins});
} catch (const error& e) {
  throw failure(exit_code::wrong_usage, fmt::format("{}: {}", given.edges ? "--edges" : "--range", e.what()));
}

/// How many elements are in none of the bins, which hold `inside` elements.
outside_bins count_outside(dtype type, const void* data, std::int64_t n, std::span<const double> edges,
                           std::int64_t inside, const options& how) {
  if (inside == n) return {};
  const double ends[] = {-HUGE_VAL, edges.front(), edges.back(), HUGE_VAL};
  std::int64_t counts[] = {0, 0, 0};  // below the bins, up to their last edge, from there on
  detail::count_in_bins(type, data, n, ends, detail::bin_widths::any, counts, how, nullptr);
  const std::int64_t nan = n - (counts[0] + counts[1] + counts[2]);
  return {counts[0], n - nan - counts[0] - inside, nan};
}

}  // namespace

histograms::histograms(const arguments& given)
    : computation(given, counts_elements, false), bins_(given.bins ? chosen_bins(*given.bins) : 10) {
  if (given.edges)
    for (const auto& [option, word] : {std::pair{"--bins", &given.bins}, {"--range", &given.range}})
      if (*word) throw failure(exit_code::wrong_usage, fmt::format("{} does not apply with --edges", option));
  edges_ = chosen_edges(given, bins_);
  if (given.edges) widths_ = detail::bin_widths::any;
}

operation_results histograms::tried(const one& r, dtype type) const {
  const std::uint64_t zero = 0;
  const double some[] = {0, 1};
  const std::span<const double> edges = edges_.empty() ? std::span<const double>(some) : edges_;
  std::vector<std::int64_t> counts(edges.size());
  detail::count_in_bins(type, &zero, 1, edges, detail::bin_widths::any, counts.data(), r.how, nullptr);
  return {"histogram", bin_results()};
}

std::vector<reduced> histograms::run(const loaded_array& array, const reduced_input&) const {
  const dtype type = array.type();
  const options& how = list_.front().how;
  const void* const data = array.bytes().data();
  const std::int64_t n = array.count();
  const auto start = std::chrono::steady_clock::now();
  std::vector<double> edges = edges_;
  if (edges.empty()) edges = detail::uniform_edges(detail::bins_of(type, data, n, bins_, how));
  std::vector<std::int64_t> counts(edges.size() - 1);
  run_report ran;
  detail::count_in_bins(type, data, n, edges, widths_, counts.data(), how, &ran);
  const std::int64_t extent = std::ssize(counts);
  const std::int64_t inside = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  reduced r{{"histogram", bin_results()}, {extent}, extent};
  r.outside = count_outside(type, data, n, edges, inside, how);
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  r.count = n;
  r.ran = ran;
  std::byte* to = r.results.room(counts.size() * sizeof(bin));
  for (std::size_t i = 0; i < counts.size(); ++i, to += sizeof(bin)) {
    const bin b{edges[i], edges[i + 1], counts[i]};
    std::memcpy(to, &b, sizeof b);
  }
  r.results.grow(counts.size() * sizeof(bin));
  std::vector<reduced> all;
  all.push_back(std::move(r));
  return all;
}

}  // namespace onefold::cli
