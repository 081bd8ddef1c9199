// What the GPU benchmark has found: the rows of its JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// All that was measured.
struct findings {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();     ///< times
  nlohmann::ordered_json answers = nlohmann::ordered_json::array();  ///< the different answers of each contender
  nlohmann::ordered_json exact = nlohmann::ordered_json::object();   ///< the exact one, for each array
};

/// The one that the benchmark writes at its end.
findings& found();

/// Adds the microseconds of one contender, and says them on standard error. `element` is the bytes that are read for
/// each of n elements; a reduction to several results has a shape.
void add(const char* group, const char* op, const char* type, std::int64_t n, std::int64_t element, const char* who,
         double us, const std::string& shape = {});

}  // namespace bench
