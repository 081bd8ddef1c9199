// The laboratory for arrays that are not kept: every way takes each piece before the next one is read.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "lab/laboratory.hpp"
#include "lab/left_fold.hpp"
#include "onefold/dynamic_partial.hpp"

namespace onefold::cli {

/// An examination that is under way. Times are those of one pass.
class streamed_study {
 public:
  /// Of elements of a type. Throws as `examine` does where something cannot run.
  streamed_study(dtype type, const experiment& how);

  /// Takes the next elements.
  void push(std::span<const std::byte> elements);

  /// What was found out, as `examine` has it of the whole array. Throws as that.
  study end(const specimen& what) const;

 private:
  struct spent {
    double seconds = 0, waited = 0;  ///< seconds in all, and for which threads waited for a processor
    template <class Call>
    void count(const Call& call);
    void write(finding& f) const;
  };
  struct way {
    accuracy mode;
    backend who;
    dynamic_accumulator by;
    spent time;
  };

  experiment how_;
  dtype type_;
  std::unique_ptr<exact_reference> exact_;
  left_fold loop_;
  spent time_of_loop_;
  std::vector<way> ways_;
  std::vector<missing> left_out_;
};

}  // namespace onefold::cli
