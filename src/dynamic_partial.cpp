// Partials and accumulators whose operation and types are known at run time only.
#include "onefold/dynamic_partial.hpp"

#include <utility>

#include "dynamic.hpp"
#include "resolve.hpp"

namespace onefold {
namespace {

detail::partial_kind cataloged_kind(int operation, dtype element, accuracy mode) {
  return {.operation = operation, .element = element, .mode = mode};
}

}  // namespace

dynamic_partial::dynamic_partial(detail::partial_core core) : core_(std::move(core)) {}

dynamic_partial::dynamic_partial(int operation, dtype element, std::int64_t begin, onefold::accuracy mode)
    : core_(cataloged_kind(operation, element, mode), begin) {}

dynamic_partial::dynamic_partial(std::string_view operation, std::string_view element, std::int64_t begin,
                                 std::string_view accuracy)
    : dynamic_partial(operation_named(operation), dtype_named(element), begin, accuracy_named(accuracy)) {}

dynamic_partial join(dynamic_partial left, const dynamic_partial& right) {
  left.core_.append(nullptr, right.core_);
  return left;
}

std::vector<scalar> dynamic_partial::result(const initial& init, std::optional<dtype> result) const {
  options how;  // nothing is folded but the last raw elements
  how.backend = backend::sequential;
  how.environment = false;
  how.init = init;
  return dynamic_accumulator(*this, how, result).result();
}

dynamic_partial dynamic_partial::load(std::span<const std::byte> bytes) {
  return dynamic_partial(detail::partial_core::load(bytes));
}

dynamic_accumulator::dynamic_accumulator(const dynamic_partial& from, const options& how, std::optional<dtype> result)
    : dynamic_results(from.operation(), from.element(), detail::with_accuracy(how, from.accuracy()), result),
      core_(from.core_, how, detail::request_for(from.operation(), from.element(), 0, init() != nullptr, *layout_)) {}

dynamic_accumulator::dynamic_accumulator(int operation, dtype element, const options& how, std::int64_t begin,
                                         std::optional<dtype> result)
    : dynamic_accumulator(dynamic_partial(operation, element, begin, how.accuracy), how, result) {}

dynamic_partial dynamic_accumulator::partial() const { return dynamic_partial(core_.partial(nullptr)); }

void dynamic_accumulator::write_result(void* result) const {
  const detail::partial_kind& of = core_.kind();
  core_.result(nullptr, detail::request_for(of.operation, of.element, core_.count(), init() != nullptr, *layout_),
               init(), result);
}

std::vector<scalar> dynamic_accumulator::result() const {
  alignas(result_alignment) std::byte memory[most_result_size];
  write_result(memory);
  return scalars(memory);
}

}  // namespace onefold
