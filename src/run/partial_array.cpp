// Arrays of partials: the outputs of a shape are shared out among threads, or, where there are few, the pages of all of
// them.
#include "onefold/detail/partial_array.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "choose.hpp"
#include "cpu.hpp"
#include "fork.hpp"
#include "modules.hpp"
#include "onefold/array_view.hpp"
#include "onefold/detail/exact/crc32c.hpp"
#include "onefold/detail/exact/serialized.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/gather.hpp"
#include "run/partial_state.hpp"
#include "run/partition.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

/// Neighboring outputs whose elements are gathered together, since they share cache lines; and bytes of theirs at once.
constexpr std::int64_t most_neighbors = 16, gathered_bytes = 256 << 10;

/// Some of all outputs, or of their elements.
struct stretch {
  std::int64_t first, last;

  std::int64_t size() const { return last - first; }
};

/// Folds outputs of a shape into their partials, on the calling thread.
struct output_folder {
  const problem& shape;
  const void *data, *op;
  const recipe& r;

  const char* address(std::int64_t offset) const { return static_cast<const char*>(data) + offset * r.element_size; }

  /// Pushes elements of some outputs into these of the partials of all outputs.
  void fold(stretch outputs, stretch elements, std::span<partial_core> partials) const {
    const fold_memory room(r, pages_of(r, elements.size()));
    aligned_bytes gathered(alignment_of_elements(r));
    const std::int64_t row = shape.kept_axes > 0 ? shape.kept[shape.kept_axes - 1].extent : 1;
    odometer at(shape.kept, shape.kept_axes);
    for (std::int64_t i = outputs.first, some = 0; i < outputs.last; i += some) {
      some = rows_are_contiguous(shape) ? 1 : std::min({most_neighbors, outputs.last - i, row - i % row});
      at.seek(i);
      const std::span<partial_core> to = partials.subspan(static_cast<std::size_t>(i), static_cast<std::size_t>(some));
      for (partial_core& p : to) p.made().r = &r;
      if (rows_are_contiguous(shape))
        to.front().made().push(op, address(at.offset() + elements.first), elements.size(), room.get());
      else
        fold_neighbors(address(at.offset()), elements, to, room.get(), gathered);
      for (partial_core& p : to) p.made().settle(op, room.get());
    }
  }

  void fold_neighbors(const char* first, stretch elements, std::span<partial_core> to, void* room,
                      aligned_bytes& gathered) const {
    const std::int64_t some = std::ssize(to), size = r.element_size,
                       at_once = std::max<std::int64_t>(1, gathered_bytes / (some * size)),
                       across = shape.kept_axes > 0 ? shape.kept[shape.kept_axes - 1].stride : 0;
    for (std::int64_t from = elements.first; from < elements.last; from += at_once) {
      const std::int64_t n = std::min(at_once, elements.last - from);
      gathered.clear();
      gathered.extend(static_cast<std::size_t>(n * some * size));
      gather(first, {some, across, &shape, from, n}, size, gathered.data());
      const std::byte* p = gathered.data();
      for (partial_core& each : to) {
        each.made().push(op, p, n, room);
        p += n * size;
      }
    }
  }
};

/// Calls f for each of some pieces, on the threads of a choice. Throws what the first of those that fail throws.
template <class Function>
void for_each_piece(const choice& c, int pieces, const Function& f) {
  struct caught {
    const Function& f;
    std::vector<std::exception_ptr> failures;
    void fold_piece(int piece) try { f(piece); } catch (...) {
      failures[static_cast<std::size_t>(piece)] = std::current_exception();
    }
  } work{f, std::vector<std::exception_ptr>(static_cast<std::size_t>(pieces))};
  const scheduler_session opened(*c.scheduler, c.threads);
  run_pieces(opened.s, opened.handle, pieces, work);
  for (const std::exception_ptr& why : work.failures)
    if (why) std::rethrow_exception(why);
}

// The bytes: these letters, a version, the rank, the accuracy if no partial has it, else 0, and a 0; the extents, 8
// bytes each; the position and the number of elements of each partial; the lengths of the partials' bytes, 8 bytes
// each; the CRC-32C of all that; the partials.
constexpr std::string_view array_magic = "1fxa";
constexpr int array_version = 1;
constexpr std::size_t array_start = 8, check_bytes = 4;

std::size_t array_header(std::size_t rank, std::size_t partials) { return array_start + 8 * (rank + 2 + partials); }

[[noreturn]] void refuse_array_bytes(const std::string& why) {
  refuse("these bytes are not an array of partials: " + why);
}

}  // namespace

partial_array_core::partial_array_core(const partial_kind& what, const onefold::extents& kept, std::int64_t begin)
    : kind_(what), extents_(kept), begin_(begin) {
  const float_environment ieee;
  const std::size_t size = count_results(kept, sizeof(partial_core));
  const partial_core none(what, begin);
  try {
    partials_.assign(size, none);
  } catch (const std::length_error&) {
    fail_to_allocate(size, sizeof(partial_core));
  } catch (const std::bad_alloc&) {
    fail_to_allocate(size, sizeof(partial_core));
  }
}

partial_array_core::partial_array_core(const partial_kind& what, const onefold::extents& kept, std::int64_t begin,
                                       const options& how, const void* op, const problem& shape, const void* data)
    : partial_array_core(what, kept, begin) {
  const float_environment ieee;
  static_cast<void>(checked_end(begin, shape.n));
  count_ = shape.n;
  const request all = request_of(what, shape.outputs * shape.n);
  accumulator_core checked(partial_core(what, begin), how, all);  // of the options, whatever the length
  if (size() == 0 || shape.n == 0) return;
  if (!data) refuse("the data pointer is null, but " + there_are(shape.outputs * shape.n, "element"));
  const memory_location where = locate(data);
  if (where.owner && where.kind == accelerator_memory::device) {
    fold_on_device(how, op, shape, data);
    return;
  }
  const choice c = choose(all, how, nullptr);
  const output_folder by{shape, data, op, *c.recipe};
  const std::int64_t outputs = size(), n = shape.n, page = c.recipe->page;
  const int pieces = threads_lost() ? 1 : threads_for(*c.recipe, all.n, c.threads);
  if (pieces == 1 || outputs >= 2 * pieces) {  // shares of the outputs
    for_each_piece(c, pieces, [&](int piece) {
      by.fold({share(outputs, piece, pieces), share(outputs, piece + 1, pieces)}, {0, n}, partials_);
    });
    return;
  }
  const std::int64_t before = begin % page, pages = (before + n - 1) / page + 1;  // shares of their pages
  const int parts = static_cast<int>(std::min<std::int64_t>(pieces, pages));
  const auto border = [&](int part) {
    return std::clamp<std::int64_t>(share(pages, part, parts) * page - before, 0, n);
  };
  std::vector<std::vector<partial_core>> later(static_cast<std::size_t>(parts) - 1);
  for_each_piece(c, parts, [&](int part) {
    std::vector<partial_core>* to = &partials_;
    if (part > 0) {
      to = &later[static_cast<std::size_t>(part) - 1];
      to->assign(partials_.size(), partial_core(what, begin + border(part)));
    }
    by.fold({0, outputs}, {border(part), border(part + 1)}, *to);
  });
  for (const std::vector<partial_core>& part : later)
    for (std::size_t i = 0; i < part.size(); ++i) partials_[i].append(op, part[i]);
}

void partial_array_core::fold_on_device(const options& how, const void* op, const problem& shape, const void* data) {
  if (!rows_are_contiguous(shape))
    throw error(error_code::unsupported,
                "the elements of a partial are not neighbors, and they are in device memory: copy them to host memory");
  odometer at(shape.kept, shape.kept_axes);
  for (partial_core& p : partials_) {
    accumulator_core row(p, how, request_of(kind_, shape.n));
    row.push(op, static_cast<const std::byte*>(data) + at.offset() * p.made().r->element_size, shape.n);
    p = row.partial(op);
    at.next();
  }
}

const partial_array_core& partial_array_core::made() const {
  if (partials_.empty() && count_results(extents_, 1) > 0)
    refuse("the array of partials was moved from; assign another one to it first");
  return *this;
}

void partial_array_core::append(const void* op, const partial_array_core& right) {
  const float_environment ieee;
  if (!std::ranges::equal(made().extents_, right.made().extents_))
    refuse("arrays of partials with different extents cannot be joined");
  const std::int64_t begin = joined_begin({kind_, begin_, count_}, {right.kind_, right.begin_, right.count_});
  for (std::size_t i = 0; i < partials_.size(); ++i) partials_[i].append(op, right.partials_[i]);
  begin_ = begin;
  count_ += right.count_;
}

void partial_array_core::results(const void* op, const request& to, const void* init, void* results) const {
  auto* out = static_cast<std::byte*>(results);
  for (const partial_core& p : made().partials_) {
    p.result(op, to, init, out);
    out += to.result_size;
  }
}

std::vector<std::byte> partial_array_core::save() const {
  std::vector<std::byte> bytes(array_header(made().extents_.size(), partials_.size()) + check_bytes);
  std::ranges::copy(std::as_bytes(std::span(array_magic)), bytes.begin());
  bytes[4] = static_cast<std::byte>(array_version);
  bytes[5] = static_cast<std::byte>(extents_.size());
  if (partials_.empty()) bytes[6] = static_cast<std::byte>(kind_.mode);
  std::size_t at = array_start;
  const auto write = [&](std::uint64_t x) {
    write_bytes(bytes.data() + at, x, 8);
    at += 8;
  };
  for (const std::int64_t e : extents_) write(static_cast<std::uint64_t>(e));
  write(static_cast<std::uint64_t>(begin_));
  write(static_cast<std::uint64_t>(count_));
  for (const partial_core& p : partials_) {
    const std::vector<std::byte> saved = p.save();
    write(saved.size());
    bytes.insert(bytes.end(), saved.begin(), saved.end());
  }
  write_bytes(bytes.data() + at, crc32c(bytes.data(), at), check_bytes);
  return bytes;
}

partial_array_core partial_array_core::load(std::span<const std::byte> bytes, const partial_kind& expected) {
  if (bytes.size() < array_start + check_bytes ||
      std::string_view(reinterpret_cast<const char*>(bytes.data()), array_magic.size()) != array_magic)
    refuse_array_bytes("they do not begin with " + std::string(array_magic));
  if (const int found = static_cast<int>(bytes[4]); found != array_version)
    refuse_array_bytes("their format is version " + std::to_string(found) + "; this library has version " +
                       std::to_string(array_version));
  const auto rank = static_cast<std::size_t>(bytes[5]);
  const auto number = [&](std::size_t i) { return read_bytes(bytes.data() + array_start + 8 * i, 8); };
  const auto missing = [] { refuse_array_bytes("their checksum does not match, or bytes are missing"); };
  if (rank > most_axes || bytes.size() < array_header(rank, 0) + check_bytes) missing();
  onefold::extents kept;
  for (std::size_t i = 0; i < rank; ++i) {
    kept.push_back(static_cast<std::int64_t>(number(i)));
    if (kept[i] < 0) missing();
  }
  const std::size_t size = count_results(kept, 1);
  if (size > (bytes.size() - array_header(rank, 0) - check_bytes) / 8) missing();
  const std::size_t header = array_header(rank, size);
  if (read_bytes(bytes.data() + header, check_bytes) != crc32c(bytes.data(), header)) missing();
  const auto begin = static_cast<std::int64_t>(number(rank)), count = static_cast<std::int64_t>(number(rank + 1));
  std::int64_t end = 0;
  const auto mode = static_cast<int>(bytes[6]);
  if (begin < 0 || count < 0 || __builtin_add_overflow(begin, count, &end) || bytes[7] != std::byte{} ||
      mode >= (size > 0 ? 1 : accuracy_count))
    refuse_array_bytes("their header holds a value that is never written");
  partial_kind kind = expected;
  kind.mode = static_cast<accuracy>(mode);
  partial_array_core made(kind, {}, begin);
  made.partials_.clear();
  made.extents_ = kept;
  made.count_ = count;
  std::span<const std::byte> rest = bytes.subspan(header + check_bytes);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t length = number(rank + 2 + i);
    if (length > rest.size()) refuse_array_bytes("the bytes of partial " + std::to_string(i) + " are missing");
    made.partials_.push_back(partial_core::load(rest.first(length), expected));
    const partial_core& p = made.partials_.back();
    if (p.begin() != made.begin_ || p.count() != made.count_ || p.kind().mode != made.partials_.front().kind().mode)
      refuse_array_bytes("partial " + std::to_string(i) + " is of other elements or of another accuracy than they say");
    rest = rest.subspan(length);
  }
  if (!rest.empty()) refuse_array_bytes("more bytes follow the last partial");
  if (size > 0) made.kind_.mode = made.partials_.front().kind().mode;
  return made;
}

}  // namespace onefold::detail
