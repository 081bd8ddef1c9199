// How a call fails: the error that it throws, and the words of its message.
#pragma once

#include <string>
#include <vector>

#include "onefold/error.hpp"
#include "support/catch.hpp"

namespace support {

/// Checks that f throws an error of this kind, whose message has these words in it.
template <class F>
void check_error(onefold::error_code code, const std::string& words, F f) {
  try {
    f();
    FAIL_CHECK("there was no error; expected: " << words);
  } catch (const onefold::error& e) {
    CHECK(e.code() == code);
    INFO(e.what());
    CHECK(std::string(e.what()).find(words) != std::string::npos);
  }
}

/// Checks that f refuses its arguments, with these words in the message, and leaves `out` as it is.
template <class T, class F>
void refuses(const std::string& words, std::vector<T>& out, const F& f) {
  const std::vector<T> untouched(out.size(), T(-1));
  out = untouched;
  check_error(onefold::error_code::invalid_argument, words, f);
  CHECK(out == untouched);
}

}  // namespace support
