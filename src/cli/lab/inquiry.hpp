// What both laboratories, of reductions and of row operations, are to `onefold accuracy`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "input/progress_counter.hpp"
#include "lab/specimen.hpp"

namespace onefold::cli {

/// A question about arrays, and what was found out so far.
class inquiry {
 public:
  virtual ~inquiry() = default;

  /// The operation's name.
  virtual std::string operation() const = 0;
  /// Whether elements have to be read in C order.
  virtual bool needs_c_order() const = 0;
  /// How many times the examination of an array passes over its elements, for the progress line. Throws failure or
  /// error where there is none: before the work.
  virtual int passes(const specimen& what) const = 0;
  /// Examines an array and keeps what was found. Throws as the operation does.
  virtual void examine(const specimen& what, std::span<const std::byte> elements, progress_counter& counted) = 0;

  /// Whether it examines an array while it is read, too, without keeping it.
  virtual bool takes_pieces() const { return false; }
  /// Begins such an examination, takes the next elements, and keeps what was found. Throw as `examine`.
  virtual void begin(dtype) {}
  virtual void push(std::span<const std::byte>) {}
  virtual void end(const specimen&) {}

  /// Throws an error, the first reason, where nothing that was asked for could run.
  virtual void require_findings() const = 0;
  /// Throws failure where something was found that must not be: a bug.
  virtual void complain() const = 0;

  /// What was found: tables for people, one JSON object on one line, and a line for each finding below their names.
  virtual std::string as_text() const = 0;
  virtual std::string as_json() const = 0;
  virtual std::string as_csv() const = 0;
};

}  // namespace onefold::cli
