#include "lab/streamed_study.hpp"

#include <chrono>
#include <utility>

#include "elements.hpp"
#include "measure/noise.hpp"

namespace onefold::cli {

template <class Call>
void streamed_study::spent::count(const Call& call) {
  const measure::watch watched;
  const auto start = std::chrono::steady_clock::now();
  call();
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  seconds += took;
  waited += took * watched.waited();
}

void streamed_study::spent::write(finding& f) const {
  f.seconds = seconds;
  f.waited = seconds > 0 ? waited / seconds : 0;
  f.noisy = measure::is_noisy(f.waited, 0);
}

streamed_study::streamed_study(dtype type, const experiment& how)
    : how_(how), type_(type), exact_(reference_of(how.operation, type)), loop_(how.operation, type) {
  for (const accuracy a : how.accuracies)
    for (const backend who : how.backends) try {
        options chosen = how.how;
        chosen.backend = who;
        chosen.accuracy = a;
        ways_.push_back({a, who, dynamic_accumulator(how.operation, type, chosen), {}});
      } catch (const error& e) {
        if (how.strict || !is_missing(e.code())) throw;
        left_out_.push_back({name_of(a), who, e.what(), e.code()});
      }
}

void streamed_study::push(std::span<const std::byte> elements) {
  progress_counter unseen;  // the reading is counted
  exact_->push(elements, unseen);
  time_of_loop_.count([&] { loop_.push(elements); });
  const std::int64_t n = detail::elements_in(static_cast<std::int64_t>(elements.size()), type_);
  for (way& w : ways_) w.time.count([&] { w.by.push(elements.data(), n); });
}

study streamed_study::end(const specimen& what) const {
  finding of_loop = judged("left fold", loop_.value(), *exact_);
  time_of_loop_.write(of_loop);
  study s{what, exact_->rounded(of_loop.value.type), exact_->magnitude(), exact_->condition(), {}, left_out_};
  s.findings.push_back(std::move(of_loop));
  for (const way& w : ways_) try {
      finding f = judged(w.mode, w.by.result().front(), w.by.report(), *exact_);
      w.time.write(f);
      s.add(std::move(f));
    } catch (const error& e) {
      if (how_.strict || !is_missing(e.code())) throw;
      s.left_out.push_back({name_of(w.mode), w.who, e.what(), e.code()});
    }
  return s;
}

}  // namespace onefold::cli
