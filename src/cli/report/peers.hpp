// The peers' page: what scripts/bench-peers compared on the same data, by time, by answers and by errors.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/document.hpp"

namespace onefold::cli {

/// Whether this is peers.json and not, say, report.json. Throws failure (bad data) where it is not JSON.
bool is_peers(const std::string& name, const std::string& text);

/// The text of peers.json as scripts/bench-peers or bench/cuda/compare.py writes it. Throws failure (bad data) where it
/// is something else.
nlohmann::ordered_json read_peers(const std::string& name, const std::string& text);

/// Such a file's JSON, found at a place that errors name. Throws failure (bad data) where it is something else.
nlohmann::ordered_json checked_peers(const std::string& place, nlohmann::ordered_json peers);

/// The page of such a file: which contender wins where and by how much, and the answers of all.
section peers_page(const nlohmann::ordered_json& peers);

/// The same as a document of its own.
document peers_document(const nlohmann::ordered_json& peers);

}  // namespace onefold::cli
