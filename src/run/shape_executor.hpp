// Runs a reduction over some axes on the CPU: many outputs, shared out page by page.
#pragma once

#include <cstdint>
#include <optional>

#include "choose.hpp"
#include "onefold/problem.hpp"
#include "run/mapped_reader.hpp"
#include "run/piece_scratch.hpp"

namespace onefold::detail {

/// A CPU backend with the memory that all threads need for a shape. Outputs of up to a page are shared out whole, and
/// longer ones cut at any page: a thread leaves nodes for an output that it did not fold alone, and these are joined at
/// the end. The caller guards the floating-point environment, and has checked the arguments.
class shape_executor {
 public:
  explicit shape_executor(const choice& c);
  ~shape_executor() { c_.scheduler->close(handle_); }
  shape_executor(const shape_executor&) = delete;
  shape_executor& operator=(const shape_executor&) = delete;

  /// Reduces all outputs, which lie one after the other at `results`.
  void run(const void* op, const void* data, const void* init, void* results);
  /// The same of computed elements, which a choice with a mapping is for.
  void run(const void* op, const mapped_source& from, const void* init, void* results);

 private:
  enum class layout { rows, columns };
  struct call;

  void run(call c);

  /// Whether elements of neighboring outputs are nearer to each other than those of one output.
  bool are_near() const;
  std::int64_t groups_in_line() const { return (inner_.extent + width_ - 1) / width_; }

  const choice& c_;
  problem p_;
  std::optional<mapped_reader> reader_;  ///< of computed elements
  layout layout_;                        ///< as elements are folded,
  bool tiled_;                           ///< after they are gathered or computed in a tile
  axis inner_;                           ///< the kept axis along which blocks of outputs lie
  std::int64_t pages_;                   ///< of an output
  std::int64_t width_ = 1;               ///< longer outputs that are folded at once
  std::int64_t pitch_ = 0;               ///< elements from one output of a tile to the next
  std::int64_t groups_;                  ///< of this many
  std::optional<piece_scratch> scratch_;
  void* handle_;
};

}  // namespace onefold::detail
