// Several files as one array, or the columns of a table: mapped where that is possible, else gathered.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements.hpp"
#include "files/npy.hpp"
#include "input/byte_buffer.hpp"
#include "input/foreign.hpp"
#include "input/format.hpp"
#include "input/source.hpp"
#include "input/text.hpp"
#include "onefold/problem.hpp"
#include "onefold/types.hpp"

namespace onefold::cli {

/// What is to be read, and how.
struct input_request {
  std::vector<std::string> paths;       ///< in order; "-" is standard input
  std::optional<dtype> type;            ///< --dtype
  std::optional<dtype> type_if_unsaid;  ///< without it that of raw elements, and of text in place of f64
  input_format format = input_format::automatic;
  text_layout layout;
  std::vector<std::int64_t> shape;     ///< --shape: of raw elements and text, in C order; empty: not given
  const char* shape_option = nullptr;  ///< the option that axes are named by, if any: a list of numbers will not do
  bool c_order = false;                ///< C order counts: of several files, none may be in Fortran order
  int threads = 1;                     ///< that may parse text
  std::int64_t needed = INT64_MAX;     ///< elements from the start; others need not be read where they are kept
  rerun_line rerun;                    ///< for messages that suggest another command line
  std::function<void(dtype)>
      accept;  ///< called once, as soon as the type is known: before a file is opened if it is asked for
  /// Called once with type, extents and strides of an array whose shape is asked for or is in its header, before its
  /// elements are read.
  std::function<void(dtype, std::span<const axis>)> accept_shape;
  /// Called once, before elements are read that make one list: whether `take` gets them in pieces, in the order in
  /// which they are stored; else, and where it is empty, they are kept. The axes are those of a single .npy file or of
  /// --shape, none of a list; `mapped`: the elements themselves are in a mapped file, which text is not.
  std::function<bool(dtype, std::span<const axis>, bool mapped)> takes_pieces;
  std::function<void(const void* elements, std::int64_t n)> take;  ///< takes a piece, which is gone afterwards
};

/// How one file was read, for people.
struct input_note {
  std::string name;  ///< as it is: escape it where people see it
  input_format format;
  std::int64_t count;
  const char* how;           ///< "mapped", "copied", "parsed", "read" or "unpacked"
  std::int64_t missing = 0;  ///< values
};

/// The array that the files make together. Owns the memory; of one that was taken in pieces it has the number of
/// elements alone.
class loaded_array {
 public:
  /// Reads the files. Throws failure, each with its file's name.
  loaded_array(const input_request& request, progress_counter& counted);

  dtype type() const { return *type_; }
  /// The elements; of a table, those of each column that is read.
  std::span<const std::byte> bytes(std::size_t column = 0) const {
    return column == 0 ? view_ : gathered_.values[column].bytes();
  }
  std::int64_t count(std::size_t column = 0) const {
    return in_pieces_ ? taken_ : detail::elements_in(static_cast<std::int64_t>(bytes(column).size()), *type_);
  }
  /// Whether Ctrl-C ended the reading of an array that is taken in pieces, between two elements.
  bool interrupted() const { return interrupted_; }
  /// The keys of a table's records where a key column is read, and the number of each element's key.
  const key_table& keys() const { return gathered_.keys; }
  std::span<const std::uint32_t> key_numbers(std::size_t column) const;
  /// The extents and strides of the elements, where --shape or the header of a single .npy file says them, else those
  /// of a list.
  std::span<const axis> axes() const { return axes_; }
  const std::vector<input_note>& notes() const { return notes_; }
  /// Missing values, and keys, of all files.
  std::int64_t missing() const { return static_cast<std::int64_t>(gathered_.all_missing()); }
  /// Why a column is empty, if it is.
  std::string why_empty(std::size_t column = 0) const;
  /// Throws if a mapped file became shorter since.
  void check_unchanged() const;

 private:
  void read(const input_request& request, const std::string& path, progress_counter& counted);
  void read_elements(const input_request& request, input_format format, const packed_input& from,
                     progress_counter& counted);
  void read_npy(const input_request& request, progress_counter& counted);
  void read_raw(const input_request& request, progress_counter& counted);
  void read_text(const input_request& request, progress_counter& counted);
  void read_columnar(const input_request& request, const packed_input& from, progress_counter& counted);
  void settle_text_type(const input_request& request);
  void settle_type(const input_request& request, dtype found, const char* what);
  void settle_shape(const input_request& request, const char* what);
  void settle_shape(const input_request& request, const detail::npy_layout& layout);
  void settle_pieces(const input_request& request, bool mapped);
  std::size_t bytes_needed(const input_request& request) const;
  std::optional<std::size_t> take_rest(const input_request& request, std::size_t most, bool swapped,
                                       progress_counter& counted);
  void take(const input_request& request, std::span<const std::byte> elements, bool swapped);
  void hand_over(const input_request& request, std::span<const std::byte> elements);
  void hand_over_gathered(const input_request& request);

  std::optional<dtype> type_;
  std::unique_ptr<source> open_;  ///< the file being read; at the end the one that view_ looks into
  text_columns gathered_;         ///< what was not left where it is; of what is not text, one column
  std::span<const std::byte> view_;
  std::vector<axis> axes_;
  bool shaped_ = false;     ///< axes_ are asked for, or a file's own
  bool in_pieces_ = false;  ///< request.take gets the elements
  std::int64_t taken_ = 0;  ///< how many it got
  bool interrupted_ = false;
  const char* how_ = "";
  std::vector<input_note> notes_;
};

}  // namespace onefold::cli
