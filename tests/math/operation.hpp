// softplus_sum of operation.cpp, at each level.
#pragma once

#include <vector>

#include "onefold/options.hpp"

float math_operation_baseline(const std::vector<float>& x, const onefold::options& how);
#ifdef __x86_64__
float math_operation_v2(const std::vector<float>& x, const onefold::options& how);
float math_operation_v3(const std::vector<float>& x, const onefold::options& how);
float math_operation_v4(const std::vector<float>& x, const onefold::options& how);
#endif
