// Lines that are scanned, one after the other: rows of an array whose elements are contiguous, or segments.
#pragma once

#include <cstdint>

#include "onefold/order.hpp"
#include "run/problem.hpp"
#include "run/segments.hpp"

namespace onefold::detail {

/// One line.
struct line {
  const char* data;
  std::int64_t n;
  char* results;
};

/// A page of a line.
struct line_place {
  std::int64_t line, page;
  friend bool operator==(const line_place&, const line_place&) = default;
};

/// Rows of equal length. A row without elements has nothing to write.
class row_lines {
 public:
  row_lines(const problem& from, const problem& to, const recipe& r, const void* data, void* results,
            std::int32_t result_size)
      : from_(from),
        to_(to),
        element_size_(r.element_size),
        result_size_(result_size),
        page_(r.page),
        row_(r.page / page_rows),
        data_(static_cast<const char*>(data)),
        results_(static_cast<char*>(results)) {}

  std::int64_t count() const { return from_.outputs; }
  /// How long it takes to scan the lines before one: in elements, of which a line costs a row more.
  std::int64_t work_before(std::int64_t i) const { return i * (from_.n + row_); }
  /// Where the rest begins after this much work: at a page of a long line, or at a whole short one.
  line_place place_of(std::int64_t work) const {
    const std::int64_t each = from_.n + row_, i = work / each;
    if (i >= count()) return {count(), 0};
    if (from_.n <= page_) return {i, 0};
    const std::int64_t page = (work - i * each) / page_;
    return page * page_ < from_.n ? line_place{i, page} : line_place{i + 1, 0};
  }

  /// Walks the lines from one on.
  class cursor {
   public:
    cursor(const row_lines& all, std::int64_t first)
        : all_(all), from_(all.from_.kept, all.from_.kept_axes), to_(all.to_.kept, all.to_.kept_axes) {
      from_.seek(first);
      to_.seek(first);
    }
    line operator*() const {
      return {all_.data_ + from_.offset() * all_.element_size_, all_.from_.n,
              all_.results_ + to_.offset() * all_.result_size_};
    }
    void next() {
      from_.next();
      to_.next();
    }

   private:
    const row_lines& all_;
    odometer from_, to_;
  };

 private:
  const problem &from_, &to_;
  std::int64_t element_size_, result_size_, page_, row_;
  const char* data_;
  char* results_;
};

/// Segments of an array, with results for each of its elements.
class segment_lines {
 public:
  segment_lines(const segment_list& s, const recipe& r, void* results, std::int32_t result_size)
      : s_(s), r_(r), results_(static_cast<char*>(results)), result_size_(result_size) {}

  std::int64_t count() const { return s_.count; }
  std::int64_t work_before(std::int64_t i) const { return s_.work_before(i, r_); }
  line_place place_of(std::int64_t work) const {
    const segment_place p = s_.place_of(work, r_);
    return {p.segment, p.page};
  }
  class cursor {
   public:
    cursor(const segment_lines& all, std::int64_t first) : all_(all), i_(first) {}
    line operator*() const {
      const std::int64_t from = all_.s_.offset(i_);
      return {all_.s_.values + from * all_.r_.element_size, all_.s_.size(i_), all_.results_ + from * all_.result_size_};
    }
    void next() { ++i_; }

   private:
    const segment_lines& all_;
    std::int64_t i_;
  };

 private:
  const segment_list& s_;
  const recipe& r_;
  char* results_;
  std::int64_t result_size_;
};

}  // namespace onefold::detail
