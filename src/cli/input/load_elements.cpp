// Reading the elements of each kind of file: kept, where they lie or as a copy, or handed over in pieces.
#include <algorithm>
#include <cstdint>
#include <exception>

#include <fmt/format.h>

#include "elements.hpp"
#include "files/byte_order.hpp"
#include "input/columnar.hpp"
#include "input/failure.hpp"
#include "input/load.hpp"
#include "onefold/error.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

/// Text is parsed in windows of this size, so that its numbers are never all in memory twice.
constexpr std::size_t window_bytes = std::size_t{32} << 20;

/// A stretch of text without white space (a table's line) that is longer than this is not read.
constexpr std::size_t longest_stretch = std::size_t{256} << 20;

/// What f returns. Throws failure for what f says of the data.
template <class Function>
auto read_by(const Function& f) try {
  return f();
} catch (const error& e) {
  throw failure(exit_code::bad_data, e.what());
}

/// The header of an .npy file, whose bytes stay. Throws failure for what is not one of a numeric array.
detail::npy_layout read_header(source& from, std::optional<dtype> type) {
  return read_by([&] {
    from.at_least(detail::npy_start);
    const std::size_t size = detail::npy_header_bytes(from.bytes());
    from.at_least(size);
    return detail::read_npy_header(from.bytes().first(std::min(size, from.bytes().size())), type,
                                   "V2 is read with --dtype bf16");
  });
}

}  // namespace

/// Before the elements of the first file, whose type and axes are known. `mapped`: they are read where they lie.
void loaded_array::settle_pieces(const input_request& request, bool mapped) {
  if (notes_.empty() && request.takes_pieces && request.layout.wanted().size() <= 1)
    in_pieces_ = request.takes_pieces(*type_, axes_, mapped);
}

/// Bytes of elements that are needed from the files that are not read yet; SIZE_MAX where they are read to their ends:
/// in pieces, into C order or a shape, and to count missing values.
std::size_t loaded_array::bytes_needed(const input_request& request) const {
  const auto width = static_cast<std::size_t>(size_of(*type_));
  const bool reordered = request.c_order && axes_.size() > 1 && axes_.back().stride != 1;
  if (in_pieces_ || reordered || !request.shape.empty() || request.layout.missing != missing_rule::error ||
      static_cast<std::uint64_t>(request.needed) > SIZE_MAX / width)
    return SIZE_MAX;
  const std::size_t all = static_cast<std::size_t>(request.needed) * width;
  return all - std::min(all, gathered_.values.front().size());
}

/// Takes the elements that are left in the open file, up to `most` bytes; returns how many bytes are left: of more than
/// `most`, that they are more. Returns nothing where there are all that are needed, whatever follows them.
std::optional<std::size_t> loaded_array::take_rest(const input_request& request, std::size_t most, bool swapped,
                                                   progress_counter& counted) {
  const auto width = static_cast<std::size_t>(size_of(*type_));
  if (const std::size_t needed = bytes_needed(request); needed <= most) {
    open_->keep(needed);
    if (open_->bytes().size() >= needed) {
      take(request, open_->bytes().first(needed), swapped);
      return std::nullopt;
    }
  }
  std::size_t size = 0;
  do {
    if (!in_pieces_) open_->keep(most + 1);
    const std::span<const std::byte> bytes = in_pieces_ ? open_->next_block() : open_->bytes();
    take(request, bytes.first(std::min(bytes.size(), most - size) / width * width), swapped);
    size += bytes.size();
    if (bytes.empty()) break;
    // What is alone is read where it lies, by the reduction.
    if (open_->mapped() && (in_pieces_ || request.paths.size() > 1)) counted.bytes += bytes.size();
  } while (in_pieces_ && size <= most);
  return size;
}

/// Takes elements where they lie, if that is possible, or else a copy.
void loaded_array::take(const input_request& request, std::span<const std::byte> elements, bool swapped) {
  // Elements at an address that their type does not allow are copied; .npy and raw files in the wild are aligned.
  const auto width = static_cast<std::size_t>(size_of(*type_));
  const bool in_place = !swapped && reinterpret_cast<std::uintptr_t>(elements.data()) % width == 0;
  how_ = open_->mapped() ? "mapped" : open_->unpacked() ? "unpacked" : "read";
  if (in_place && in_pieces_) return hand_over(request, elements);
  if (in_place && request.paths.size() == 1) {
    view_ = elements;
    return;
  }
  how_ = "copied";
  byte_buffer& values = gathered_.values.front();
  if (swapped) {
    std::byte* const to = values.room(elements.size());
    std::ranges::copy(elements, to);
    detail::swap_elements({to, elements.size()}, width);
    values.grow(elements.size());
  } else {
    values.append(elements);
  }
  hand_over_gathered(request);
}

void loaded_array::hand_over(const input_request& request, std::span<const std::byte> elements) {
  const std::int64_t n = detail::elements_in(static_cast<std::int64_t>(elements.size()), *type_);
  if (n > 0) request.take(elements.data(), n);
  taken_ += n;
}

void loaded_array::hand_over_gathered(const input_request& request) {
  if (!in_pieces_) return;
  byte_buffer& gathered = gathered_.values.front();
  hand_over(request, gathered.bytes());
  gathered.drop(gathered.size());
}

void loaded_array::read_npy(const input_request& request, progress_counter& counted) {
  const detail::npy_layout layout = read_header(*open_, request.type ? request.type : request.type_if_unsaid);
  const std::size_t header = layout.header_bytes;
  settle_type(request, layout.type, "the .npy file");
  settle_shape(request, layout);
  settle_pieces(request, open_->mapped());
  const std::size_t size = static_cast<std::size_t>(layout.count) * static_cast<std::size_t>(size_of(layout.type));
  if (const auto all = open_->unpacked_size(); all && *all != header + size)
    throw bad_data(
        fmt::format("byte offset {}", header),
        fmt::format("{} of elements ({} of {})", detail::quantity(size, "byte"), layout.count, name_of(layout.type)),
        fmt::format("a member of {}", detail::quantity(*all, "byte")));
  open_->drop(header);
  const std::size_t found = take_rest(request, size, layout.swapped, counted).value_or(size);
  read_by([&] { detail::require_length(header, size, found, layout.type); });
}

void loaded_array::read_raw(const input_request& request, progress_counter& counted) {
  const std::optional<dtype> type = request.type ? request.type : request.type_if_unsaid;
  if (!type) throw failure(exit_code::wrong_usage, "raw data needs --dtype");
  settle_type(request, *type, "the file");
  settle_shape(request, "a file of raw elements");
  settle_pieces(request, open_->mapped());
  const std::size_t size = take_rest(request, SIZE_MAX - 1, false, counted).value_or(0);
  read_by([&] { detail::require_whole_elements(0, size, *type); });
}

/// Of the file only the start was read; its column comes through a pipe.
void loaded_array::read_columnar(const input_request& request, const packed_input& from, progress_counter& counted) {
  column_child reading(from.reopened(), open_->bytes(), request.layout);
  open_ = reading.open(counted);
  settle_type(request, reading.type(), "the column");
  settle_shape(request, "a column");
  settle_pieces(request, open_->mapped());
  const std::optional<std::size_t> size = take_rest(request, SIZE_MAX - 1, false, counted);
  if (!size) return;  // Python is stopped where it is
  gathered_.missing.front() += static_cast<std::size_t>(reading.end());
  if (*size % static_cast<std::size_t>(size_of(*type_)) != 0)
    throw bad_data("the column", "whole elements", "a part of one");
}

void loaded_array::read_text(const input_request& request, progress_counter& counted) {
  settle_text_type(request);
  settle_shape(request, "text");
  settle_pieces(request, false);
  how_ = "parsed";
  text_reader reader(*type_, request.layout, request.threads);
  for (std::size_t wanted = window_bytes;;) {
    std::exception_ptr interrupted;
    try {
      open_->at_least(wanted);
    } catch (const interrupted_reading&) {
      if (!in_pieces_) throw;
      interrupted = std::current_exception();
    }
    const std::span<const std::byte> bytes = open_->bytes();
    if (bytes.empty() && !interrupted) return reader.end();
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), wanted));
    if (bytes.size() > wanted || open_->more_may_come()) {
      text = text.substr(0, reader.complete(text));
      if (text.empty() && interrupted) std::rethrow_exception(interrupted);
      if (text.empty() && wanted >= longest_stretch)
        throw bad_data("text",
                       fmt::format("{} within {} bytes", request.layout.table() ? "a line end" : "white space", wanted),
                       "none");
      if (text.empty()) {
        wanted *= 2;
        continue;
      }
    }
    reader.parse(text, gathered_);
    hand_over_gathered(request);
    if (bytes_needed(request) == 0) return;
    open_->drop(text.size());
    if (open_->mapped()) counted.bytes += text.size();
    if (interrupted) std::rethrow_exception(interrupted);
    open_->start_reading_ahead();
    wanted = window_bytes;
  }
}

}  // namespace onefold::cli
