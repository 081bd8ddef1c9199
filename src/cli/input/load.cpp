// Opening one file after the other, and settling the type and the shape of the one array that they make.
#include "input/load.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "elements.hpp"
#include "input/columnar.hpp"
#include "input/failure.hpp"
#include "input/unpack.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

/// The axes of an array without gaps. Where it has no elements, a stride that is too large is 0.
std::vector<axis> packed_axes(std::span<const std::int64_t> shape, bool fortran) {
  std::vector<axis> axes(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t at = fortran ? i : shape.size() - 1 - i;
    axes[at] = {shape[at], stride};
    if (__builtin_mul_overflow(stride, std::max<std::int64_t>(shape[at], 1), &stride)) stride = 0;
  }
  return axes;
}

/// How many elements a shape has, at most 2^63 - 1.
std::int64_t elements_of(std::span<const std::int64_t> shape) {
  std::int64_t n = 1;
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  for (const std::int64_t extent : shape)
    if (__builtin_mul_overflow(n, extent, &n)) return std::numeric_limits<std::int64_t>::max();
  return n;
}

}  // namespace

loaded_array::loaded_array(const input_request& request, progress_counter& counted) : gathered_(request.layout) {
  if (request.type && request.accept) request.accept(*request.type);
  for (const std::string& path : request.paths) counted.expected += bytes_of_regular(split_member(path).path);
  for (const std::string& path : request.paths) {
    try {
      if (!interrupted_ && !(type_ && bytes_needed(request) == 0)) read(request, path, counted);
    } catch (const failure& f) {
      throw failure(f.code(), shown_name(path) + ": " + f.what());
    } catch (const std::bad_alloc&) {
      throw failure(exit_code::failed, shown_name(path) + ": not enough memory");
    }
  }
  if (gathered_.values.front().size() != 0) view_ = gathered_.values.front().bytes();
  if (!request.shape.empty() && !interrupted_ && elements_of(request.shape) != count())
    throw failure(
        exit_code::bad_data,
        fmt::format("{}: expected {} (--shape {}), found {}", shown_name(request.paths.front()),
                    detail::quantity(elements_of(request.shape), "element"), fmt::join(request.shape, "x"), count()));
  if (axes_.empty() && !shaped_) axes_ = {{count(), 1}};
}

void loaded_array::read(const input_request& request, const std::string& path, progress_counter& counted) {
  // Before anything is read, so that a type that cannot be reduced is refused without waiting for input.
  if (request.format == input_format::text) settle_text_type(request);
  const bool as_is = request.format == input_format::raw;
  opened_input in = open_input(path, as_is, request.rerun, counted);
  open_ = std::move(in.bytes);
  const bool columnar = request.format == input_format::automatic && !in.from.reopened().empty() &&
                        is_columnar(open_->peek(foreign_start).first(std::min(open_->bytes().size(), foreign_start)));
  const input_format format = columnar ? input_format::columnar
                              : request.format != input_format::automatic
                                  ? request.format
                                  : find_format(in.name, *open_, request.type.has_value(), request.layout.table());
  if (!as_is && !columnar) {
    const bool text = format == input_format::text;
    refuse_foreign(
        open_->peek(foreign_start), in.from,
        {text, text && request.format == input_format::automatic, format == input_format::raw, request.layout.table()},
        request.rerun);
  }
  if (format != input_format::text && !columnar)
    if (const char* const option = text_option(request.layout))
      throw failure(exit_code::bad_data, fmt::format("{} applies to text; this file is read as {}", option,
                                                     input_format_names[static_cast<std::size_t>(format)]));
  const auto gathered_bytes = [&] {
    return std::accumulate(gathered_.values.begin(), gathered_.values.end(), std::size_t{0},
                           [](std::size_t sum, const byte_buffer& b) { return sum + b.size(); });
  };
  const std::size_t before = gathered_bytes(), missing_before = gathered_.all_missing();
  const std::int64_t taken_before = taken_;
  view_ = {};
  try {
    read_elements(request, format, in.from, counted);
  } catch (const interrupted_reading&) {
    if (!in_pieces_) throw;
    interrupted_ = true;
  }
  const std::size_t size = view_.size() + gathered_bytes() - before;
  notes_.push_back({known_name(path), format,
                    taken_ - taken_before + detail::elements_in(static_cast<std::int64_t>(size), *type_), how_,
                    static_cast<std::int64_t>(gathered_.all_missing() - missing_before)});
  if (request.paths.size() != 1) open_->check_unchanged();
}

void loaded_array::read_elements(const input_request& request, input_format format, const packed_input& from,
                                 progress_counter& counted) {
  switch (format) {
    case input_format::npy:
      return read_npy(request, counted);
    case input_format::raw:
      return read_raw(request, counted);
    case input_format::columnar:
      return read_columnar(request, from, counted);
    default:
      return read_text(request, counted);
  }
}

std::span<const std::uint32_t> loaded_array::key_numbers(std::size_t column) const {
  const byte_buffer& list = gathered_.key_numbers[std::min(column, gathered_.key_numbers.size() - 1)];
  return {reinterpret_cast<const std::uint32_t*>(list.bytes().data()), list.size() / sizeof(std::uint32_t)};
}

std::string loaded_array::why_empty(std::size_t column) const {
  const std::size_t n = gathered_.missing[column];
  if (n == 0) return "the input is empty";
  return n == 1 ? "the only value is missing and was skipped"
                : fmt::format("all {} values are missing and were skipped", n);
}

void loaded_array::settle_text_type(const input_request& request) {
  settle_type(request, request.type.value_or(request.type_if_unsaid.value_or(dtype::f64)), "the text");
}

void loaded_array::settle_type(const input_request& request, dtype found, const char* what) {
  if (request.type && *request.type != found)
    throw failure(exit_code::bad_data,
                  fmt::format("{} holds {}, but --dtype says {}", what, name_of(found), name_of(*request.type)));
  if (type_ && *type_ != found)
    throw failure(exit_code::bad_data,
                  fmt::format("{} holds {}, but the files before it hold {}", what, name_of(found), name_of(*type_)));
  const bool news = !type_;
  type_ = found;
  if (news && !request.type && request.accept) request.accept(found);
}

void loaded_array::settle_shape(const input_request& request, const char* what) {
  if (request.shape.empty() && request.shape_option != nullptr)
    throw failure(exit_code::wrong_usage,
                  fmt::format("{} requires the shape of the array, which is missing in {}; give it by --shape, such as "
                              "--shape 100x200",
                              request.shape_option, what));
  if (request.shape.empty() || shaped_) return;
  axes_ = packed_axes(request.shape, false);
  shaped_ = true;
  if (request.accept_shape) request.accept_shape(*type_, axes_);
}

void loaded_array::settle_shape(const input_request& request, const detail::npy_layout& layout) {
  if (!request.shape.empty())
    throw failure(exit_code::wrong_usage, "--shape is for raw elements and text; an .npy file has its own shape");
  const bool alone = request.paths.size() == 1;
  if (!alone && request.shape_option != nullptr)
    throw failure(exit_code::wrong_usage,
                  fmt::format("{} applies to one .npy file; several are read as a list", request.shape_option));
  if (!alone && request.c_order && layout.fortran && layout.shape.size() > 1)
    throw failure(exit_code::bad_data,
                  "expected C order, which counts in several files, found Fortran order; give this file alone");
  if (!alone) return;
  axes_ = packed_axes(layout.shape, layout.fortran);
  shaped_ = true;
  if (request.accept_shape) request.accept_shape(layout.type, axes_);
}

void loaded_array::check_unchanged() const {
  if (!open_) return;
  try {
    open_->check_unchanged();
  } catch (const failure& f) {
    throw failure(f.code(), notes_.back().name + ": " + f.what());
  }
}

}  // namespace onefold::cli
