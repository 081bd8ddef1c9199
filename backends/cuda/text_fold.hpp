// Folds of operations as text, whose kernels were compiled while the program runs.
#pragma once

#include "onefold/backend.hpp"

namespace onefold::cuda {

/// Loads the kernels and makes the record that launches them. Both stay until the process ends.
const device_fold& load_text_fold(const loadable_kernels& from);

}  // namespace onefold::cuda
