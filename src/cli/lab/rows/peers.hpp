// Row operations by NumPy, SciPy and PyTorch, to compare with.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "onefold/row_request.hpp"

namespace onefold::cli {

/// lab/rows/peers.py: an operation on the elements that it reads from standard input, by each package.
extern const char* const row_peers_script;

/// A package of Python and the results that it has, or why it has none.
struct row_peer {
  std::string name;  ///< with its version, where it has results
  std::vector<std::byte> results;
  std::string why;  ///< empty where there are results
};

/// The results of all packages that have the operation, of lines of `length` elements. Packages are looked for by the
/// Python that draws (python.hpp).
std::vector<row_peer> peers_of(row_operation operation, dtype type, std::span<const std::byte> elements,
                               std::size_t length, double eps);

}  // namespace onefold::cli
