// What the library throws, and the value that replaces throwing.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "onefold/types.hpp"

namespace onefold {

/// What went wrong, for programs.
enum class error_code {
  invalid_argument,     ///< a null pointer, a negative count, an unknown name
  empty_input,          ///< no elements, and the operation has no identity
  unsupported,          ///< the operation does not exist for this type or accuracy
  backend_unavailable,  ///< the backend that was asked for cannot run this here
  device,               ///< an accelerator's own error
  overflow,             ///< the exact result is beyond the range of its type
};

/// The name of a kind of error: "invalid_argument", ...
ONEFOLD_API const char* name_of(error_code c);

/// Every exception of the library. The message names what, why, and what to do.
class ONEFOLD_API error : public std::runtime_error {
 public:
  /// An error of a kind.
  error(error_code code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /// The kind of error.
  error_code code() const noexcept { return code_; }

 private:
  error_code code_;
};

/// The error (invalid_argument) for a word that is not one of the names: `unknown backend "opnmp"; did you mean openmp?
/// Choices: ...`, without the question where no name is near (nearest_name). Control and other characters beyond ASCII
/// are escaped, and a long word is shortened.
ONEFOLD_API error unknown_name(std::string_view what, std::string_view word, std::span<const std::string_view> names);

/// A value or an error: what the `try_` forms return. Like std::expected of C++23.
template <class R>
class expected {
 public:
  /// A value.
  expected(R value) : content_(std::move(value)) {}
  /// An error.
  expected(onefold::error e) : content_(std::move(e)) {}

  /// Whether there is a value.
  bool has_value() const noexcept { return content_.index() == 0; }
  /// The same.
  explicit operator bool() const noexcept { return has_value(); }
  /// The value; throws the error if there is none.
  const R& value() const& {
    if (!has_value()) throw std::get<1>(content_);
    return std::get<0>(content_);
  }
  /// The value, moved out of a temporary.
  R value() && {
    if (!has_value()) throw std::get<1>(content_);
    return std::get<0>(std::move(content_));
  }
  /// The same as value().
  const R& operator*() const& { return value(); }
  /// The same as value().
  R operator*() && { return std::move(*this).value(); }
  /// The error; only when there is no value.
  const onefold::error& error() const { return std::get<1>(content_); }

 private:
  std::variant<R, onefold::error> content_;
};

}  // namespace onefold
