// The tables of recipes: one per element type and instruction-set level, each made by its own compilation of fold.cpp.
#pragma once

#include "onefold/operations.hpp"
#include "onefold/recipe.hpp"

namespace onefold::detail {

/// Names of the levels that fold.cpp is compiled for, as types.
namespace level {
struct baseline;
struct v2;
struct v3;
struct v4;
}  // namespace level

/// Plain arrays: a std::array's functions would be shared between levels.
struct recipe_table {
  recipe rows[operations::size][accuracy_count];
};

/// The recipes of all operations over element type T at a level; an entry without functions does not exist.
template <class T, class Level>
const recipe_table& instances();

}  // namespace onefold::detail
