// What the pieces of a call on many outputs work in, and the nodes of outputs that several of them fold.
#pragma once

#include <cstdint>
#include <new>
#include <vector>

#include "onefold/recipe.hpp"
#include "run/node_list.hpp"

namespace onefold::detail {

/// Memory for each piece: its room and a tile, and for outputs of several pages two lists of nodes. One is for the
/// outputs whose first page the piece folds; later pieces may continue the last of them. The other is for the output
/// that the piece itself continues.
class piece_scratch {
 public:
  /// For `pieces` pieces, and groups of up to `width` outputs of up to `pages` pages each.
  piece_scratch(const recipe& r, int pieces, std::int64_t pages, std::int64_t width = 1, std::int64_t tile_bytes = 0);
  ~piece_scratch() { ::operator delete(memory_, align_); }
  piece_scratch(const piece_scratch&) = delete;
  piece_scratch& operator=(const piece_scratch&) = delete;

  int pieces() const { return pieces_; }
  /// As the functions of the recipe need it, `many` included.
  void* room(int piece) const { return own(piece); }
  char* tile(int piece) const { return own(piece) + room_bytes_; }
  std::int64_t tile_bytes() const { return tile_bytes_; }

  /// Before the pieces of a call.
  void begin();

  /// The list for pages of an output that a piece begins, or goes on with.
  node_list& list(int piece, bool begins) { return lists_[index(piece, begins)]; }
  /// The list holds only some of the nodes of group `group`.
  void publish(int piece, bool begins, std::int64_t group) { published_[index(piece, begins)] = group; }

  /// After the pieces: joins what they published, and calls finish(group, list) for each group that they share.
  template <class Finish>
  void join(const void* op, const Finish& finish) {
    if (lists_.empty()) return;
    node_list& whole = lists_.back();
    std::int64_t under_way = -1;
    for (std::size_t i = 0; i < published_.size(); ++i) {
      if (published_[i] < 0) continue;
      if (published_[i] != under_way) {
        if (under_way >= 0) finish(under_way, whole);
        under_way = published_[i];
        whole.begin(lists_[i].width());
      }
      whole.push(op, lists_[i], room(0));
    }
    if (under_way >= 0) finish(under_way, whole);
  }

  /// Notes why an output of a piece has no result; null: it has one.
  void refuse(int piece, const char* why) {
    if (why) [[unlikely]]
      why_[static_cast<std::size_t>(piece)] = why;
  }
  /// Throws where an output has no result.
  void check_results() const;

 private:
  static std::size_t index(int piece, bool begins) { return 2 * static_cast<std::size_t>(piece) + begins; }
  char* own(int piece) const { return memory_ + (2 * pieces_ + 1) * node_bytes_ + piece * (room_bytes_ + tile_bytes_); }

  const recipe& r_;
  int pieces_;
  std::align_val_t align_;
  std::int64_t node_bytes_, room_bytes_, tile_bytes_;
  char* memory_;
  std::vector<node_list> lists_;         ///< two for each piece, and one in which they are joined
  std::vector<std::int64_t> published_;  ///< the group that each of the pieces' lists is a part of; -1: none
  std::vector<const char*> why_;         ///< of each piece
};

}  // namespace onefold::detail
