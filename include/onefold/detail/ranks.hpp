// What the ranks of a communicator tell each other, whatever carries it: a partial, or why there is none, as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "onefold/partial.hpp"

namespace onefold::detail {

/// Why a rank has no partial. Kinds from `library` on are the error_codes, counted from there.
struct failure {
  enum : std::uint8_t { none, memory, other, library };
  std::uint8_t kind = none;
  std::string text;

  explicit operator bool() const { return kind != none; }
  [[noreturn]] void raise() const {
    if (kind == memory) throw std::bad_alloc();
    if (kind == other) throw std::runtime_error(text);
    throw error(static_cast<error_code>(kind - library), text);
  }
};

/// Calls f; why that failed, if it did. Rank 0 fails as all do: only other ranks are named.
template <class Function>
failure attempt(int rank, Function f) {
  const auto named = [&](const char* what) {
    return rank == 0 ? std::string(what) : "rank " + std::to_string(rank) + ": " + what;
  };
  try {
    f();
    return {};
  } catch (const error& e) {
    return {static_cast<std::uint8_t>(failure::library + static_cast<int>(e.code())), named(e.what())};
  } catch (const std::bad_alloc&) {
    return {failure::memory, {}};
  } catch (const std::exception& e) {
    return {failure::other, named(e.what())};
  } catch (...) {
    return {failure::other, named("an exception that is not a std::exception")};
  }
}

/// Throws invalid_argument for a root that is none of so many ranks.
inline void require_root(int root, int ranks) {
  if (root < 0 || root >= ranks)
    throw error(error_code::invalid_argument, "the root is rank " + std::to_string(root) +
                                                  "; the communicator has the ranks 0 to " + std::to_string(ranks - 1));
}

/// A partial's bytes, or the text of a failure; then the failure's kind.
using message = std::vector<std::byte>;

inline namespace ONEFOLD_LEVEL {

/// A partial, or an array of them, or why a rank has none.
template <class Partial, class Op>
class part {
 public:
  /// What `make` returns.
  template <class Function>
  part(int rank, Function make) : rank_(rank) {
    why_ = attempt(rank, [&] { value_.emplace(make()); });
  }
  /// What another rank's message holds.
  part(int rank, const Op& op, message bytes) : rank_(rank) {
    const auto kind = static_cast<std::uint8_t>(bytes.back());
    bytes.pop_back();
    if (kind != failure::none)
      why_ = {kind, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
    else
      why_ = attempt(rank, [&] { value_.emplace(Partial::load(bytes, op)); });
  }

  const failure& why() const { return why_; }
  Partial& value() { return *value_; }

  /// Takes the elements that come after its own. The failure of lower ranks comes first.
  void append(const part& right) {
    if (!why_) why_ = right.why_;
    if (!why_) why_ = attempt(rank_, [&] { value_.emplace(join(std::move(*value_), *right.value_)); });
  }

  /// Takes the elements that come before its own.
  void prepend(part left) {
    left.append(*this);
    why_ = std::move(left.why_);
    if (!why_) value_.emplace(std::move(*left.value_));  // there are operations that cannot be assigned
  }

  /// The message that tells another rank, of at most `most` bytes.
  message pack(std::size_t most) const {
    message bytes;
    failure why = why_;
    if (!why) why = attempt(rank_, [&] { bytes = saved(most); });
    if (why) {
      const auto text = std::as_bytes(std::span(why.text));
      bytes.assign(text.begin(), text.end());
    }
    bytes.push_back(static_cast<std::byte>(why.kind));
    return bytes;
  }

 private:
  message saved(std::size_t most) const {
    message bytes = value_->save();
    if (bytes.size() >= most)
      throw error(error_code::unsupported, "a partial of " + std::to_string(bytes.size()) +
                                               " bytes does not fit into a message between ranks, which has at most " +
                                               std::to_string(most - 1));
    bytes.reserve(bytes.size() + 1);  // for the kind
    return bytes;
  }

  int rank_;
  std::optional<Partial> value_;
  failure why_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
