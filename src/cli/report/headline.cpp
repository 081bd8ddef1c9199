#include "report/headline.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cells.hpp"
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

bool on_accelerator(const measurement* m) { return is_accelerator(m->ran.backend); }

/// The row of one way to compute at this length; null where there is none, or a noisy one.
const measurement* quiet_row(const row_list& all, const std::string& series, std::int64_t n) {
  const auto found = std::ranges::find_if(
      all, [&](const measurement* m) { return series_of(*m) == series && m->what.n == n && !m->seconds.noisy(); });
  return found == all.end() ? nullptr : *found;
}

/// The fastest quiet row of a CPU backend at the longest array that has one.
const measurement* best_on_cpu(const row_list& all) {
  const measurement* best = nullptr;
  for (const measurement* m : all) {
    if (on_accelerator(m) || m->seconds.noisy()) continue;
    if (!best || m->what.n > best->what.n || (m->what.n == best->what.n && m->seconds.median < best->seconds.median))
      best = m;
  }
  return best;
}

std::string beside_one_thread(const measurement& best, const row_list& all) {
  if (best.ran.backend == backend::sequential) return "no other is faster than that one thread";
  const measurement* one = quiet_row(all, name_of(backend::sequential), best.what.n);
  if (!one) return "with no quiet time of one thread beside it";
  return fmt::format("{:.3g} x one thread", one->seconds.median / best.seconds.median);
}

/// "60 x that for device data, and faster from 2^14 elements on".
std::string beside_cpu(const row_list& its, const measurement& best, const std::vector<crossing>& all) {
  const measurement& first = *its.front();
  const std::string series = series_of(first);
  const measurement* there = quiet_row(its, series, best.what.n);
  std::string text = there ? fmt::format("{:.3g} x that", best.seconds.median / there->seconds.median)
                           : std::string("unknown, because of noise,");
  text += fmt::format(" for {} data", name_of(first.what.where));
  const auto found = std::ranges::find_if(
      all, [&](const crossing& c) { return c.reduction == reduction_of(first) && c.faster == series; });
  if (found == all.end() || found->lengths == 0) return text;
  return text + (found->n ? fmt::format(", faster from {} elements on", count_text(*found->n)) : ", never faster");
}

/// What there is to say where no GPU was measured.
std::string without_gpu(const record& r) {
  for (const part& p : r.parts)
    for (const left_out& l : p.found.without)
      if (const auto named = parse_backend(l.what); named && is_accelerator(*named))
        return fmt::format("No GPU was measured: {} cannot run here.", l.what);
  return "No GPU was measured.";
}

std::string of_bandwidth(const record& r) {
  const auto groups = grouped(rows_of(r, bandwidth.name), reduction_of);
  if (groups.empty()) return "";
  const auto& [reduction, all] = groups.front();
  const measurement* best = best_on_cpu(all);
  if (!best) return "Every time of a CPU backend is noisy: measure again on a quiet machine.";
  const std::string text = fmt::format("Best CPU backend: {}, {} GB/s for {} of {} elements, {}.",
                                       name_of(best->ran.backend), rate_text(*best, best->seconds.median), reduction,
                                       count_text(best->what.n), beside_one_thread(*best, all));
  row_list gpu = all;
  std::erase_if(gpu, [](const measurement* m) { return !on_accelerator(m); });
  if (gpu.empty()) return text + " " + without_gpu(r);
  // Device data first: it is what a GPU is for.
  std::ranges::stable_sort(gpu, {}, [](const measurement* m) { return m->what.where != measure::location::device; });
  const std::vector<crossing> crossed = crossings(r);
  std::string clauses;
  for (const auto& [series, its] : grouped(gpu, series_of)) {
    if (!clauses.empty()) clauses += "; ";
    clauses += beside_cpu(its, *best, crossed);
  }
  return fmt::format("{} The GPU: {}.", text, clauses);
}

std::string way_of(const measurement& m) {
  return is_accelerator(m.ran.backend)
             ? fmt::format("kernel {} with {} data", name_of(m.ran.kernel), name_of(m.what.where))
             : "one CPU core";
}

/// The fastest row of the longest array, and what it gains over the first.
std::string of_preset(const record& r) {
  const bool by_call = r.asked.set == notebook.name;  // ladders are about the device's time
  const auto seconds = [&](const measurement* m) { return by_call ? m->seconds.median : device_seconds(*m); };
  row_list all = rows_of(r, r.asked.set);
  if (all.empty()) return "";
  const std::int64_t n = (*std::ranges::max_element(all, {}, [](const measurement* m) { return m->what.n; }))->what.n;
  std::erase_if(all, [&](const measurement* m) { return m->what.n != n || m->seconds.noisy(); });
  if (all.empty()) return "Every time of the longest array is noisy: measure again on a quiet machine.";
  const measurement *first = all.front(), *best = *std::ranges::min_element(all, {}, seconds);
  std::string text = fmt::format("Fastest at {} of {} elements: {}, {} and {} GB/s", reduction_of(*best), count_text(n),
                                 way_of(*best), time_text(seconds(best)), rate_text(*best, seconds(best)));
  if (best != first) text += fmt::format(", {:.3g} x {}", seconds(first) / seconds(best), way_of(*first));
  text += '.';
  if (std::ranges::none_of(all, on_accelerator)) text += ' ' + without_gpu(r);
  return text;
}

}  // namespace

std::string headline_of(const record& r) { return r.find(bandwidth.name) ? of_bandwidth(r) : of_preset(r); }

}  // namespace onefold::cli
