// What the pieces of a scan work in, and the nodes of the lines that several of them scan.
#pragma once

#include <cstdint>
#include <new>
#include <vector>

#include "choose.hpp"
#include "onefold/scan_recipe.hpp"
#include "run/node_list.hpp"

namespace onefold::detail {

/// Memory for each piece of a call: the rooms of the functions that fold and scan, the nodes before the elements of
/// some lines, and tiles of elements and of results. And lists of nodes.
class scan_scratch {
 public:
  /// For lines of up to `pages` pages, with `lists` lists and one more.
  scan_scratch(const choice& c, const scan_recipe& s, int lists, std::int64_t pages, int lines, std::int64_t tile_bytes,
               std::int64_t result_tile_bytes);
  ~scan_scratch() { ::operator delete(memory_, align_); }
  scan_scratch(const scan_scratch&) = delete;
  scan_scratch& operator=(const scan_scratch&) = delete;

  void* fold_room(int piece) const { return own(piece); }
  void* scan_room(int piece) const { return own(piece) + fold_bytes_; }
  /// The nodes of one line.
  char* nodes(int piece, int line) const { return own(piece) + fold_bytes_ + scan_bytes_ + line * line_bytes_; }
  char* tile(int piece) const { return nodes(piece, lines_); }
  char* result_tile(int piece) const { return tile(piece) + tile_bytes_; }
  /// For what is folded without the nodes before it.
  node_list& list(int i) { return lists_[static_cast<std::size_t>(i)]; }
  /// For the nodes before a place.
  node_list& before() { return lists_.back(); }
  /// Copies those to nodes(piece, 0); returns how many there are.
  std::int32_t copy_nodes_before(int piece);

 private:
  char* own(int piece) const { return memory_ + piece * piece_bytes_; }

  int lines_;
  std::int64_t state_size_;
  std::align_val_t align_;
  std::int64_t fold_bytes_, scan_bytes_, line_bytes_, tile_bytes_, piece_bytes_;
  char* memory_;
  std::vector<node_list> lists_;
};

}  // namespace onefold::detail
