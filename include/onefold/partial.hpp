// Partials: what is known of some elements of an array, joined with what is known of their neighbors to the bits of a
// reduction of them all; and accumulators, which make partials of elements that arrive in pieces. docs/partials.md
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/detail/partial.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/plan.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// What tells a user-defined operation from others: its type, and what compiled it.
template <class T, class Op>
const char* identity_of_operation() {
  static const std::string text = std::string(__PRETTY_FUNCTION__) + ' ' + __VERSION__;
  return text.c_str();
}

template <class T, class Op>
partial_kind kind_of_partial(accuracy mode) {
  partial_kind kind;
  kind.mode = mode;
  if constexpr (!is_supported<T, Op>) {
    return kind;
  } else if constexpr (cataloged_operation<Op>) {
    kind.operation = operation_index<Op>;
    kind.element = element_dtype<T>;
  } else {
    kind.own = &custom<Op, T>::record();
    kind.identity = identity_of_operation<T, Op>();
  }
  return kind;
}

/// Says that the elements of Data are not of type T.
template <class T, class Data>
struct explained_elements {
  static_assert(
      !verb_argument<Data>,
      "onefold: a contiguous range of the element type itself is expected: convert the elements, or copy those "
      "of a std::deque or a view, to a std::vector first");
};

/// A contiguous range of elements of type T. Of all else that is often taken for it, its constructor says why it is
/// not.
template <class T>
class part_elements : public std::span<const T> {
 public:
  part_elements() = default;
  /// Some elements.
  constexpr part_elements(const T* data, std::size_t n) : std::span<const T>(data, n) {}
  /// Those of what a span is made from.
  template <class Range>
  requires std::is_convertible_v<const Range&, std::span<const T>>
  constexpr part_elements(const Range& range) : std::span<const T>(range) {}
  /// A mistake.
  template <verb_argument Data>
  requires(!std::is_convertible_v<const Data&, std::span<const T>>) constexpr part_elements(const Data&) {
    if constexpr (reducible<Data> || plain_range<Data>)
      static_cast<void>(explained_elements<T, Data>{});
    else
      static_cast<void>(explained<Data>{});
  }
};

/// The result of a partial or an accumulator.
template <class T, class Op, class R, class Core>
R result_of_partial(const Core& core, const Op& op, const initial& init) {
  const std::optional<R> first = initial_value<R, Op>(init);
  R result;
  core.result(object_of(op), request_for<T, Op, R>(core.count(), first.has_value()), first ? &*first : nullptr,
              &result);
  return result;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

/// Elements that lie one after another, as the next() of dynamic_element_reader and of arrow_column returns them.
struct element_piece {
  const void* data;  ///< aligned for their type
  std::int64_t n;    ///< the number of elements
};

inline namespace ONEFOLD_LEVEL {

/// What is known of the elements [begin(), end()) of an array, whose length need not be known: raw elements up to the
/// first page border and after the last one, and the states of the aligned nodes between them (docs/partials.md). That
/// of an order-independent operation, and of accuracy exact, is one state.
///
/// A value: it can be copied, and different ones used by different threads. Of one that was moved from, everything but
/// assignment and destruction throws invalid_argument.
template <class T, class Op>
class partial : detail::described<T, Op> {
  static_assert(std::is_trivially_copyable_v<T>, "onefold: the elements of a partial must be trivially copyable");

 public:
  /// For no elements, at a position. Throws unsupported for an accuracy that the operation does not have,
  /// invalid_argument for a negative position.
  explicit partial(std::int64_t begin = 0,
                   onefold::accuracy mode = onefold::accuracy::native) requires std::default_initializable<Op>
      : partial(begin, mode, Op{}) {}
  /// The same, of an operation with members.
  partial(std::int64_t begin, onefold::accuracy mode, Op op)
      : op_(op), core_(detail::kind_of_partial<T, Op>(mode), begin) {}

  /// Of elements, the first of which is at a position in its array. `how` chooses what folds them, and the accuracy;
  /// its initial value is not used. Throws as accumulator does.
  explicit partial(detail::part_elements<T> elements, std::int64_t begin = 0, const options& how = {}, Op op = {})
      : partial(begin, how.accuracy, op) {
    detail::accumulator_core folded(core_, how, detail::request_for<T, Op, default_result<T, Op>>(0, false));
    folded.push(detail::object_of(op_), elements.data(), static_cast<std::int64_t>(elements.size()));
    core_ = folded.partial(detail::object_of(op_));
  }

  /// The position of the first element.
  std::int64_t begin() const { return core_.begin(); }
  /// The position after the last one. Where positions do not matter, begin() is the least of those that were joined.
  std::int64_t end() const { return core_.begin() + core_.count(); }
  /// How many elements there are.
  std::int64_t count() const { return core_.count(); }
  /// The accuracy of its state.
  onefold::accuracy accuracy() const { return core_.kind().mode; }

  /// The partial of the elements of both: `right` begins where `left` ends. Where positions do not matter, for
  /// order-independent operations and accuracy exact, any two can be joined, in any order; of argmin and argmax,
  /// neighbors in any order. Any grouping of joins has the same bits. Throws invalid_argument for others, and for two
  /// of different accuracies; overflow for more than 2^63 - 1 elements.
  friend partial join(partial left, const partial& right) {
    left.core_.append(detail::object_of(left.op_), right.core_);
    return left;
  }

  /// The bits of reduce<T, Op, R> over the elements. Throws as reduce does (empty_input, overflow), and
  /// invalid_argument where elements before begin() are missing: where the order matters, begin() must be 0.
  template <class R = default_result<T, Op>>
  R result(const initial& init = {}) const {
    return detail::result_of_partial<T, Op, R>(core_, op_, init);
  }

  /// The partial as bytes: the same on every machine, and however it was made. Those of a user-defined operation are
  /// its states as they lie in memory, gaps included, for programs that the same compiler made of the same types.
  std::vector<std::byte> save() const { return core_.save(); }

  /// What save() wrote, of any accuracy. Throws invalid_argument, with the reason, for bytes that have changed, are of
  /// another version, or hold a partial of another operation or element type; unsupported for one that this build
  /// leaves out.
  static partial load(std::span<const std::byte> bytes, Op op = {}) {
    return partial(detail::partial_core::load(bytes, detail::kind_of_partial<T, Op>(onefold::accuracy::native)), op);
  }

 private:
  template <class, class>
  friend class accumulator;
  partial(detail::partial_core core, Op op) : op_(op), core_(std::move(core)) {}

  [[no_unique_address]] Op op_;
  detail::partial_core core_;
};

/// Reduces elements that arrive in pieces of any length, with the bits of reduce over all of them: keeps the states of
/// whole pages and less than a page of raw elements. Pieces of a page or more are folded where they lie, at the speed
/// of reduce. One thread at a time may use it; those of several threads make partials that are joined.
template <class T, class Op>
class accumulator : detail::described<T, Op> {
 public:
  /// For no elements, the first of which will be at a position. `how` chooses a CPU backend with its threads, the
  /// accuracy and the initial value. Throws as plan's constructor does; unsupported for an accelerator, which elements
  /// in its memory do not need.
  explicit accumulator(const options& how = {}, std::int64_t begin = 0) requires std::default_initializable<Op>
      : accumulator(how, begin, Op{}) {}
  /// The same, of an operation with members.
  accumulator(const options& how, std::int64_t begin, Op op)
      : accumulator(onefold::partial<T, Op>(begin, how.accuracy, op), how) {}

  /// Goes on where a partial ends, whose accuracy comes before that of `how`.
  explicit accumulator(const onefold::partial<T, Op>& from, const options& how = {})
      : op_(from.op_),
        init_(how.init),
        core_(from.core_, how, detail::request_for<T, Op, default_result<T, Op>>(0, detail::is_given(how.init))) {}

  /// Takes the next elements; those in device memory are folded on their device. Throws overflow for more than 2^63 - 1
  /// of them, invalid_argument for device memory where a CPU backend was requested, and what the device says. If it
  /// throws, none was taken.
  void push(detail::part_elements<T> elements) { push(elements.data(), std::ssize(elements)); }
  /// The same; n must not be negative.
  void push(const T* data, std::int64_t n) { core_.push(detail::object_of(op_), data, n); }
  /// Takes one element.
  void push(const T& x) requires(!std::is_convertible_v<const T&, std::span<const T>>) { push(&x, 1); }

  /// @cond
  // Diagnostics for two iterators.
  template <verb_argument First>
  void push(const First&, detail::range_end) {
    static_cast<void>(detail::explained<First>{});
  }
  /// @endcond

  /// How many elements there are, with those of the partial that it began with.
  std::int64_t count() const { return core_.count(); }

  /// What is known of all elements so far.
  onefold::partial<T, Op> partial() const { return {core_.partial(detail::object_of(op_)), op_}; }

  /// The result of all elements so far, and of the options' initial value. Throws as partial's result.
  template <class R = default_result<T, Op>>
  R result() const {
    return detail::result_of_partial<T, Op, R>(core_, op_, init_);
  }

  /// What runs the longest piece so far, and why.
  run_report report() const { return core_.report(); }

 private:
  [[no_unique_address]] Op op_;
  initial init_;
  detail::accumulator_core core_;
};

/// The bits of reduce<T, Op, R> over an array whose parts, in this order, are ranges of memory of their own: one on
/// each GPU, for example, or some in host memory. Any lengths, including none. Parts in device memory are folded where
/// they are, those of different devices at once; those in host memory on the CPU. `how` as reduce's, but for `device`
/// and `devices`, which are left out. Throws as partial's constructor and result do.
template <class T, class Op, class R = default_result<T, Op>>
R reduce_parts(std::span<const std::span<const std::type_identity_t<T>>> parts, const options& how = {}, Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  std::vector<detail::array_part> all;
  for (const std::span<const T>& p : parts) all.push_back({p.data(), std::ssize(p)});
  const std::optional<R> init = detail::initial_value<R, Op>(how.init);
  R result;
  detail::reduce_parts(detail::kind_of_partial<T, Op>(how.accuracy), how,
                       detail::request_for<T, Op, R>(0, init.has_value()), detail::object_of(op), all,
                       init ? &*init : nullptr, &result);
  return result;
}
/// The same of spans that are written out: `reduce_parts<float, op::sum>({on_first_gpu, on_second_gpu})`.
template <class T, class Op, class R = default_result<T, Op>>
R reduce_parts(std::initializer_list<std::span<const std::type_identity_t<T>>> parts, const options& how = {},
               Op op = {}) {
  return reduce_parts<T, Op, R>(std::span<const std::span<const T>>(parts.begin(), parts.size()), how, op);
}

/// Where the parts of n elements of type T begin that `ranks` processes take, and where the last one ends: ranks + 1
/// positions. All but the last are page borders, where partials have no raw elements. Parts differ by a page at most;
/// the last ones may be empty. Throws invalid_argument for a negative n and less than one rank.
template <class T>
std::vector<std::int64_t> page_split(std::int64_t n, int ranks) {
  return detail::page_borders(n, ranks, sizeof(T));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
