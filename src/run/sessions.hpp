// What a plan has opened: the backend that it chose and, where data turns up elsewhere, accelerators.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "choose.hpp"
#include "onefold/error.hpp"
#include "run/checks.hpp"

namespace onefold::detail {

/// A plan's sessions. A Session is made from a choice and what the plan gives along, and has the choice as `chosen`.
template <class Session>
class sessions {
 public:
  /// Opens what a plan chose.
  template <class... Given>
  explicit sessions(const choice& chosen, const Given&... given) : first_(chosen, given...) {}
  sessions(const sessions&) = delete;
  sessions& operator=(const sessions&) = delete;

  /// What the plan chose.
  const choice& planned() const { return first_.chosen; }

  /// The session that was asked for last: at first, what the plan chose.
  Session& last() { return *last_; }
  const Session& last() const { return *last_; }

  /// The session for n elements that are there. Comparing estimates takes a part of a microsecond: a call for as many
  /// elements in memory of the same kind is given the same answer.
  template <class... Given>
  Session& find(const memory_location& data, std::int64_t n, comparison* compared, const Given&... given) {
    if (data == last_data_ && n == last_n_) return *last_;
    const choice c = choice_for(first_.chosen, data, n, compared);
    last_ = &session_of(c, given...);
    last_data_ = data;
    last_n_ = n;
    return *last_;
  }

 private:
  template <class... Given>
  Session& session_of(const choice& c, const Given&... given) {
    if (c.backend == first_.chosen.backend) return first_;
    std::optional<Session>& other = others_[index_of(c.backend)];
    if (!other) other.emplace(c, given...);
    other->chosen.why = c.why;
    return *other;
  }

  Session first_;
  /// Accelerators, where data turns up that they alone can read, or faster.
  std::array<std::optional<Session>, accelerator_count> others_;
  Session* last_ = &first_;
  memory_location last_data_{};  ///< what the last session was chosen for
  std::int64_t last_n_ = -1;
};

/// What a plan that was not moved from points to. Throws invalid_argument for another one.
template <class Impl>
inline Impl& impl_in(Impl* impl) {
  if (!impl) [[unlikely]]
    refuse("the plan was moved from; assign another plan to it first");
  return *impl;
}

}  // namespace onefold::detail
