// Copies past the caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace onefold::detail {

/// As memcpy; where the CPU can, whole cache lines go to memory without being read from there first. Others see them
/// after end_streams().
inline void stream_copy(void* to, const void* from, std::int64_t bytes) {
#ifdef __SSE2__
  constexpr std::int64_t line = 64;
  char* out = static_cast<char*>(to);
  const char* in = static_cast<const char*>(from);
  const auto copy = [&](std::int64_t n) {
    std::memcpy(out, in, static_cast<std::size_t>(n));
    out += n, in += n, bytes -= n;
  };
  const std::int64_t past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % line);
  if (past && bytes >= line) copy(line - past);
  for (; bytes >= line; out += line, in += line, bytes -= line)
    for (int i = 0; i < line; i += 16)
      _mm_stream_si128(reinterpret_cast<__m128i*>(out + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i)));
  copy(bytes);
#else
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
#endif
}

/// After the last of some copies.
inline void end_streams() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace onefold::detail
