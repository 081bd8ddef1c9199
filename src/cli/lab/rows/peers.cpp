// One call of Python for all packages; what it writes is checked, for it may be any program.
#include "lab/rows/peers.hpp"

#include <cstring>

#include <fmt/format.h>

#include "json.hpp"
#include "lab/rows/shape.hpp"
#include "onefold/dynamic.hpp"
#include "python.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

/// What peers.py wrote: a line of JSON, then the results of each package. Throws nlohmann's exceptions.
std::vector<row_peer> read_peer_results(const std::string& written, std::size_t expected) {
  const std::size_t end = written.find('\n');
  const ordered_json told = ordered_json::parse(written.substr(0, end));
  std::size_t at = end + 1;
  std::vector<row_peer> peers;
  for (const ordered_json& one : told) {
    row_peer p{one.at("name").get<std::string>(), {}, one.value("why", "")};
    if (p.why.empty()) {
      if (one.at("bytes").get<std::size_t>() != expected || written.size() - at < expected)
        throw ordered_json::other_error::create(501, "results of another size", &one);
      p.results.resize(expected);
      std::memcpy(p.results.data(), written.data() + at, expected);
      at += expected;
    }
    peers.push_back(std::move(p));
  }
  return peers;
}

}  // namespace

std::vector<row_peer> peers_of(row_operation operation, dtype type, std::span<const std::byte> elements,
                               std::size_t length, double eps) {
  const std::string name(row_operation_names()[static_cast<std::size_t>(operation)]);
  const child_result ran =
      run_script(row_peers_script, {name, name_of(type), fmt::format("{}", length), fmt::format("{}", eps)},
                 {reinterpret_cast<const char*>(elements.data()), elements.size()});
  const auto failed = [](std::string why) {
    return std::vector<row_peer>{{"numpy, scipy, torch", {}, std::move(why)}};
  };
  if (ran.status != 0) return failed(why_script_failed(ran));
  try {
    return read_peer_results(ran.output, elements.size() / length * results_of_line(operation, length));
  } catch (const ordered_json::exception&) {
    return failed("Python wrote something else than results");
  }
}

}  // namespace onefold::cli
