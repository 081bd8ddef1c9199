// onefold reduce: choices, files, the reductions, their results.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "choices.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "input/failure.hpp"
#include "input/load.hpp"
#include "input/unpack.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "reduced.hpp"

namespace onefold::cli {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

/// What the flags choose. A flag that says "automatic" is a choice too: it sets the environment's aside.
options chosen_options(const arguments& a) {
  options how;
  if (a.backend) {
    how.backend = chosen_backend(*a.backend);
    if (how.backend == backend::automatic) unsetenv("ONEFOLD_BACKEND");
  }
  if (a.isa) {
    how.isa = chosen_isa(*a.isa);
    if (how.isa == isa::automatic) unsetenv("ONEFOLD_ISA");
  }
  if (a.kernel) how.kernel = chosen_kernel(*a.kernel);
  if (a.device) how.device = chosen_device(*a.device);
  if (a.accuracy) how.accuracy = chosen_accuracy(*a.accuracy);
  if (a.threads) how.threads = chosen_threads(*a.threads);
  return how;
}

/// chosen_initial, but an error of the library's kind: the file whose type decides is not to blame, and readers add its
/// name to failures.
initial initial_of(const std::string& word, dtype type) try {
  return chosen_initial(word, type);
} catch (const failure& f) {
  throw error(error_code::invalid_argument, f.what());
}

/// Whether the operation's result is a position in the array.
bool counts_positions(int operation) {
  return operation == operation_index<op::argmin> || operation == operation_index<op::argmax>;
}

/// Checks the word of --output before the work: an .npy file that can be written, and none of the inputs.
void require_output(const std::string& path, const std::vector<std::string>& inputs) {
  if (!path.ends_with(".npy")) throw unusable("--output", "a name that ends in .npy", path);
  std::error_code none;
  for (const std::string& input : inputs) {
    const std::string file = is_standard_input(input) ? "/dev/stdin" : split_member(input).path;
    if (std::filesystem::equivalent(path, file, none))
      throw failure(exit_code::wrong_usage,
                    fmt::format("--output: {} is an input; expected another file", shown_name(path)));
  }
  require_replaceable(path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  require_folder(folder.empty() ? "." : folder);
}

/// The reductions that a command line asks for.
class reductions {
 public:
  explicit reductions(const arguments& given)
      : along_{given.axes.empty() ? over::list() : over::list(std::span<const int>(chosen_reduced_axes(given.axes))),
               given.keep},
        keeps_shape_(!given.axes.empty() || given.keep || given.shape) {
    if (given.result) result_ = chosen_result(*given.result);
    init_ = given.init;
    const options how = chosen_options(given);
    for (const int operation : chosen_operations(given.operation)) list_.push_back({operation, how});
  }

  int threads() const { return list_.front().how.threads; }
  bool any_counts_positions() const {
    return std::ranges::any_of(list_, [](const one& r) { return counts_positions(r.operation); });
  }

  /// One element of zeros is reduced as asked for, so that what cannot be done is said before a long file is read.
  void accept(dtype type) {
    const std::uint64_t zero = 0;
    for (one& r : list_) {
      const dynamic_result tried = reduce_dynamic(r.operation, type, &zero, 1, r.how, result_);
      if (!init_) continue;
      r.how.init = initial_of(*init_, tried.values.front().type);
      static_cast<void>(reduce_dynamic(r.operation, type, &zero, 1, r.how, result_));
    }
  }

  /// The same for axes.
  void accept_shape(dtype type, std::span<const axis> axes) const {
    for (const one& r : list_) static_cast<void>(planned(r, type, axes));
  }

  /// The extents of an array whose axes matter.
  std::vector<std::int64_t> shape_of(const loaded_array& array) const {
    std::vector<std::int64_t> shape;
    if (keeps_shape_)
      for (const axis& a : array.axes()) shape.push_back(a.extent);
    return shape;
  }

  /// Reduces the array by each operation.
  std::vector<reduced> run(const loaded_array& array) const {
    std::vector<reduced> all;
    for (const one& r : list_) {
      reduced& made =
          all.emplace_back(reduced{std::string(operation_infos()[static_cast<std::size_t>(r.operation)].name),
                                   planned(r, array.type(), array.axes()),
                                   {}});
      dynamic_shaped_plan& plan = made.plan;
      std::int64_t bytes = 0;
      if (__builtin_mul_overflow(plan.size(), plan.result_size(), &bytes)) throw std::bad_alloc();
      std::byte* const to = made.results.room(static_cast<std::size_t>(bytes));
      const auto start = clock::now();
      plan.run(array.bytes().data(), to, plan.size());
      made.seconds = seconds_since(start);
      made.results.grow(static_cast<std::size_t>(bytes));
    }
    return all;
  }

 private:
  struct one {
    int operation;
    options how;
  };

  /// Where no axes matter, the elements are one list in the file's order; but positions count in C order.
  dynamic_shaped_plan planned(const one& r, dtype type, std::span<const axis> axes) const {
    if (keeps_shape_) return {r.operation, type, axes, along_, r.how, result_};
    return {r.operation, type, counts_positions(r.operation) ? joined(axes) : listed(axes), {}, r.how, result_};
  }

  /// The elements of an array in the order in which they lie.
  static std::vector<axis> listed(std::span<const axis> axes) {
    const bool empty = std::ranges::find(axes, 0, &axis::extent) != axes.end();
    axis list{1, 1};
    for (const axis& a : axes) list.extent *= empty ? 0 : a.extent;
    return {list};
  }

  /// The elements of an array in C order, by few axes: NumPy's arrays have up to 64, a view has 8.
  static std::vector<axis> joined(std::span<const axis> axes) {
    std::vector<axis> few;
    if (std::ranges::find(axes, 0, &axis::extent) != axes.end()) return {{0, 1}};
    for (const axis& a : axes)
      if (!few.empty() && few.back().stride == a.stride * a.extent)
        few.back() = {few.back().extent * a.extent, a.stride};
      else if (a.extent != 1)
        few.push_back(a);
    return few;
  }

  over along_;
  bool keeps_shape_;
  std::optional<dtype> result_;
  std::optional<std::string> init_;
  std::vector<one> list_;
};

/// What is wrong with the data, as a failure that names the file. Rethrows any other error.
[[noreturn]] void fail_reducing(const error& e, const loaded_array& array, bool has_shape, const arguments& given) {
  array.check_unchanged();  // a GPU's driver refuses what is not there any more by a message of its own
  if (e.code() != error_code::empty_input && e.code() != error_code::overflow) throw;
  const std::string file = shown_name(given.files.front());
  const std::string_view what = e.what();
  if (e.code() == error_code::empty_input && !has_shape)  // of which the library knows no more
    throw failure(exit_code::bad_data,
                  fmt::format("{}: {}: {}", file, what.substr(0, what.find(':')), array.why_empty()));
  throw failure(exit_code::bad_data, fmt::format("{}: {}", file, what));
}

}  // namespace

void run_reduce(const arguments& given) {
  reductions wanted(given);
  input_request request = chosen_input(given, wanted.threads());
  request.c_order = wanted.any_counts_positions();
  request.accept = [&](dtype type) { wanted.accept(type); };
  request.accept_shape = [&](dtype type, std::span<const axis> axes) {
    try {
      wanted.accept_shape(type, axes);
    } catch (const error& e) {  // of the axes that the file has: its name belongs to it
      if (e.code() != error_code::invalid_argument) throw;
      throw failure(exit_code::wrong_usage, e.what());
    }
  };
  if (given.output) require_output(*given.output, given.files);

  announce_terminal(given.files);
  tally counted;
  reduced_input from;
  std::vector<reduced> all;
  {
    const progress shown(counted);
    const auto start = clock::now();
    const loaded_array array(request, counted);
    from = {array.type(), array.count(), wanted.shape_of(array), seconds_since(start), array.notes()};
    if (request.layout.missing != missing_rule::error) from.missing = array.missing();

    counted.phase = "reducing";
    try {
      all = wanted.run(array);
    } catch (const error& e) {
      fail_reducing(e, array, !from.shape.empty(), given);
    }
    array.check_unchanged();
    if (given.output) {
      counted.phase = "writing";
      write_npy(*given.output, all);
    }
  }
  if (given.format == output_format::json) return write_output(as_json(all, from, given.explain, given.output));
  std::string text = given.output ? "" : as_text(all, from, isatty(STDOUT_FILENO) != 0);
  if (given.explain) text += explained(all, from);
  write_output(text);
}

}  // namespace onefold::cli
