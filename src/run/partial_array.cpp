// Arrays of partials: the outputs of a shape are shared out among threads, or, where there are few, each is folded by
// all of them.
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

/// Folds outputs of a shape into their partials.
class output_folder {
 public:
  output_folder(const problem& shape, const void* data, const void* op, const request& what,
                std::vector<partial_core>& partials)
      : shape_(shape), data_(data), op_(op), what_(what), partials_(partials) {}

  /// The outputs [first, last).
  void fold(std::int64_t first, std::int64_t last, const options& how) const {
    const std::int64_t row = shape_.kept_axes > 0 ? shape_.kept[shape_.kept_axes - 1].extent : 1;
    odometer at(shape_.kept, shape_.kept_axes);
    for (std::int64_t i = first, some = 0; i < last; i += some) {
      some = rows_are_contiguous(shape_) ? 1 : std::min({most_neighbors, last - i, row - i % row});
      at.seek(i);
      fold_neighbors(i, some, address(at.offset()), how);
    }
  }

 private:
  std::int64_t element_size() const { return partials_.front().made().r->element_size; }
  const char* address(std::int64_t offset) const { return static_cast<const char*>(data_) + offset * element_size(); }

  void fold_neighbors(std::int64_t first, std::int64_t some, const char* data, const options& how) const {
    std::vector<accumulator_core> folded;
    const auto partial = [&](std::int64_t i) -> partial_core& {
      return partials_[static_cast<std::size_t>(first + i)];
    };
    for (std::int64_t i = 0; i < some; ++i) folded.emplace_back(partial(i), how, what_);
    if (rows_are_contiguous(shape_)) {
      folded.front().push(op_, data, shape_.n);
    } else {
      const std::int64_t size = element_size(), at_once = std::max<std::int64_t>(1, gathered_bytes / (some * size));
      aligned_bytes gathered(alignof(std::max_align_t));
      gathered.extend(static_cast<std::size_t>(std::min(at_once, shape_.n) * some * size));
      const std::int64_t across = shape_.kept_axes > 0 ? shape_.kept[shape_.kept_axes - 1].stride : 0;
      for (std::int64_t from = 0; from < shape_.n; from += at_once) {
        const std::int64_t n = std::min(at_once, shape_.n - from);
        gather(data, {some, across, &shape_, from, n}, size, gathered.data());
        for (std::int64_t i = 0; i < some; ++i)
          folded[static_cast<std::size_t>(i)].push(op_, gathered.data() + i * n * size, n);
      }
    }
    for (std::int64_t i = 0; i < some; ++i) partial(i) = folded[static_cast<std::size_t>(i)].partial(op_);
  }

  const problem& shape_;
  const void *data_, *op_;
  const request& what_;
  std::vector<partial_core>& partials_;
};

/// Folds all outputs, each by one thread.
struct shared_outputs {
  const output_folder& by;
  std::int64_t outputs;
  int pieces;
  const options& alone;
  std::vector<std::exception_ptr>& failures;

  void fold_piece(int piece) try {
    by.fold(share(outputs, piece, pieces), share(outputs, piece + 1, pieces), alone);
  } catch (...) {
    failures[static_cast<std::size_t>(piece)] = std::current_exception();
  }
};

// The bytes: these letters, a version, the rank, zeros up to 8; the extents, 8 bytes each; the position and the number
// of elements of each partial; the lengths of the partials' bytes, 8 bytes each; the CRC-32C of all that; the partials.
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
  const output_folder by(shape, data, op, all, partials_);
  const memory_location where = locate(data);
  const bool is_there = where.owner && where.kind == accelerator_memory::device;
  if (is_there && !rows_are_contiguous(shape))
    throw error(error_code::unsupported,
                "the elements of a partial are not neighbors, and they are in device memory: copy them to host memory");
  const choice c = choose(all, how, nullptr);
  const int pieces = is_there || threads_lost() ? 1 : threads_for(*c.recipe, all.n, c.threads);
  if (pieces == 1 || size() < 2 * pieces) {  // an accumulator's own threads
    by.fold(0, size(), how);
    return;
  }
  options alone = how;
  alone.backend = backend::sequential;
  alone.threads = 1;
  alone.environment = false;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(pieces));
  shared_outputs work{by, size(), pieces, alone, failures};
  const scheduler_session opened(*c.scheduler, c.threads);
  run_pieces(opened.s, opened.handle, pieces, work);
  for (const std::exception_ptr& why : failures)
    if (why) std::rethrow_exception(why);
}

void partial_array_core::append(const void* op, const partial_array_core& right) {
  const float_environment ieee;
  if (!std::ranges::equal(extents_, right.extents_))
    refuse("arrays of partials with different extents cannot be joined");
  if (!partials_.empty()) {  // what is wrong with one pair is wrong with all
    partial_core first = partials_.front();
    first.append(op, right.partials_.front());
    begin_ = first.begin();
  }
  for (std::size_t i = 0; i < partials_.size(); ++i) partials_[i].append(op, right.partials_[i]);
  count_ += right.count_;
}

void partial_array_core::results(const void* op, const request& to, const void* init, void* results) const {
  for (std::int64_t i = 0; i < size(); ++i)
    (*this)[i].result(op, to, init, static_cast<std::byte*>(results) + i * to.result_size);
}

std::vector<std::byte> partial_array_core::save() const {
  std::vector<std::byte> bytes(array_header(extents_.size(), partials_.size()) + check_bytes);
  std::ranges::copy(std::as_bytes(std::span(array_magic)), bytes.begin());
  bytes[4] = static_cast<std::byte>(array_version);
  bytes[5] = static_cast<std::byte>(extents_.size());
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
  std::uint64_t size = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    kept.push_back(static_cast<std::int64_t>(number(i)));
    if (kept[i] < 0 || __builtin_mul_overflow(size, number(i), &size)) missing();
  }
  if (size > (bytes.size() - array_header(rank, 0) - check_bytes) / 8) missing();
  const std::size_t header = array_header(rank, size);
  if (read_bytes(bytes.data() + header, check_bytes) != crc32c(bytes.data(), header)) missing();
  const auto begin = static_cast<std::int64_t>(number(rank)), count = static_cast<std::int64_t>(number(rank + 1));
  std::int64_t end = 0;
  if (begin < 0 || count < 0 || __builtin_add_overflow(begin, count, &end) || read_bytes(bytes.data() + 6, 2) != 0)
    refuse_array_bytes("their header holds a value that is never written");
  partial_array_core made(expected, {}, begin);
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
