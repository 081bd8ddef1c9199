// What a peer is: a struct with a name, the threads that it starts, and sum and max of an array, or rows and columns:
// sums over an axis of an array of rows x columns elements in C order.
//
// Every peer's file has the same anatomy: the struct, and ONEFOLD_BENCH_PEER. It is compiled twice, with
// ONEFOLD_BENCH_FLAGS = plain (-O3) and fast (-O3 -march=native -ffast-math), into two shared libraries, so that
// the linker merges no template of one with the same template of the other.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "../contender.hpp"

namespace bench {

/// What elements of type T are added up in, here and in onefold: i64 for integers.
template <class T>
using total = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;

/// One reduction by one peer.
struct peer_function {
  const char* row;
  const char* type;
  const char* name;
  runtime needs;
  double (*run)(const void* data, std::int64_t n, int threads);
};

/// Sums over an axis by one peer: of each row, and of each column.
struct shape_function {
  using over_axis = void(const void* data, void* results, std::int64_t rows, std::int64_t columns);
  const char* type;
  const char* name;
  runtime needs;
  over_axis *rows, *columns;
};

/// An operation with a result for each element of some lines by one peer; one that only `copies` is a limit.
struct line_peer {
  const char* operation;
  const char* type;
  const char* name;
  runtime needs;
  bool copies;
  void (*run)(const void* data, void* results, std::int64_t lines, std::int64_t length, int threads);
};

/// All that a library of peers has.
std::vector<peer_function> peers_plain();
std::vector<peer_function> peers_fast();
std::vector<shape_function> shape_peers_plain();
std::vector<shape_function> shape_peers_fast();
std::vector<line_peer> line_peers_plain();
std::vector<line_peer> line_peers_fast();

#ifdef ONEFOLD_BENCH_FLAGS
namespace ONEFOLD_BENCH_FLAGS {

/// The lists that the peers of this library put themselves into.
std::vector<peer_function>& listed();
std::vector<shape_function>& listed_shapes();
std::vector<line_peer>& listed_lines();

template <class Peer, class T>
double run_sum(const void* data, std::int64_t n, int threads) {
  return static_cast<double>(Peer::sum(static_cast<const T*>(data), n, threads));
}
template <class Peer, class T>
double run_max(const void* data, std::int64_t n, int threads) {
  return static_cast<double>(Peer::max(static_cast<const T*>(data), n, threads));
}

template <class Peer, class T>
void run_rows(const void* data, void* results, std::int64_t rows, std::int64_t columns) {
  Peer::rows(static_cast<const T*>(data), static_cast<T*>(results), rows, columns);
}
template <class Peer, class T>
void run_columns(const void* data, void* results, std::int64_t rows, std::int64_t columns) {
  Peer::columns(static_cast<const T*>(data), static_cast<T*>(results), rows, columns);
}

template <class Peer>
concept reduces_arrays = requires {
  &Peer::template sum<float>;
};
template <class Peer>
concept reduces_shapes = requires {
  &Peer::template rows<float>;
};

template <class Peer, class... Ts>
void list_sums() {
  (listed().push_back({"sum", type_name<Ts>, Peer::name, Peer::needs, run_sum<Peer, Ts>}), ...);
}
template <class Peer, class... Ts>
void list_maxima() {
  (listed().push_back({"max", type_name<Ts>, Peer::name, Peer::needs, run_max<Peer, Ts>}), ...);
}
template <class Peer, class... Ts>
void list_shapes() {
  (listed_shapes().push_back({type_name<Ts>, Peer::name, Peer::needs, run_rows<Peer, Ts>, run_columns<Peer, Ts>}), ...);
}
template <class Peer>
bool list_peer() {
  static_assert(reduces_arrays<Peer> || reduces_shapes<Peer>);
  if constexpr (reduces_arrays<Peer>) {
    list_sums<Peer, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t>();
    list_maxima<Peer, float, double>();
  }
  if constexpr (reduces_shapes<Peer>) list_shapes<Peer, float, double>();
  return true;
}

}  // namespace ONEFOLD_BENCH_FLAGS

/// Puts a peer into the list of its library.
#define ONEFOLD_BENCH_PEER(peer) [[maybe_unused]] const bool peer##_listed = list_peer<peer>();
#endif

}  // namespace bench
