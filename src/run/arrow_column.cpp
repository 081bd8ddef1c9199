// Columns of Arrow data: who owns what, and the reductions by names.
#include <bit>
#include <memory>

#include "dynamic.hpp"
#include "onefold/arrow.hpp"
#include "quantity.hpp"
#include "run/arrow_reader.hpp"
#include "run/checks.hpp"

namespace onefold {

using detail::arrow_reader;
using detail::owned;
using detail::refuse;

arrow_column::arrow_column(ArrowArrayStream* stream, const arrow_field& field) {
  owned<ArrowArrayStream> taken(stream);
  if (taken.is_released()) refuse("the Arrow stream is null or already released");
  reader_ = std::make_unique<arrow_reader>();
  reader_->stream.take(taken.get());
  if (!reader_->stream->get_schema) refuse("the Arrow stream has no function get_schema");
  ArrowSchema got = {};
  if (const int reason = reader_->stream->get_schema(reader_->stream.get(), &got))
    reader_->fail_stream("could not be described", reason);
  owned<ArrowSchema> schema(&got);
  reader_->choose(*schema.get(), field);
}

arrow_column::arrow_column(ArrowArray* array, ArrowSchema* schema, const arrow_field& field) {
  owned<ArrowArray> taken(array);
  owned<ArrowSchema> described(schema);
  if (taken.is_released() || described.is_released())
    refuse("the Arrow array or its schema is null or already released");
  reader_ = std::make_unique<arrow_reader>();
  reader_->array.take(taken.get());
  reader_->choose(*described.get(), field);
  reader_->open();
}

arrow_column::arrow_column(arrow_column&&) noexcept = default;
arrow_column& arrow_column::operator=(arrow_column&&) noexcept = default;
arrow_column::~arrow_column() = default;

arrow_reader& arrow_column::made() const {
  if (!reader_) refuse("the Arrow column was moved from; assign another one to it first");
  return *reader_;
}

dtype arrow_column::element() const { return made().type.element; }
const std::string& arrow_column::name() const { return made().name; }
std::int64_t arrow_column::count() const { return made().count; }
std::int64_t arrow_column::missing() const { return made().missing; }

element_piece arrow_column::next() {
  arrow_reader& c = made();
  if (c.failed)
    refuse(detail::arrow_column_called(c.name) +
           " could not be read to its end by an earlier call; results would lack rows");
  try {
    return c.read();
  } catch (...) {
    c.failed = true;
    c.array.release();
    c.stream.release();
    throw;
  }
}

std::int64_t arrow_column::row(std::int64_t i) const {
  const arrow_reader& c = made();
  if (i < 0 || i >= c.piece)
    refuse("element " + std::to_string(i) + " is not one of the last piece, which has " +
           detail::quantity(c.piece, "element"));
  if (!c.compressed) return c.first_row + i;
  std::int64_t w = 0;
  for (int valid; i >= (valid = std::popcount(c.words[static_cast<std::size_t>(w)])); ++w) i -= valid;
  return c.first_row + w * 64 + std::countr_zero(detail::without_first(c.words[static_cast<std::size_t>(w)], i));
}

void arrow_column::require(dtype type) const {
  if (type != element())
    refuse(detail::arrow_column_called(name()) + " holds " + name_of(element()) + ", not " + name_of(type));
}

std::vector<dynamic_result> reduce_dynamic(arrow_column& from, const std::vector<std::string_view>& operations,
                                           const options& how, std::string_view result) {
  struct part {
    dynamic_accumulator all;
    bool gives_row;
    detail::best_row best;
  };
  const auto position = [](const part& p) { return static_cast<std::int64_t>(p.all.result().front().bits); };
  std::vector<part> parts;
  for (const std::string_view name : operations) {
    const int operation = operation_named(name);
    parts.push_back({dynamic_accumulator(operation, from.element(), how, 0, detail::result_named(result)),
                     operation_infos()[static_cast<std::size_t>(operation)].gives_index, detail::best_row(from)});
  }
  for (element_piece piece = from.next(); piece.n > 0; piece = from.next())
    for (part& p : parts) {
      p.all.push(piece.data, piece.n);
      if (p.gives_row) p.best.follow(from, piece, [&] { return position(p); });
    }
  std::vector<dynamic_result> all;
  for (const part& p : parts) {
    all.push_back({p.all.result(), p.all.report()});
    if (p.gives_row) all.back().values.front().bits = static_cast<std::uint64_t>(p.best.row_of(position(p)));
  }
  return all;
}

}  // namespace onefold
