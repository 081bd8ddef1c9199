// The bytes of partials, format version 1. docs/partials.md describes them.
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "cpu.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/exact/crc32c.hpp"
#include "onefold/detail/exact/serialized.hpp"
#include "onefold/detail/partial.hpp"
#include "run/checks.hpp"
#include "run/partial_state.hpp"

namespace onefold::detail {
namespace {

constexpr std::string_view partial_magic = "1fxp";
constexpr int partial_version = 1, order_version = 1;
constexpr std::size_t partial_header = 56, partial_checksum = 4, name_bytes = 16;

/// Where the header's fields are.
enum header_place : std::uint8_t {
  at_magic = 0,
  at_version = 4,
  at_order = 5,
  at_element = 6,
  at_accuracy = 7,
  at_element_size = 8,
  at_state_bytes = 12,
  at_begin = 16,
  at_count = 24,
  at_identity = 32,  // of a user-defined operation; 0 for one of the catalog
  at_name = 40,
};

constexpr const char* never_written = "their header holds a value that is never written";

[[noreturn]] void refuse_bytes(const std::string& why) { refuse("these bytes are not a partial: " + why); }

/// FNV-1a (Fowler, Noll & Vo) of what tells a user-defined operation from others; never 0.
std::uint64_t hash_of(const char* identity) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (; *identity; ++identity) hash = (hash ^ static_cast<unsigned char>(*identity)) * 0x100000001b3;
  return hash | 1;
}

/// Bytes of a state as written.
std::uint32_t written_bytes(const partial_core::impl& p) { return p.format ? p.format->bytes : p.r->state_size; }

/// How many raw elements and which pages a partial has.
struct partial_parts {
  std::int64_t head = 0, first_page = 0, last_page = 0, tail = 0;
  int nodes = 0;
};
partial_parts parts_of(const partial_core::impl& p, std::int64_t count) {
  partial_parts parts;
  if (p.order_independent) {
    parts.nodes = count > 0;
    return parts;
  }
  const std::int64_t end = p.begin + count, page = p.r->page;
  parts.head = std::min(count, p.border() - p.begin);
  const std::int64_t border = p.begin + parts.head;
  if (border % page != 0) return parts;
  parts.first_page = border / page;
  parts.last_page = end / page;
  parts.tail = end % page;
  for_each_node(parts.first_page, parts.last_page, [&](int, std::int64_t) { ++parts.nodes; });
  return parts;
}

/// Writes what comes before the head.
void write_header(const partial_core::impl& p, std::byte* to) {
  const std::string_view name =
      p.kind.own ? std::string_view() : operation_infos()[static_cast<std::size_t>(p.kind.operation)].name;
  std::memcpy(to, partial_magic.data(), partial_magic.size());
  to[at_version] = static_cast<std::byte>(partial_version);
  to[at_order] = static_cast<std::byte>(order_version);
  to[at_element] = static_cast<std::byte>(p.kind.element);
  to[at_accuracy] = static_cast<std::byte>(p.kind.mode);
  write_bytes(to + at_element_size, p.r->element_size, 4);
  write_bytes(to + at_state_bytes, written_bytes(p), 4);
  write_bytes(to + at_begin, static_cast<std::uint64_t>(p.begin), 8);
  write_bytes(to + at_count, static_cast<std::uint64_t>(p.count), 8);
  write_bytes(to + at_identity, p.kind.own ? hash_of(p.kind.identity) : 0, 8);
  std::ranges::copy(std::as_bytes(std::span(name)), to + at_name);
}

/// The header, whose letters, versions and check sum are right.
struct partial_header_fields {
  partial_kind kind;
  std::uint64_t identity;
  std::uint32_t element_size, state_bytes;
  std::int64_t begin, count;
};

partial_header_fields read_header(std::span<const std::byte> bytes) {
  const std::byte* const p = bytes.data();
  const std::size_t size = bytes.size();
  if (!partial_magic.starts_with({reinterpret_cast<const char*>(p), std::min(size, partial_magic.size())}))
    refuse_bytes("they do not begin with " + std::string(partial_magic));
  if (size < partial_header + partial_checksum)
    refuse_bytes("they are " + std::to_string(size) + " bytes, and the header alone has " +
                 std::to_string(partial_header + partial_checksum));
  const auto require_version = [&](header_place at, int expected, const char* of) {
    if (const int found = static_cast<int>(p[at]); found != expected)
      refuse_bytes(std::string("their ") + of + " is version " + std::to_string(found) + "; this library has version " +
                   std::to_string(expected));
  };
  require_version(at_version, partial_version, "format");
  require_version(at_order, order_version, "order of the reduction");
  const std::size_t checked = size - partial_checksum;
  if (read_bytes(p + checked, partial_checksum) != crc32c(p, checked))
    refuse_bytes("their checksum does not match: bytes have changed, or are missing, since they were written");

  partial_header_fields h{};
  const char* const first = reinterpret_cast<const char*>(p + at_name);
  const std::string_view name(first, strnlen(first, name_bytes));
  h.identity = read_bytes(p + at_identity, 8);
  h.kind.operation = find_operation(name);
  h.kind.element = static_cast<dtype>(p[at_element]);
  h.kind.mode = static_cast<accuracy>(p[at_accuracy]);
  h.element_size = static_cast<std::uint32_t>(read_bytes(p + at_element_size, 4));
  h.state_bytes = static_cast<std::uint32_t>(read_bytes(p + at_state_bytes, 4));
  h.begin = static_cast<std::int64_t>(read_bytes(p + at_begin, 8));
  h.count = static_cast<std::int64_t>(read_bytes(p + at_count, 8));
  std::int64_t end = 0;
  const bool is_consistent = h.begin >= 0 && h.count >= 0 && !__builtin_add_overflow(h.begin, h.count, &end) &&
                             h.kind.element <= dtype::other && static_cast<int>(h.kind.mode) < accuracy_count &&
                             (h.identity != 0 || h.kind.operation >= 0);
  const bool is_printable = !name.empty() && std::ranges::all_of(name, [](char c) { return c > ' ' && c < '\x7f'; });
  if (h.identity == 0 && h.kind.operation < 0 && is_printable)
    refuse_bytes("they hold the operation " + in_quotes(name) + ", which this library does not have");
  if (!is_consistent) refuse_bytes(never_written);
  return h;
}

/// Reads what comes after the header, of this kind.
partial_core read_partial(const partial_header_fields& h, const partial_kind& kind, std::span<const std::byte> bytes) {
  auto made = std::make_unique<partial_core::impl>(kind, h.begin, recipe_of(kind));
  partial_core::impl& p = *made;
  if (h.element_size != p.r->element_size || h.state_bytes != written_bytes(p))
    refuse_bytes("their elements or states have other sizes than those of " + describe(kind, true));
  const partial_parts parts = parts_of(p, h.count);
  const std::size_t element = h.element_size, state = h.state_bytes;
  const std::size_t expected = partial_header + static_cast<std::size_t>(parts.head + parts.tail) * element +
                               static_cast<std::size_t>(parts.nodes) * state + partial_checksum;
  if (bytes.size() != expected)
    refuse_bytes("they are " + std::to_string(bytes.size()) + " bytes, expected " + std::to_string(expected));
  const std::byte* from = bytes.data() + partial_header;
  const auto read_raw = [&](aligned_bytes& elements, std::int64_t n) {
    elements.append(from, static_cast<std::size_t>(n) * element);
    from += static_cast<std::size_t>(n) * element;
  };
  const auto read_node = [&](int, std::int64_t) {
    if (!p.format)
      std::memcpy(p.nodes.next(), from, state);
    else if (!p.format->load(from, p.nodes.next()))
      refuse_bytes("a state of theirs holds a value that is never written");
    p.nodes.push();  // no two of them are siblings
    from += state;
  };
  read_raw(p.head, parts.head);
  if (p.order_independent && h.count > 0) read_node(0, 0);
  for_each_node(parts.first_page, parts.last_page, read_node);
  read_raw(p.tail, parts.tail);
  p.count = h.count;
  std::byte again[partial_header]{};
  write_header(p, again);
  if (!std::equal(std::begin(again), std::end(again), bytes.data())) refuse_bytes(never_written);
  return partial_core(made.release());
}

}  // namespace

std::vector<std::byte> partial_core::save() const {
  const float_environment ieee;
  const impl& p = made();
  const std::size_t state = written_bytes(p);
  std::vector<std::byte> bytes(partial_header + p.head.size() + static_cast<std::size_t>(p.nodes.count()) * state +
                               p.tail.size() + partial_checksum);
  write_header(p, bytes.data());
  std::byte* to = bytes.data() + partial_header;
  const auto write_raw = [&](const aligned_bytes& elements) {
    if (elements.size() > 0) std::memcpy(to, elements.data(), elements.size());
    to += elements.size();
  };
  write_raw(p.head);
  for (int i = 0; i < p.nodes.count(); ++i, to += state) {
    if (p.format)
      p.format->save(p.nodes.state(i), to);
    else
      std::memcpy(to, p.nodes.state(i), state);
  }
  write_raw(p.tail);
  write_bytes(to, crc32c(bytes.data(), bytes.size() - partial_checksum), partial_checksum);
  return bytes;
}

partial_core partial_core::load(std::span<const std::byte> bytes) {
  const float_environment ieee;
  const partial_header_fields h = read_header(bytes);
  if (h.identity != 0)
    refuse_bytes("they hold a user-defined operation, which only its program can read, by partial<T, Op>::load");
  return read_partial(h, h.kind, bytes);
}

partial_core partial_core::load(std::span<const std::byte> bytes, const partial_kind& expected) {
  const float_environment ieee;
  const partial_header_fields h = read_header(bytes);
  partial_kind kind = expected;
  kind.mode = h.kind.mode;
  if ((h.identity != 0) != (expected.own != nullptr) ||
      (!expected.own && (h.kind.operation != expected.operation || h.kind.element != expected.element)))
    refuse("these bytes hold " + (h.identity != 0 ? "a user-defined operation" : describe(h.kind, false)) + ", not " +
           describe(expected, false));
  if (expected.own && h.identity != hash_of(expected.identity))
    refuse("these bytes hold another user-defined operation, or were written by a program that another compiler made");
  return read_partial(h, kind, bytes);
}

}  // namespace onefold::detail
