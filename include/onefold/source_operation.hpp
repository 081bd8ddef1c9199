// Operations as text: C++ that the library compiles when it is first used.
#pragma once

#include <string>

#include "onefold/types.hpp"

namespace onefold {

/// A user-defined operation that is C++ source text at run time. The dynamic plans for arrays, axes, segments, keys and
/// selected elements take one in place of an operation of the catalog, and compile it when they are made: with the
/// system's C++ compiler and, if backend cuda is requested, with NVRTC for the GPU. What they make is kept in the
/// user's cache, so that the next process loads it in milliseconds. The bits are those of the same operation compiled
/// with the program. docs/source-operations.md has the rules.
///
/// The text is code: it runs with the privileges of the process that reduces.
struct source_operation {
  std::string name;            ///< of the struct in the text that is the operation: "cubes", "mine::cubes"
  dtype element = dtype::f32;  ///< the type of its elements
  std::string text;            ///< the struct, as docs/operations.md says, after what it needs
  std::string file = {};       ///< what the compiler's messages call the text; empty: the name
};

}  // namespace onefold
