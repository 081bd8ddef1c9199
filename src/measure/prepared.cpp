// One class for each entry of the catalogue, behind an interface of four functions.
#include "measure/prepared.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "onefold/error.hpp"
#include "onefold/reduce.hpp"
#include "scalars.hpp"

namespace onefold::measure {

class prepared::reduction {
 public:
  virtual ~reduction() = default;
  virtual void repeat(arena& data, std::int64_t n, std::int64_t calls) = 0;
  virtual void run(const void* data, std::int64_t n) = 0;
  virtual void enqueue(const void* data, std::int64_t n, void* result, CUstream_st* stream) = 0;
  virtual std::vector<scalar> result() const = 0;
  virtual run_report report() const = 0;
};

namespace {

template <class Op, class T>
class entry : public prepared::reduction {
 public:
  entry(std::int64_t n, const options& how) : plan_(n, how) {}
  void repeat(arena& data, std::int64_t n, std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) last_ = plan_(reinterpret_cast<const T*>(data.next()), n);
  }
  void run(const void* data, std::int64_t n) override { last_ = plan_(static_cast<const T*>(data), n); }
  void enqueue(const void* data, std::int64_t n, void* result, CUstream_st* stream) override {
    static_assert(sizeof(result_type) <= 64);
    plan_.enqueue(static_cast<const T*>(data), n, static_cast<result_type*>(result), stream);
  }
  std::vector<scalar> result() const override { return detail::scalars_of(last_); }
  run_report report() const override { return plan_.report(); }

 private:
  using result_type = default_result<T, Op>;
  plan<T, Op> plan_;
  result_type last_{};
};

using maker = std::unique_ptr<prepared::reduction> (*)(std::int64_t n, const options& how);
using maker_table = std::array<std::array<maker, element_types::size>, operations::size>;

constexpr maker_table makers = [] {
  maker_table table{};
  for_each_entry([&]<class Op, class T>() {
    table[static_cast<std::size_t>(operation_index<Op>)][static_cast<std::size_t>(dtype_of<T>)] =
        [](std::int64_t n, const options& how) -> std::unique_ptr<prepared::reduction> {
      return std::make_unique<entry<Op, T>>(n, how);
    };
  });
  return table;
}();

std::unique_ptr<prepared::reduction> made(int operation, dtype element, std::int64_t n, const options& how) {
  if (const char* reason = why_not(operation, element, how.accuracy))
    throw error(error_code::unsupported, std::string("the catalogue does not have this: ") + reason);
  return makers[static_cast<std::size_t>(operation)][static_cast<std::size_t>(element)](n, how);
}

}  // namespace

prepared::prepared(int operation, dtype element, std::int64_t n, const options& how)
    : plan_(made(operation, element, n, how)) {}
prepared::prepared(prepared&&) noexcept = default;
prepared::~prepared() = default;

void prepared::repeat(arena& data, std::int64_t n, std::int64_t calls) { plan_->repeat(data, n, calls); }
void prepared::run(const void* data, std::int64_t n) { plan_->run(data, n); }
void prepared::enqueue(const void* data, std::int64_t n, void* result, CUstream_st* stream) {
  plan_->enqueue(data, n, result, stream);
}
std::vector<scalar> prepared::result() const { return plan_->result(); }
run_report prepared::report() const { return plan_->report(); }

bool same_bits(const std::vector<scalar>& a, const std::vector<scalar>& b) {
  return std::ranges::equal(a, b,
                            [](const scalar& x, const scalar& y) { return x.type == y.type && x.bits == y.bits; });
}

}  // namespace onefold::measure
