// A session that reduces what a function computes: by a fold that computes its elements, where there is one for the
// function; else elements are computed into a buffer, a part at a time that stays in the device's cache, and folded
// there.
#pragma once

#include <algorithm>
#include <cstring>

#include "map_chunks.hpp"
#include "mapped_arrays.hpp"
#include "node_session.hpp"

namespace onefold::cuda {

/// What accelerator::run_mapped does.
class map_session : public node_session {
 public:
  void run_mapped(const void* op, const mapped_source& from, const void* init, bool finished, void* out) {
    const profiled range("onefold reduce computed elements");
    const current_device here(device_);
    const bool was_clean = clean_;
    clean_ = false;
    const device_map& map = map_for(from, chunks_.arrays().arrays);
    map_launch how = launch_on_device(chunks_.arrays(), from);
    const mapped_fold* const fused = map.fold_of && operation_ >= 0 ? map.fold_of(operation_, mode_) : nullptr;
    const problem& p = chunks_.first();
    if (chunks_.outputs() == 0) {
      run_long(op, map, chunks_.are_contiguous() ? fused : nullptr, how, init, finished, out);
    } else if (fused && fused->launch_outputs && p.n * host_.element_size >= least_computed_row &&
               chunks_.are_rows_of_words(how, from)) {
      scratch_->pages.grow(fold_.shape_slot_bytes(fold_, p));
      chunks_.choose_all(how);
      run_outputs(op, nullptr, p.outputs, init, finished, out, [&](const device_launch& fold, std::int32_t distance) {
        return fused->launch_outputs(fold, how, distance);
      });
    } else {
      how.to = buffer();
      run_outputs(op, how.to, p.outputs, init, finished, out, [&](device_launch fold, std::int32_t distance) {
        fold.follows = p.n > 0;
        return chunks_.launch(map, how, fold_, fold, distance);
      });
    }
    clean_ = was_clean;
  }

 protected:
  explicit map_session(const accelerator_work& what) : node_session(what), mode_(what.mode) {
    if (!what.maps) return;
    const current_device here(device_);
    chunks_ = map_chunks(*what.maps, host_.element_size, piece_bytes);
    const problem& p = chunks_.first();
    if (p.outputs == 0) return;
    const std::int64_t count = chunks_.outputs(), last = count > 0 ? p.outputs % count : 0;
    if (count == 0) {
      piece_ = piece_of(host_, p.n);
      reserve_for_state(p.n);
    }
    if (count > 0) scratch_->pages.grow(fold_.shape_slot_bytes(fold_, chunks_.shape(count)));
    if (last > 0) scratch_->pages.grow(fold_.shape_slot_bytes(fold_, chunks_.shape(last)));
  }
  /// Whether it was opened for computed elements.
  bool maps() const { return chunks_.arrays().arrays > 0; }

 private:
  /// What elements are computed into, a chunk or a piece at a time.
  void* buffer() {
    const problem& p = chunks_.first();
    const std::int64_t elements = chunks_.outputs() == 0 ? std::min(piece_, p.n) : chunks_.outputs() * p.n;
    scratch_->buffers[0].grow(elements * host_.element_size + 32);  // as whole words of 16 bytes
    return scratch_->buffers[0].data();
  }

  /// Reduces outputs as whole arrays: each by one launch of `fused` or, where that is null, in pieces, whose states
  /// meet on the host.
  void run_long(const void* op, const device_map& map, const mapped_fold* fused, map_launch how, const void* init,
                bool finished, void* out) {
    const problem& p = chunks_.first();
    if (!fused) how.to = buffer();
    device_launch fold = launch_of(op);
    fold.stream = how.stream;
    fold.follows = !fused;
    const std::int64_t size = finished ? result_size_ : static_cast<std::int64_t>(host_.state_size);
    scratch_->staging[0].grow(p.outputs * size);
    scratch_->states.grow(3 * host_.state_size);  // a state, and the room of finish
    char* result = static_cast<char*>(scratch_->staging[0].host());
    const node_run whole{nullptr, 0, p.n};
    for (std::int64_t o = 0; o < p.outputs; ++o, result += size) {
      if (fused) {
        chunks_.choose_piece(how, o, 0, p.n);
        fold.n = p.n;
        run_state(fold, static_cast<char*>(scratch_->states.host()),
                  [&](const device_launch& one) { return fused->launch(one, how); });
      } else {
        fold_pieces(*scratch_, host_, fold_, fold, {&whole, 1}, piece_,
                    [&](const node_run&, std::int64_t at, std::int64_t n, const auto& fold_there) {
                      chunks_.choose_piece(how, o, at, n);
                      check(static_cast<cudaError_t>(map.launch(how)), "the launch of a kernel");
                      how.follows = true;
                      fold_there(how.to);
                    });
      }
      auto* const state = static_cast<char*>(scratch_->states.host());
      if (finished)  // where there always is a result: else the library finishes
        host_.finish(op, state, p.n, init, dtype::other, result, state + host_.state_size);
      else
        std::memcpy(result, state, host_.state_size);
    }
    const auto bytes = static_cast<std::size_t>(p.outputs * size);
    const void* const results = scratch_->staging[0].host();
    if (memory_kind_of(out, device_) != memory_kind::device) {
      std::memcpy(out, results, bytes);
      return;
    }
    check(cudaMemcpy(out, results, bytes, cudaMemcpyDefault), "a copy");
    check(cudaStreamSynchronize(cudaStreamLegacy), "a copy");
  }

  /// Bytes of the elements of an output from which on a warp for each is faster than the buffer.
  static constexpr std::int64_t least_computed_row = 512;

  accuracy mode_;
  map_chunks chunks_;
  std::int64_t piece_ = 0;  ///< elements of a piece of an output that is longer than a chunk
};

}  // namespace onefold::cuda
