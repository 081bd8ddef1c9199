// The tables of recipes: one per element type and instruction-set level, each made by its own compilation of fold.cpp,
// those of scans by scan.cpp, the functions of row operations by row_operation.cpp, and computed_pages.cpp.
#pragma once

#include "computed_pages.hpp"
#include "onefold/catalog.hpp"
#include "onefold/recipe.hpp"
#include "onefold/scan_recipe.hpp"
#include "row_recipe.hpp"

namespace onefold::detail {

/// Names of the levels that fold.cpp is compiled for, as types.
namespace level {
struct baseline;
struct v2;
struct v3;
struct v4;
}  // namespace level

/// Records of the catalog's entries. Plain arrays: a std::array's functions would be shared between levels.
template <class Record>
struct entry_table {
  static constexpr unsigned char none = 255;
  const Record* records;
  unsigned char place[operations::size][accuracy_count];  ///< index of an entry's record, or none
};
using recipe_table = entry_table<recipe>;
/// Above the lowest level it has only the operations that have a scan verb.
using scan_table = entry_table<scan_recipe>;

/// The recipes of all operations over element type T at a level.
template <class T, class Level>
const recipe_table& instances();

/// The scan recipes over element type T at a level.
template <class T, class Level>
const scan_table& scan_instances();

/// The functions of row operations over a floating-point element type T at a level.
template <class T, class Level>
const row_recipe& row_instance();

/// The folds of computed pages of T, f32 or f64, at a level.
template <class T, class Level>
const computed_pages& computed_instance();

/// recipe::finish of an entry, compiled for one level: nothing is gained by the instructions of a higher one.
template <class Level, int Operation, accuracy Accuracy, dtype Element>
const char* finish_at(const void* op, const void* state, std::int64_t n, const void* init, dtype result_type,
                      void* result, void* room);

}  // namespace onefold::detail
