#include "source/kernels.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "choose.hpp"
#include "onefold/error.hpp"
#include "onefold/order.hpp"
#include "onefold/version.hpp"
#include "source/compilers.hpp"
#include "source/loading.hpp"
#include "source/nvrtc.hpp"
#include "source/object_cache.hpp"
#include "source/text.hpp"

namespace onefold::detail {
namespace {

constexpr const char* layout_variable = "onefold_layout";  ///< the layout as the kernels have it

/// A kernel, or the layout, and where its name belongs.
struct wanted_kernel {
  std::string expression;
  const char* loadable_kernels::*place;
  int column;  ///< where that is null: of loadable_kernels::columns
};

std::vector<wanted_kernel> kernels_of(const source_operation& operation, kernel_set set,
                                      const std::function<const source_record&()>& host) {
  std::vector<wanted_kernel> all{{std::string("&") + layout_variable, &loadable_kernels::layout_variable, -1}};
  const auto add = [&](const std::string& name, const char* loadable_kernels::*place) {
    all.push_back({"onefold::detail::" + name + "<" + arguments_of(operation) + ">", place, -1});
  };
  if (set == kernel_set::array) {
    add("fold_pages", &loadable_kernels::pages);
    return all;
  }
  const fold_layout of = host().layout;
  if (!of.has_tiles) {
    add("fold_scattered", &loadable_kernels::scattered);
  } else {
    if (set == kernel_set::shape) {
      constexpr const char* lanes_at_once[] = {", 8>", ", 4>", ", 2>", ", 1>"};
      for (int i = 0; i < 4; ++i)
        all.push_back({"onefold::detail::fold_columns<" + arguments_of(operation) + lanes_at_once[i], nullptr, i});
      add("fold_tiles", &loadable_kernels::tiles);
    }
    add("fold_segments", &loadable_kernels::segments);
  }
  if (set == kernel_set::segments)
    all.push_back({"onefold::detail::find_tiles<" + std::to_string(page_elements(of.element)) + ">",
                   &loadable_kernels::find_tiles, -1});
  add("join_pages", &loadable_kernels::join);
  return all;
}

/// The compute capabilities of an accelerator's devices.
struct capabilities {
  int lowest, highest;
};
capabilities capabilities_of(const accelerator& on) {
  int lowest = 0, highest = 0;
  for (int i = 0; i < on.devices(); ++i) {
    accelerator_specifications sheet{};
    accelerator_failure failed;
    if (!on.specifications(i, &sheet, &failed)) throw error(failed.code, failed.text);
    lowest = i == 0 ? sheet.capability : std::min(lowest, sheet.capability);
    highest = std::max(highest, sheet.capability);
  }
  return {lowest, highest};
}

/// As one file: the names, an empty line and the image.
std::string joined(const compiled_kernels& kernels) {
  std::string text;
  for (const std::string& name : kernels.names) text += name + '\n';
  return text + '\n' + kernels.image;
}

compiled_kernels taken_apart(std::string_view text) {
  compiled_kernels kernels;
  while (!text.empty() && text.front() != '\n') {
    const std::size_t end = std::min(text.find('\n'), text.size());
    kernels.names.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  kernels.image = text.empty() ? text : text.substr(1);
  return kernels;
}

/// What is compiled, and where the cache keeps it.
struct compilation {
  std::string file;
  std::vector<std::string> options, expressions;
  std::string key;
  std::filesystem::path cache, kept;  ///< empty: there is no cache
};

compilation compilation_of(const source_operation& operation, const accelerator& on, const capabilities& of,
                           const std::vector<wanted_kernel>& wanted) {
  const std::filesystem::path headers = include_folder();
  compilation c;
  c.file = file_around(operation, "#include \"onefold/detail/cuda/text_kernels.cuh\"\n" + check_of_version(),
                       "static_assert(onefold::detail::device_operation<" + arguments_of(operation) +
                           ">::checked);\n__constant__ onefold::fold_layout " + layout_variable +
                           " = onefold::detail::fold_layout_of<" + arguments_of(operation) + ">;\n");
  c.options = {"-std=c++20",
               "-fmad=false",
               "-default-device",
               "-w",
               "-diag-error=20208",  // long double, which GPUs do not have
               "-I" + (headers / "onefold/detail/cuda/nvrtc").string(),
               "-I" + headers.string()};
  for (const wanted_kernel& one : wanted) c.expressions.push_back(one.expression);
  c.key = key_of_headers(headers) + on.version() + ", compute capability " + std::to_string(of.lowest) + " to " +
          std::to_string(of.highest) + "\n";
  for (const std::vector<std::string>* words : {&c.options, &c.expressions})
    for (const std::string& word : *words) c.key += word + "\n";
  c.key += c.file;
  c.cache = cache_folder();
  if (!c.cache.empty()) c.kept = object_file(c.cache, c.key, ".kernels");
  return c;
}

std::optional<compiled_kernels> from_cache(const compilation& c) {
  if (c.cache.empty()) return std::nullopt;
  const std::optional<std::string> known = sealed_content(c.kept, c.key);
  return known ? std::optional(taken_apart(*known)) : std::nullopt;
}

/// Compiles, and keeps the kernels in the cache.
compiled_kernels compile(compilation c, const capabilities& of, const std::string& failed) {
  const nvrtc& by = nvrtc::find();
  c.options.push_back(by.architecture_option(of.lowest, of.lowest == of.highest));
  compiled_kernels made = by.compile(c.file, c.options, c.expressions, failed);
  if (!c.cache.empty()) {
    remove_abandoned_folders(c.cache);
    const temporary_folder room(c.cache);
    std::error_code ignored;
    if (room.is_made() && write_sealed(room.path() / "sealed", joined(made), c.key))
      std::filesystem::rename(room.path() / "sealed", c.kept, ignored);
  }
  return made;
}

}  // namespace

const device_fold& load_kernels(const source_operation& operation, kernel_set set, const accelerator& on,
                                const std::function<const source_record&()>& host) {
  const std::string failed = "operation " + operation.name + " cannot be ";
  if (!on.load_kernels)
    throw error(error_code::unsupported, std::string("backend ") + on.name + " runs no operations as text");
  const std::vector<wanted_kernel> wanted = kernels_of(operation, set, host);
  const capabilities of = capabilities_of(on);
  const compilation what = compilation_of(operation, on, of, wanted);
  const device_fold* loaded = nullptr;
  accelerator_failure failure;
  const auto load = [&](const compiled_kernels& from) {
    loadable_kernels kernels{};
    kernels.size = sizeof kernels;
    kernels.image = from.image.data();
    kernels.layout = host().layout;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      (wanted[i].place ? kernels.*wanted[i].place : kernels.columns[wanted[i].column]) = from.names[i].c_str();
    return on.load_kernels(kernels, &loaded, &failure);
  };
  // The NVRTC that made what is in the cache may have been newer than the driver.
  if (const std::optional<compiled_kernels> known = from_cache(what); known && load(*known)) return *loaded;
  if (!load(compile(what, of, failed + "compiled"))) throw error(failure.code, failed + "loaded: " + failure.text);
  return *loaded;
}

}  // namespace onefold::detail
