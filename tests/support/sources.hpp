// Operations as text for the tests, which also have them compiled.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "onefold/custom.hpp"
#include "onefold/source_operation.hpp"
#include "support/packed_source_text.hpp"
#include "support/source_text.hpp"

namespace support {

/// The operation mine::NAME of a file in this folder, which the build names.
inline onefold::source_operation source_of(const std::string& name, onefold::dtype element,
                                           const std::string& file = "source_text.hpp") {
  std::ifstream from(std::string(ONEFOLD_TEST_TEXT) + "/" + file);
  std::string text{std::istreambuf_iterator<char>(from), {}};
  if (text.empty()) throw std::runtime_error("cannot read " + file);
  return {.name = "mine::" + name, .element = element, .text = std::move(text), .file = file};
}

}  // namespace support
