// Is this program instrumented, by a sanitizer (ONEFOLD_TEST_SANITIZED) or to count lines (ONEFOLD_TEST_COUNTED, by
// CMake)? And how many random cases it then has.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ONEFOLD_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ONEFOLD_TEST_SANITIZED 1
#endif
#endif
#ifndef ONEFOLD_TEST_SANITIZED
#define ONEFOLD_TEST_SANITIZED 0
#endif
#ifndef ONEFOLD_TEST_COUNTED
#define ONEFOLD_TEST_COUNTED 0
#endif

namespace support {

inline constexpr bool sanitized = ONEFOLD_TEST_SANITIZED != 0;

/// n random cases, or an eighth of them in an instrumented program, where each takes several times as long: memory,
/// races and lines show in the first cases of a kind; bits are compared by the programs that are not instrumented.
constexpr int random_cases(int n) { return sanitized || ONEFOLD_TEST_COUNTED ? (n + 7) / 8 : n; }

}  // namespace support
