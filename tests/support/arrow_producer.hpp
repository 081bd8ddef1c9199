// A producer of Arrow streams and arrays by hand, which counts what is not released, and what is released twice.
#pragma once

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "onefold/arrow.hpp"

namespace support {

/// Structs that live: all zero once everything was released.
struct arrow_count {
  int streams = 0, arrays = 0, schemas = 0;
  friend bool operator==(const arrow_count&, const arrow_count&) = default;
};
inline arrow_count arrow_alive;

/// An array with its buffers and children. Elements are stored from `offset` on.
struct arrow_content {
  std::string format = {};
  std::string name = {};
  std::int64_t length = 0, offset = 0, null_count = 0;
  std::vector<unsigned char> valid = {};  ///< the bitmap; empty: none
  std::vector<unsigned char> data = {};
  std::size_t skew = 0;  ///< bytes between an aligned address and the elements
  std::vector<arrow_content> children = {};
  bool dictionary = false;
};

namespace arrow_detail {

struct array_memory {
  arrow_content content;
  std::vector<unsigned char> skewed;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> places;
};

struct schema_memory {
  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> places;
  ArrowSchema dictionary = {};
};

template <class Struct, class Memory, int arrow_count::*Alive>
void release(Struct* s) {
  auto* const memory = static_cast<Memory*>(s->private_data);
  for (Struct* child : memory->places)
    if (child->release) child->release(child);
  delete memory;
  --(arrow_alive.*Alive);
  s->release = nullptr;
}

}  // namespace arrow_detail

inline ArrowArray arrow_array(const arrow_content& from) {
  auto* const memory = new arrow_detail::array_memory{from, {}, {}, {}, {}};
  const arrow_content& c = memory->content;
  memory->buffers.push_back(c.valid.empty() ? nullptr : c.valid.data());
  if (c.format != "+s") {
    memory->skewed.resize(c.data.size() + c.skew + 1);
    if (!c.data.empty()) std::memcpy(memory->skewed.data() + c.skew, c.data.data(), c.data.size());
    memory->buffers.push_back(memory->skewed.data() + c.skew);
  }
  for (const arrow_content& child : c.children) memory->children.push_back(arrow_array(child));
  for (ArrowArray& child : memory->children) memory->places.push_back(&child);
  ++arrow_alive.arrays;
  return {c.length,
          c.null_count,
          c.offset,
          static_cast<std::int64_t>(memory->buffers.size()),
          static_cast<std::int64_t>(memory->children.size()),
          memory->buffers.data(),
          memory->places.data(),
          nullptr,
          arrow_detail::release<ArrowArray, arrow_detail::array_memory, &arrow_count::arrays>,
          memory};
}

inline ArrowSchema arrow_schema(const arrow_content& c) {
  auto* const memory = new arrow_detail::schema_memory{c.format, c.name, {}, {}};
  for (const arrow_content& child : c.children) memory->children.push_back(arrow_schema(child));
  for (ArrowSchema& child : memory->children) memory->places.push_back(&child);
  ++arrow_alive.schemas;
  return {memory->format.c_str(),
          memory->name.c_str(),
          nullptr,
          ARROW_FLAG_NULLABLE,
          static_cast<std::int64_t>(memory->children.size()),
          memory->places.data(),
          c.dictionary ? &memory->dictionary : nullptr,
          arrow_detail::release<ArrowSchema, arrow_detail::schema_memory, &arrow_count::schemas>,
          memory};
}

/// What a stream does: hands its batches over, then ends, or fails.
struct arrow_batches {
  arrow_content type = {};  ///< whose schema it has
  std::vector<arrow_content> batches = {};
  int failure = 0;         ///< what get_next returns after the last one
  int schema_failure = 0;  ///< what get_schema returns
  const char* message = nullptr;
  std::size_t next = 0;
};

inline ArrowArrayStream arrow_stream(arrow_batches all) {
  ArrowArrayStream s;
  s.private_data = new arrow_batches(std::move(all));
  s.get_schema = [](ArrowArrayStream* from, ArrowSchema* out) {
    const auto& of = *static_cast<arrow_batches*>(from->private_data);
    if (of.schema_failure != 0) return of.schema_failure;
    *out = arrow_schema(of.type);
    return 0;
  };
  s.get_next = [](ArrowArrayStream* from, ArrowArray* out) {
    auto& of = *static_cast<arrow_batches*>(from->private_data);
    if (of.next == of.batches.size()) {
      *out = {};
      return of.failure;
    }
    *out = arrow_array(of.batches[of.next++]);
    return 0;
  };
  s.get_last_error = [](ArrowArrayStream* from) { return static_cast<arrow_batches*>(from->private_data)->message; };
  s.release = [](ArrowArrayStream* from) {
    delete static_cast<arrow_batches*>(from->private_data);
    --arrow_alive.streams;
    from->release = nullptr;
  };
  ++arrow_alive.streams;
  return s;
}

}  // namespace support
