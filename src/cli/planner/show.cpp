#include "planner/show.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "backends.hpp"
#include "cells.hpp"
#include "json.hpp"
#include "one_line.hpp"
#include "onefold/dynamic.hpp"

namespace onefold::cli {
namespace {

std::string rates(const char* who, const machine_profile::rates& r) {
  return fmt::format("reading by {:<10} {:.1f} GB/s from level 2, {:.1f} from level 3, {:.1f} from memory\n", who,
                     r.l2 / 1e9, r.l3 / 1e9, r.memory / 1e9);
}

std::string starts(const char* backend, const machine_profile::team& t) {
  return fmt::format("starting {:<12} two threads {}, all {}; after a pause {}, {}\n", backend, time_text(t.two.hot),
                     time_text(t.all.hot), time_text(t.two.cold), time_text(t.all.cold));
}

}  // namespace

std::string as_text(const machine_profile& p) {
  std::string text =
      fmt::format("{} processors {}, caches of {} and {} KiB\n", p.processors, p.cpu, p.l2 >> 10, p.l3 >> 10) +
      rates("one thread", p.one_thread);
  for (const backend b : detail::threaded_backends()) text += rates(name_of(b), p.of(b).reads);
  for (std::size_t c = 0; c < p.elements.size(); ++c) {
    std::array<double, 4> each = p.elements[c];
    for (double& rate : each) rate /= 1e9;
    text += fmt::format("folding {:<13} {:.1f} elements per ns of 1, 2, 4, 8 bytes\n",
                        name_of(static_cast<cost_class>(c)), fmt::join(each, ", "));
  }
  for (const backend b : detail::threaded_backends()) text += starts(name_of(b), p.of(b));
  if (const auto& d = p.device)
    text += fmt::format("{}: a call {}, its memory {:.0f} GB/s; of host data {}, pinned {:.1f} GB/s, other {:.1f}\n",
                        d->name, time_text(d->launch), d->from_memory / 1e9, time_text(d->transfer),
                        d->from_pinned / 1e9, d->from_pageable / 1e9);
  return text;
}

double share_within(const std::vector<checked_point>& points) {
  const auto good = std::ranges::count_if(points, [](const checked_point& p) { return p.ratio() <= wanted_ratio; });
  return static_cast<double>(good) / static_cast<double>(points.size());
}

const checked_point& worst(const std::vector<checked_point>& points) {
  return *std::ranges::max_element(points, {}, &checked_point::ratio);
}

std::string as_text(const std::vector<checked_point>& points) {
  std::string text = fmt::format("figures: {}\n", detail::one_line(profile().source));
  if (!profile().age.empty()) text += profile().age + "\n";
  if (!profile().warning.empty()) text += fmt::format("warning: {}\n", profile().warning);
  std::vector<checked_point> misses;
  std::ranges::copy_if(points, std::back_inserter(misses),
                       [](const checked_point& p) { return p.ratio() > wanted_ratio; });
  std::ranges::sort(misses, std::ranges::greater{}, &checked_point::ratio);
  if (!misses.empty())
    text += fmt::format("{:<36} {:<12} {:>9}   {:<12} {:>9} {:>6}\n", "miss", "automatic", "", "best", "", "ratio");
  for (const checked_point& p : misses)
    text += fmt::format("{:<36} {:<12} {:>9}   {:<12} {:>9} {:>6.2f}\n", p.at.text(), name_of(p.chosen),
                        time_text(p.automatic), name_of(p.best), time_text(p.least), p.ratio());
  return text + fmt::format(
                    "{:.1f} % of {} points are within {:.0f} % of the best forced backend, the worst is {:.2f} "
                    "times as slow: {}\n",
                    100 * share_within(points), points.size(), 100 * (wanted_ratio - 1), worst(points).ratio(),
                    worst(points).at.text());
}

std::string as_json(const std::vector<checked_point>& points) {
  nlohmann::ordered_json out{{"figures", profile().source},
                             {"share_within", share_within(points)},
                             {"worst_ratio", worst(points).ratio()},
                             {"points", nlohmann::ordered_json::array()}};
  for (const checked_point& p : points)
    out["points"].push_back({{"op", operation_infos()[static_cast<std::size_t>(p.at.operation)].name},
                             {"dtype", name_of(p.at.element)},
                             {"accuracy", name_of(p.at.mode)},
                             {"n", p.at.n},
                             {"location", name_of(p.at.where)},
                             {"chosen", name_of(p.chosen)},
                             {"seconds", p.automatic},
                             {"best", name_of(p.best)},
                             {"best_seconds", p.least},
                             {"ratio", p.ratio()}});
  return json_line(out);
}

}  // namespace onefold::cli
