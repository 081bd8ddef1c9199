#include "bench/columns.hpp"

#include <fmt/format.h>

#include "json.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

/// The bits of each number of the result.
ordered_json bits_of(const std::vector<scalar>& result) {
  std::string text;
  for (const scalar& s : result) text.append(text.empty() ? "" : " ").append(s.hex());
  return text;
}

/// The numbers with a word between them, or nothing.
ordered_json joined(const auto& numbers, const char* between) {
  return numbers.empty() ? ordered_json() : ordered_json(fmt::format("{}", fmt::join(numbers, between)));
}

}  // namespace

ordered_json shape_field(const std::vector<std::int64_t>& shape) { return joined(shape, "x"); }
ordered_json axes_field(const std::vector<int>& reduced) { return joined(reduced, " "); }

std::vector<std::pair<const char*, ordered_json>> fields_of(const measurement& m, const axes& a) {
  const setting& s = m.what;
  const bool device = is_accelerator(m.ran.backend);
  return {{"op", operation_infos()[static_cast<std::size_t>(s.operation)].name},
          {"dtype", name_of(s.element)},
          {"data", s.data},
          {"seed", a.file ? ordered_json() : ordered_json(a.seed)},
          {"n", s.n},
          {"shape", shape_field(s.shape)},
          {"axes", axes_field(s.reduced)},
          {"results", m.results},
          {"missing", a.missing ? ordered_json(*a.missing) : ordered_json()},
          {"accuracy", name_of(s.mode)},
          {"location", name_of(s.where)},
          {"warm", a.warm},
          {"backend", name_of(s.backend)},
          {"ran", name_of(m.ran.backend)},
          {"kernel", device ? ordered_json(name_of(m.ran.kernel)) : ordered_json()},
          {"isa", device ? ordered_json() : ordered_json(name_of(m.ran.isa))},
          {"threads", device ? ordered_json() : ordered_json(m.ran.threads)},
          {"threads_asked", s.threads == 0 ? ordered_json() : ordered_json(s.threads)},
          {"seconds", m.seconds.median},
          {"minimum", m.seconds.minimum},
          {"lower_quartile", m.seconds.lower_quartile},
          {"upper_quartile", m.seconds.upper_quartile},
          {"maximum", m.seconds.maximum},
          {"spread", m.seconds.spread()},
          {"samples", m.seconds.samples},
          {"waited", m.seconds.waited},
          {"noisy", m.seconds.noisy()},
          {"device_seconds", m.device ? ordered_json(m.device->median) : ordered_json()},
          {"device_minimum", m.device ? ordered_json(m.device->minimum) : ordered_json()},
          {"device_lower_quartile", m.device ? ordered_json(m.device->lower_quartile) : ordered_json()},
          {"device_upper_quartile", m.device ? ordered_json(m.device->upper_quartile) : ordered_json()},
          {"occupancy", m.occupancy ? ordered_json(*m.occupancy) : ordered_json()},
          {"gb_per_s", m.gigabytes_per_second()},
          {"limit_gb_per_s", m.limit ? ordered_json(*m.limit / 1e9) : ordered_json()},
          {"share_of_limit", m.limit ? ordered_json(*m.share()) : ordered_json()},
          {"base", name_of(a.base)},
          {"speedup", m.speedup ? ordered_json(*m.speedup) : ordered_json()},
          {"base_noisy", m.base_noisy},
          {"bits", s.shape.empty() ? bits_of(m.result) : ordered_json()},
          {"bits_hash", m.bits_hash ? ordered_json(fmt::format("{:#018x}", *m.bits_hash)) : ordered_json()},
          {"same_bits", m.same_bits ? ordered_json(*m.same_bits) : ordered_json()}};
}

}  // namespace onefold::cli
