// A reduction chosen at run time is the typed one: for every entry of the catalog, in every result type.
#include <cstring>
#include <vector>

#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::dtype;
using support::result_bits;

/// A typed reduction without its types.
struct typed {
  int operation;
  dtype element, own_type, result;  ///< `other`: a result of several numbers
  const void* data;
  int size;  ///< bytes of the result
  result_bits (*reduce)(const void* data, std::int64_t n, const onefold::options& how);
  result_bits (*read)(const void* result);
};

template <class T, class Op, class R>
result_bits reduced(const void* data, std::int64_t n, const onefold::options& how) {
  return support::bits_of(onefold::reduce<T, Op, R>(static_cast<const T*>(data), n, how));
}

template <class R>
result_bits read(const void* bytes) {
  R result;
  std::memcpy(static_cast<void*>(&result), bytes, sizeof result);
  return support::bits_of(result);
}

/// What f gives, or its error as text.
template <class F>
std::string outcome(F f) {
  try {
    return support::text_of(f());
  } catch (const onefold::error& e) {
    return e.what();
  }
}

result_bits bits_of(const std::vector<onefold::scalar>& values) {
  result_bits bits;
  for (const onefold::scalar& s : values) bits.push_back(s.bits);
  return bits;
}

int checks = 0, empty = 0, wide = 0, declined = 0;

void check(const typed& t, std::int64_t n, const onefold::options& how, std::optional<dtype> result) {
  INFO(onefold::operation_infos()[static_cast<std::size_t>(t.operation)].name
       << " of " << n << ' ' << onefold::name_of(t.element) << " to " << onefold::name_of(t.result)
       << (result ? ", named" : ""));
  const std::string wanted = outcome([&] { return t.reduce(t.data, n, how); });
  alignas(onefold::result_alignment) std::byte bytes[onefold::most_result_size];
  std::memset(bytes, 0xa5, sizeof bytes);
  ++checks;
  if (onefold::why_not(t.operation, t.element, how.accuracy)) {
    CHECK(outcome([&] {
            return bits_of(onefold::reduce_dynamic(t.operation, t.element, t.data, n, how, result).values);
          }) == wanted);
    ++declined;
    return;
  }
  const auto plan = [&] { return onefold::dynamic_plan(t.operation, t.element, n, how, result); };
  CHECK(plan().result_size() == t.size);
  CHECK(outcome([&] {
          plan().run(t.data, n, bytes);
          return t.read(bytes);
        }) == wanted);
  for (int i = t.size; i < onefold::most_result_size; ++i) CHECK(bytes[i] == std::byte{0xa5});
  CHECK(outcome([&] { return bits_of(plan().run(t.data, n).values); }) == wanted);
  CHECK(outcome([&] {
          return bits_of(onefold::reduce_dynamic(t.operation, t.element, t.data, n, how, result).values);
        }) == wanted);
  const auto members = plan().members();
  if (t.result != dtype::other) {
    REQUIRE(members.size() == 1);
    CHECK(members[0].type == t.result);
    CHECK(members[0].name == std::string("value"));
  }
  empty += wanted.find("no elements") != std::string::npos;
  wide += members.size() > 1;
}

void check_all(const typed& t, bool takes_init) {
  onefold::options how{.backend = onefold::backend::sequential};
  std::vector<std::optional<dtype>> names;
  if (t.result == t.own_type) names.push_back(std::nullopt);
  if (t.result != dtype::other) names.push_back(t.result);
  for (int a = 0; a < onefold::accuracy_count; ++a) {
    how.accuracy = static_cast<onefold::accuracy>(a);
    for (const auto& name : names)
      for (const std::int64_t n : {0, 1, 77, 20'000}) {
        how.init = {};
        check(t, n, how, name);
        how.init = 1;
        if (takes_init) check(t, n, how, name);
      }
  }
}

template <class T, class Op, class R>
typed erased(const std::vector<T>& x) {
  constexpr auto type = []<class X>(X) { return onefold::dtype_of<X>; };
  return {onefold::operation_index<Op>,
          onefold::dtype_of<T>,
          type(onefold::default_result<T, Op>{}),
          type(R{}),
          x.data(),
          sizeof(R),
          reduced<T, Op, R>,
          read<R>};
}

}  // namespace

TEST_CASE("every entry in every result type, bytes and numbers") {
  onefold::for_each_entry([]<class Op, class T>() {
    if (onefold::why_not(onefold::operation_index<Op>, onefold::dtype_of<T>, onefold::accuracy::native)) return;
    std::vector<T> x;
    if constexpr (support::is_float<T>)
      x = support::lognormal_data<T>(20'000, 5);
    else
      x = support::integer_data<T>(20'000, 5);
    using own = onefold::default_result<T, Op>;
    check_all(erased<T, Op, own>(x), Op::takes_init);
    if constexpr (Op::rounded)
      onefold::for_each_type(onefold::element_types{}, [&]<class R>() {
        if constexpr (onefold::detail::returns<Op, T, R> && !std::is_same_v<R, own>)
          check_all(erased<T, Op, R>(x), Op::takes_init);
      });
  });
  CHECK(checks > 1000);
  CHECK(empty > 100);
  CHECK(wide > 100);
  CHECK(declined > 100);
}

TEST_CASE("no other type is a result") {
  int refused = 0, accepted = 0;
  for (int operation = 0; operation < onefold::operations::size; ++operation)
    for (int e = 0; e < onefold::element_types::size; ++e) {
      const auto element = static_cast<dtype>(e);
      if (onefold::why_not(operation, element, onefold::accuracy::native)) continue;
      const auto& info = onefold::operation_infos()[static_cast<std::size_t>(operation)];
      const auto own = onefold::dynamic_plan(operation, element, 1).members();
      for (int r = 0; r <= static_cast<int>(dtype::other); ++r) {
        const auto result = static_cast<dtype>(r);
        const bool small = result == dtype::f16 || result == dtype::bf16;
        const bool rounds = result == dtype::f32 || result == dtype::f64 || (small && element <= dtype::bf16);
        const bool possible = (own.size() == 1 && result == own[0].type) || (info.rounded && rounds);
        std::string said;
        try {
          onefold::dynamic_plan(operation, element, 1, {}, result);
        } catch (const onefold::error& error) {
          CHECK(error.code() == onefold::error_code::unsupported);
          said = error.what();
        }
        INFO(info.name << " of " << onefold::name_of(element) << " to " << onefold::name_of(result) << ": " << said);
        CHECK(said.empty() == possible);
        ++(possible ? accepted : refused);
      }
    }
  CHECK(accepted > 300);
  CHECK(refused > 1000);
}
