// Elements of files: which kind of file it is, and whether it has what it should have.
#include "onefold/element_reader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "elements.hpp"
#include "files/byte_order.hpp"
#include "files/input_file.hpp"
#include "files/npy.hpp"
#include "files/read_ahead.hpp"
#include "files/unexpected.hpp"
#include "one_line.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"

namespace onefold {
namespace {

using detail::npy_layout;
using detail::quantity;
using detail::refuse;
using detail::unexpected;

std::string name_of_file(const std::string& path) { return path.empty() ? "\"\"" : detail::spelled_out(path); }
std::string name_of_file(int descriptor) {
  return descriptor == 0 ? "standard input" : "descriptor " + std::to_string(descriptor);
}

void require_elements(dtype type) {
  if (type >= dtype::boolean) refuse(std::string("a file cannot have elements of type ") + name_of(type));
}

}  // namespace

/// The file, and what next returned of it.
struct dynamic_element_reader::impl {
  /// A file or a descriptor.
  template <class From>
  impl(const From& from, std::optional<dtype> type) try : name(name_of_file(from)), file(from) {
    if (type) require_elements(*type);
    std::byte start[detail::npy_start];
    const std::span<const std::byte> begun(start, file.fill(start));
    npy = detail::is_npy(begun);
    if (npy)
      read_header(begun, type);
    else if (type)
      begin_raw(*type, std::nullopt, begun);
    else
      refuse("raw elements need a type: this is not an .npy file");
  } catch (const error& e) {
    throw error(e.code(), name_of_file(from) + ": " + e.what());
  }

  template <class From>
  impl(const From& from, dtype type, const raw_elements& which) try : name(name_of_file(from)), file(from) {
    require_elements(type);
    if (which.offset < 0) refuse("the offset is negative: " + std::to_string(which.offset));
    if (which.count && *which.count < 0) refuse("the number of elements is negative: " + std::to_string(*which.count));
    if (which.count && *which.count > detail::elements_in(std::numeric_limits<std::int64_t>::max(), type))
      refuse(quantity(*which.count, "element") + " of " + name_of(type) + " have more than 2^63 - 1 bytes");
    file.skip(static_cast<std::uint64_t>(which.offset));
    first = static_cast<std::uint64_t>(which.offset);
    begin_raw(type, which.count, {});
  } catch (const error& e) {
    throw error(e.code(), name_of_file(from) + ": " + e.what());
  }

  impl(const impl&) = delete;
  impl& operator=(const impl&) = delete;
  ~impl() { file.stop(); }

  void begin_raw(dtype type, std::optional<std::int64_t> n, std::span<const std::byte> begun) {
    layout.type = type;
    if (n)
      expected = static_cast<std::uint64_t>(*n) * width();
    else
      promised = begun.size() + file.left().value_or(0);
    // Bytes after the last element that is wanted stay where they are.
    ahead.emplace(
        [this, left = expected](std::span<std::byte> room) mutable {
          if (!left) return file.read(room);
          const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(*left, room.size()));
          const std::size_t got = most == 0 ? 0 : file.read(room.first(most));
          *left -= got;
          return got;
        },
        begun);
  }

  void read_header(std::span<const std::byte> begun, std::optional<dtype> type) {
    std::vector<std::byte> header(begun.begin(), begun.end());
    header.resize(detail::npy_header_bytes(begun));
    const std::size_t had = std::min(begun.size(), header.size());
    header.resize(had + file.fill(std::span(header).subspan(had)));
    layout = detail::read_npy_header(header, type);
    if (type && layout.type != *type)
      refuse(std::string("holds elements of ") + name_of(layout.type) + ", not of " + name_of(*type));
    expected = static_cast<std::uint64_t>(layout.count) * width();
    first = layout.header_bytes;
    ahead.emplace([this](std::span<std::byte> room) { return file.read(room); });
  }

  std::int64_t elements_in(std::uint64_t bytes) const {
    return detail::elements_in(static_cast<std::int64_t>(bytes), layout.type);
  }
  std::uint64_t width() const { return static_cast<std::uint64_t>(size_of(layout.type)); }

  std::span<const std::byte> next() {
    const std::span<std::byte> block = ahead->next();
    const std::uint64_t left = expected ? *expected - taken : block.size();
    const std::span<std::byte> whole =
        block.first(static_cast<std::size_t>(elements_in(std::min<std::uint64_t>(block.size(), left))) * width());
    size += block.size();
    taken += whole.size();
    if (whole.empty()) check_end();
    if (layout.swapped) detail::swap_elements(whole, width());
    return whole;
  }

  /// No whole element is left of those that are wanted: throws if the file is not as long as it should be.
  void check_end() const {
    if (expected) detail::require_length(first, *expected, size, layout.type);
    if (size < promised && file.left() == 0)
      throw unexpected(first + size, quantity(promised, "byte"), "the end: the file became shorter while it was read");
    detail::require_whole_elements(first, size, layout.type);
  }

  std::string name;
  detail::input_file file;
  npy_layout layout;  ///< of raw elements, their type
  bool npy = false;
  std::optional<std::uint64_t> expected;  ///< bytes of elements, where that is known
  std::uint64_t promised = 0;             ///< bytes of raw elements that a regular file had at first
  std::uint64_t first = 0;                ///< byte of the first element
  std::uint64_t size = 0;                 ///< bytes that were read from there on
  std::uint64_t taken = 0;                ///< bytes that next returned
  std::optional<detail::read_ahead> ahead;
};

dynamic_element_reader::dynamic_element_reader(const std::string& path, std::optional<dtype> type)
    : impl_(std::make_unique<impl>(path, type)) {}
dynamic_element_reader::dynamic_element_reader(int descriptor, std::optional<dtype> type)
    : impl_(std::make_unique<impl>(descriptor, type)) {}
dynamic_element_reader::dynamic_element_reader(const std::string& path, dtype type, const raw_elements& which)
    : impl_(std::make_unique<impl>(path, type, which)) {}
dynamic_element_reader::dynamic_element_reader(int descriptor, dtype type, const raw_elements& which)
    : impl_(std::make_unique<impl>(descriptor, type, which)) {}
dynamic_element_reader::dynamic_element_reader(dynamic_element_reader&&) noexcept = default;
dynamic_element_reader& dynamic_element_reader::operator=(dynamic_element_reader&&) noexcept = default;
dynamic_element_reader::~dynamic_element_reader() = default;

dynamic_element_reader::impl& dynamic_element_reader::made() const {
  if (!impl_) refuse("the element reader was moved from; assign another one to it first");
  return *impl_;
}

dtype dynamic_element_reader::element() const { return made().layout.type; }
std::int64_t dynamic_element_reader::count() const { return made().elements_in(made().taken); }
bool dynamic_element_reader::is_npy() const { return made().npy; }
const std::vector<std::int64_t>& dynamic_element_reader::shape() const { return made().layout.shape; }
bool dynamic_element_reader::fortran() const { return made().layout.fortran; }

element_piece dynamic_element_reader::next() {
  impl& from = made();
  try {
    const std::span<const std::byte> piece = from.next();
    return {piece.data(), from.elements_in(piece.size())};
  } catch (const error& e) {
    throw error(e.code(), from.name + ": " + e.what());
  }
}

}  // namespace onefold
