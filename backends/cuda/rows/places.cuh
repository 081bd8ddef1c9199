// Places: which lanes of a row the threads of a line have, how they load and store them, and how the lanes meet.
#pragma once

#include "onefold/detail/cuda/outputs.cuh"
#include "rows/meeting.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The elements of a line that do not follow each other, from number `first` on.
template <class T>
struct scattered_line {
  T* p;
  const device_axes& along;
  std::int64_t first;
  __device__ __forceinline__ T& operator[](int i) const { return p[along.offset(first + i)]; }
};

/// Rows of `Lanes` lanes at a place, without bounds checks where a row is complete.
template <class T, template <class, int> class Place, int Lanes>
struct placed_rows {
  using place = Place<T, Lanes / 32>;
  static constexpr int lanes = Lanes, K = place::K;
  place where;

  /// Whether n elements are `Rows` complete rows: then nothing checks bounds.
  template <int Rows>
  __device__ __forceinline__ bool is_full(int n) const {
    return (Rows > 1 || place::is_words) && n == Rows * where.full_row();
  }
  template <bool Full, class Line>
  __device__ __forceinline__ piece<T, K> loaded(const Line& p, int at, int n) const {
    if constexpr (Full)
      return where.load_full(p, at);
    else
      return where.template load<false>(p, at, n);
  }
  template <bool Full, class Line>
  __device__ __forceinline__ void store_row(const Line& out, int at, int n, const piece<T, K>& y) const {
    if constexpr (Full)
      where.store_full(out, at, y);
    else
      where.store(out, at, n, y);
  }
};

/// Thread t of a warp has the neighboring lanes K t, K t + 1, ...: elements follow each other, and those of a thread
/// begin at multiples of their size together.
template <class T, int K_>
struct words_of_warp {
  static constexpr bool selects = false, is_words = true;
  static constexpr int K = K_, most_bytes = K * static_cast<int>(sizeof(T));
  /// How many elements a complete row has.
  __device__ __forceinline__ static constexpr int full_row() { return 32 * K; }
  __device__ __forceinline__ int lane(int c) const { return K * lane_id() + c; }
  /// Elements from number `first` of a line on.
  template <class E>
  __device__ __forceinline__ static E* begin(E* line, const device_axes&, std::int64_t first) {
    return line + first;
  }
  /// The weights, or biases, of those.
  template <class Line>
  __device__ __forceinline__ static const T* parameters(const T* all, const Line&, std::int64_t first) {
    return all + first;
  }
  /// Those from `at` to n, at most a row; others are -infinity or 0.
  template <bool Infinite>
  __device__ __forceinline__ piece<T, K> load(const T* p, int at, int n) const {
    if (at + K * lane_id() + K <= n) return load_full(p, at);
    piece<T, K> x = piece<T, K>::template filled<Infinite>();
#pragma unroll
    for (int c = 0; c < K; ++c)
      if (at + lane(c) < n) x.replace(c, p[at + lane(c)]);
    return x;
  }
  /// The same without the elements that add_edge adds: so that the loads of several rows do not wait for each other,
  /// at the price of registers.
  template <bool Infinite>
  __device__ __forceinline__ piece<T, K> load_words(const T* p, int at, int n) const {
    piece<T, K> x = piece<T, K>::template filled<Infinite>();
    if (at + K * lane_id() + K <= n) x = load_full(p, at);
    return x;
  }
  /// The same where all of the row is there.
  __device__ __forceinline__ static piece<T, K> load_full(const T* p, int at) {
    return piece<T, K>::at(p + at + K * lane_id());
  }
  __device__ __forceinline__ static void store_full(T* p, int at, const piece<T, K>& y) {
    y.template store<true>(p + at + K * lane_id());
  }
  /// Begins to copy to `to` what load_words and load_full then read there, in the same thread.
  __device__ __forceinline__ static void copy_words(const T* p, int at, int n, char* to) {
    if (at + K * lane_id() + K <= n)
      copy_ahead<most_bytes>(shared_place(to) + static_cast<unsigned>(at * sizeof(T)) + most_bytes * lane_id(),
                             reinterpret_cast<const char*>(p + at + K * lane_id()));
  }
  /// Adds the elements of a word that does not exist as a whole.
  __device__ __forceinline__ void add_edge(const T* p, int at, int n, piece<T, K>& x) const {
    const int first = at + K * lane_id();
    if (n % K != 0 && first < n && first + K > n)
#pragma unroll
      for (int c = 0; c < K - 1; ++c)
        if (first + c < n) x.replace(c, p[first + c]);
  }
  __device__ __forceinline__ void store(T* p, int at, int n, const piece<T, K>& y) const {
    if (at + K * lane_id() + K <= n) {
      y.template store<false>(p + at + K * lane_id());
    } else {
#pragma unroll
      for (int c = 0; c < K; ++c)
        if (at + lane(c) < n) p[at + lane(c)] = y.stored(c);
    }
  }
  /// What a thread has of the total of all lanes before the steps of the meeting.
  template <class F, class E, class L>
  __device__ __forceinline__ L part(const F& f, const L (&s)[K]) const {
    return halve<F, E, K>(f, s);
  }
  __device__ __forceinline__ static constexpr meeting_steps steps() { return {16 / K, 16, 5}; }
  /// The total of all lanes, in the first thread, or in all where the fold is symmetric.
  template <class F, class E, class L>
  __device__ __forceinline__ L total(const F& f, const L (&s)[K]) const {
    const L t[1] = {part<F, E>(f, s)};
    return totals_of<F, E, 1>(f, t, steps());
  }

 private:
  /// While a thread holds several states, it gives half of them away for half of its partner's.
  template <class F, class E, int Held, class L>
  __device__ __forceinline__ static L halve(const F& f, const L (&s)[Held]) {
    if constexpr (Held == 1) {
      return s[0];
    } else {
      constexpr int half = Held / 2;
      L t[half];
#pragma unroll
      for (int c = 0; c < half; ++c) t[c] = exchanged<F, E>(f, s[c], s[half + c], 16 * Held / K);
      return halve<F, E, half>(f, t);
    }
  }
};

/// Thread t of `width`, a power of two, has the words t, t + width, ... of K0 neighboring lanes, `Words` of them.
template <class T, int K0, int Words>
struct words_of_part {
  static constexpr bool selects = false, is_words = true;
  static constexpr int K = K0 * Words;
  int width = 32;
  /// How many elements a complete row has.
  __device__ __forceinline__ int full_row() const { return width * K; }
  template <class E>
  __device__ __forceinline__ static E* begin(E* line, const device_axes&, std::int64_t first) {
    return line + first;
  }
  __device__ __forceinline__ int first(int i) const { return K0 * ((lane_id() & (width - 1)) + i * width); }
  __device__ __forceinline__ int lane(int c) const { return first(c / K0) + c % K0; }
  /// As words_of_warp has them, where the row has `width` times K elements.
  __device__ __forceinline__ piece<T, K> load_full(const T* p, int at) const {
    piece<T, K> x;
#pragma unroll
    for (int i = 0; i < Words; ++i) x.set_word(i, piece<T, K0>::at(p + at + first(i)));
    return x;
  }
  __device__ __forceinline__ void store_full(T* p, int at, const piece<T, K>& y) const {
#pragma unroll
    for (int i = 0; i < Words; ++i) y.template word<K0>(i).template store<true>(p + at + first(i));
  }
  template <class Line>
  __device__ __forceinline__ static const T* parameters(const T* all, const Line&, std::int64_t first) {
    return all + first;
  }
  template <bool Infinite>
  __device__ __forceinline__ piece<T, K> load(const T* p, int at, int n) const {
    piece<T, K> x = load_words<Infinite>(p, at, n);
    add_edge(p, at, n, x);
    return x;
  }
  template <bool Infinite>
  __device__ __forceinline__ piece<T, K> load_words(const T* p, int at, int n) const {
    piece<T, K> x = piece<T, K>::template filled<Infinite>();
#pragma unroll
    for (int i = 0; i < Words; ++i)
      if (at + first(i) + K0 <= n) x.set_word(i, piece<T, K0>::at(p + at + first(i)));
    return x;
  }
  __device__ __forceinline__ void add_edge(const T* p, int at, int n, piece<T, K>& x) const {
    if (n % K0 == 0) return;
#pragma unroll
    for (int c = 0; c < K; ++c)
      if (at + first(c / K0) + K0 > n && at + lane(c) < n) x.replace(c, p[at + lane(c)]);
  }
  __device__ __forceinline__ void store(T* p, int at, int n, const piece<T, K>& y) const {
#pragma unroll
    for (int i = 0; i < Words; ++i) {
      if (at + first(i) + K0 <= n) {
        y.template word<K0>(i).template store<false>(p + at + first(i));
      } else {
#pragma unroll
        for (int c = i * K0; c < (i + 1) * K0; ++c)
          if (at + lane(c) < n) p[at + lane(c)] = y.stored(c);
      }
    }
  }
  /// What a thread has of the total of all lanes before the steps of the meeting; `width` is at least K0.
  template <class F, class E, class L, int Held>
  __device__ __forceinline__ L part(const F& f, const L (&s)[Held]) const {
    L t[Held];
#pragma unroll
    for (int c = 0; c < Held; ++c) t[c] = s[c];
#pragma unroll
    for (int half = Held / 2; half >= K0; half /= 2)
#pragma unroll
      for (int c = 0; c < half; ++c) t[c] = f.combine(t[c], t[c + half]);
#pragma unroll
    for (int half = K0 / 2; half > 0; half /= 2)
#pragma unroll
      for (int c = 0; c < half; ++c) t[c] = exchanged<F, E>(f, t[c], t[half + c], width * half / K0);
    return t[0];
  }
  __device__ __forceinline__ meeting_steps steps() const { return {width / 2 / K0, width / 2, __ffs(width) - 1}; }
  template <class F, class E, class L>
  __device__ __forceinline__ L total(const F& f, const L (&s)[K]) const {
    L t[K];
#pragma unroll
    for (int c = 0; c < K; ++c) t[c] = s[c];
#pragma unroll
    for (int half = K / 2; half >= K0; half /= 2)
#pragma unroll
      for (int c = 0; c < half; ++c) t[c] = f.combine(t[c], t[c + half]);
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2)
      if (bit < width)
#pragma unroll
        for (int c = 0; c < K0; ++c) t[c] = f.combine(t[c], from_xor(t[c], bit));
#pragma unroll
    for (int half = K0 / 2; half > 0; half /= 2)
#pragma unroll
      for (int c = 0; c < half; ++c) t[c] = f.combine(t[c], t[c + half]);
    return t[0];
  }
};

/// Thread t of `width`, a power of two up to a warp, has the lanes t, t + width, ...: elements of any alignment.
template <class T, int K_>
struct spread_over_warp {
  static constexpr bool selects = false, is_words = false;
  static constexpr int K = K_;
  int width = 32;
  /// How many elements a complete row has.
  __device__ __forceinline__ int full_row() const { return width * K; }
  __device__ __forceinline__ int lane(int c) const { return (lane_id() & (width - 1)) + c * width; }
  template <class E>
  __device__ __forceinline__ static E* begin(E* line, const device_axes&, std::int64_t first) {
    return line + first;
  }
  template <class Line>
  __device__ __forceinline__ static const T* parameters(const T* all, const Line&, std::int64_t first) {
    return all + first;
  }
  template <bool Infinite, class Line>
  __device__ __forceinline__ piece<T, K> load(const Line& p, int at, int n) const {
    piece<T, K> x = piece<T, K>::template filled<Infinite>();
#pragma unroll
    for (int c = 0; c < K; ++c)
      if (at + lane(c) < n) x.replace(c, p[at + lane(c)]);
    return x;
  }
  template <bool Infinite, class Line>
  __device__ __forceinline__ piece<T, K> load_words(const Line& p, int at, int n) const {
    return load<Infinite>(p, at, n);
  }
  template <class Line>
  __device__ __forceinline__ void add_edge(const Line&, int, int, piece<T, K>&) const {}
  /// The same where all of the row is there.
  template <class Line>
  __device__ __forceinline__ piece<T, K> load_full(const Line& p, int at) const {
    piece<T, K> x;
#pragma unroll
    for (int c = 0; c < K; ++c) x.set_stored(c, p[at + lane(c)]);
    return x;
  }
  template <class Line>
  __device__ __forceinline__ void store_full(const Line& p, int at, const piece<T, K>& y) const {
#pragma unroll
    for (int c = 0; c < K; ++c) p[at + lane(c)] = y.stored(c);
  }
  template <class Line>
  __device__ __forceinline__ void store(const Line& p, int at, int n, const piece<T, K>& y) const {
#pragma unroll
    for (int c = 0; c < K; ++c)
      if (at + lane(c) < n) p[at + lane(c)] = y.stored(c);
  }
  template <class F, class E, class L, int Held>
  __device__ __forceinline__ L part(const F& f, const L (&s)[Held]) const {
    L t[Held];
#pragma unroll
    for (int c = 0; c < Held; ++c) t[c] = s[c];
#pragma unroll
    for (int half = Held / 2; half > 0; half /= 2)
#pragma unroll
      for (int c = 0; c < half; ++c) t[c] = f.combine(t[c], t[c + half]);
    return t[0];
  }
  __device__ __forceinline__ meeting_steps steps() const { return {width / 2, 0, __ffs(width) - 1}; }
  template <class F, class E, class L>
  __device__ __forceinline__ L total(const F& f, const L (&s)[K]) const {
    const L t[1] = {part<F, E>(f, s)};
    return totals_of<F, E, 1>(f, t, steps());
  }
};

/// The same of elements at any place.
template <class T, int K_>
struct scattered_over_warp : spread_over_warp<T, K_> {
  template <class E>
  __device__ __forceinline__ static scattered_line<E> begin(E* line, const device_axes& along, std::int64_t first) {
    return {line, along, first};
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
