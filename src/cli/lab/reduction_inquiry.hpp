// The laboratory of reductions as an inquiry.
#pragma once

#include <optional>
#include <vector>

#include "lab/inquiry.hpp"
#include "lab/laboratory.hpp"
#include "lab/streamed_study.hpp"

namespace onefold::cli {

/// A reduction that there is a reference for.
class reduction_inquiry final : public inquiry {
 public:
  explicit reduction_inquiry(experiment how) : how_(std::move(how)) {}

  std::string operation() const override;
  bool needs_c_order() const override { return false; }
  int passes(const specimen&) const override { return cli::passes(how_); }
  void examine(const specimen& what, std::span<const std::byte> elements, progress_counter& counted) override;
  bool takes_pieces() const override { return true; }
  void begin(dtype type) override { under_way_.emplace(type, how_); }
  void push(std::span<const std::byte> elements) override { under_way_->push(elements); }
  void end(const specimen& what) override { studies_.push_back(under_way_->end(what)); }
  void require_findings() const override;
  void complain() const override;
  std::string as_text() const override;
  std::string as_json() const override;
  std::string as_csv() const override;

 private:
  experiment how_;
  std::vector<study> studies_;
  std::optional<streamed_study> under_way_;
};

}  // namespace onefold::cli
