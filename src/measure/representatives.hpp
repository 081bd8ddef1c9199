// What a calibration measures of each class of operations: one for each element size.
#pragma once

#include "onefold/profile.hpp"
#include "onefold/reduce.hpp"

namespace onefold::measure {

/// Whom a class's price is taken from.
struct representative {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order in which one reads
  cost_class of;
  int operation;
  dtype element;
  accuracy mode;
};
inline constexpr representative representatives[] = {
    {cost_class::light, operation_index<op::sum>, dtype::i8, accuracy::native},
    {cost_class::light, operation_index<op::sum>, dtype::f16, accuracy::native},
    {cost_class::light, operation_index<op::sum>, dtype::i32, accuracy::native},
    {cost_class::light, operation_index<op::count>, dtype::f64, accuracy::native},
    {cost_class::search, operation_index<op::argmax>, dtype::f16, accuracy::native},
    {cost_class::search, operation_index<op::argmax>, dtype::f32, accuracy::native},
    {cost_class::search, operation_index<op::argmax>, dtype::f64, accuracy::native},
    {cost_class::moments, operation_index<op::variance>, dtype::i8, accuracy::native},
    {cost_class::moments, operation_index<op::variance>, dtype::f16, accuracy::native},
    {cost_class::moments, operation_index<op::variance>, dtype::f32, accuracy::native},
    {cost_class::moments, operation_index<op::variance>, dtype::f64, accuracy::native},
    {cost_class::wide, operation_index<op::mean>, dtype::i8, accuracy::native},
    {cost_class::wide, operation_index<op::sum>, dtype::f16, accuracy::wide},
    {cost_class::wide, operation_index<op::sum>, dtype::f32, accuracy::wide},
    {cost_class::wide, operation_index<op::sum>, dtype::f64, accuracy::wide},
    {cost_class::compensated, operation_index<op::mean>, dtype::i8, accuracy::kahan},
    {cost_class::compensated, operation_index<op::sum>, dtype::f16, accuracy::kahan},
    {cost_class::compensated, operation_index<op::sum>, dtype::f32, accuracy::kahan},
    {cost_class::compensated, operation_index<op::sum>, dtype::f64, accuracy::kahan},
    {cost_class::exact, operation_index<op::sum>, dtype::f16, accuracy::exact},
    {cost_class::exact, operation_index<op::sum>, dtype::f32, accuracy::exact},
    {cost_class::exact, operation_index<op::sum>, dtype::f64, accuracy::exact},
};

}  // namespace onefold::measure
