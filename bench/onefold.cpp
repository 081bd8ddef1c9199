// This library as a contender: beside the peers, its accuracies and operations, its instruction sets.
#include <memory>
#include <type_traits>

#include "contender.hpp"
#include "lines.hpp"
#include "onefold/onefold.hpp"
#include "shapes.hpp"

namespace bench {
namespace {

namespace op = onefold::op;
using onefold::accuracy;

// A number of the result, for the check.
template <class R>
double number(const R& r) {
  if constexpr (std::is_arithmetic_v<R>)
    return static_cast<double>(r);
  else
    return 0;
}

template <class T, class Op>
contender made(const char* row, const std::string& name, const std::string& flavor, runtime needs,
               const onefold::options& how) {
  return {row, type_name<T>, name, flavor, needs, [how](std::int64_t n, int threads) {
            onefold::options o = how;
            o.threads = threads;
            const auto p = std::make_shared<onefold::plan<T, Op>>(n, o);
            return [p, n](const void* data) { return number((*p)(static_cast<const T*>(data), n)); };
          }};
}

template <class T>
void add_type(std::vector<contender>& list, runtime needs, const onefold::options& how, const std::string& who) {
  list.push_back(made<T, op::sum>("sum", "onefold", who, needs, how));
  if constexpr (std::is_floating_point_v<T>) {
    list.push_back(made<T, op::max>("max", "onefold", who, needs, how));
    const auto mode = [&]<class Op>(const std::string& name, accuracy a) {
      onefold::options o = how;
      o.accuracy = a;
      list.push_back(made<T, Op>("modes", name, who, needs, o));
    };
    mode.template operator()<op::sum>("sum", accuracy::native);
    mode.template operator()<op::sum>("sum-wide", accuracy::wide);
    mode.template operator()<op::sum>("sum-kahan", accuracy::kahan);
    mode.template operator()<op::moments>("moments", accuracy::native);
    mode.template operator()<op::max>("max", accuracy::native);
    mode.template operator()<op::argmax>("argmax", accuracy::native);
    mode.template operator()<op::minmax>("minmax", accuracy::native);
    for (const char* row : {"exact", "hostile"})
      for (const accuracy a : {accuracy::native, accuracy::exact}) {
        onefold::options o = how;
        o.accuracy = a;
        list.push_back(made<T, op::sum>(row, onefold::name_of(a), who, needs, o));
      }
    for (const onefold::isa level : onefold::isas()) {
      onefold::options o = how;
      o.isa = level;
      const auto add = [&]<class Op>(const std::string& name, accuracy a) {
        o.accuracy = a;
        list.push_back(made<T, Op>("levels", name, onefold::name_of(level), needs, o));
      };
      add.template operator()<op::sum>("sum", accuracy::native);
      add.template operator()<op::sum>("sum-kahan", accuracy::kahan);
      add.template operator()<op::max>("max", accuracy::native);
    }
  }
}

}  // namespace

void add_onefold(std::vector<contender>& list, runtime used, int threads) {
  onefold::options how;
  how.backend = threads == 1              ? onefold::backend::sequential
                : used == runtime::openmp ? onefold::backend::openmp
                                          : onefold::backend::tbb;
  const std::string who = onefold::name_of(how.backend);
  add_type<float>(list, used, how, who);
  add_type<double>(list, used, how, who);
  add_type<std::int8_t>(list, used, how, who);
  add_type<std::int16_t>(list, used, how, who);
  add_type<std::int32_t>(list, used, how, who);
  add_type<std::int64_t>(list, used, how, who);
  add_onefold_shapes(list, used, how);
  add_onefold_lines(list, used, how);
  if (threads == 1) add_onefold_operations(list, used);
}

}  // namespace bench
