// Operations on rows of one element type for the device. The build defines ONEFOLD_ELEMENT.
#include "instances.hpp"
#include "rows/launch.cuh"

namespace onefold::cuda {
namespace {

using functions = detail::row_functions<ONEFOLD_ELEMENT>;
constinit const row_kernels rows = {functions::slot_bytes, functions::launch};

}  // namespace

template <>
const row_kernels& rows_over<ONEFOLD_ELEMENT>() {
  return rows;
}

}  // namespace onefold::cuda
