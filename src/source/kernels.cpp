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

/// A kernel, and where its name belongs.
struct wanted_kernel {
  std::string expression;
  const char* loadable_kernels::*place;
  int column;  ///< of loadable_kernels::columns; -1: at `place`
};

std::vector<wanted_kernel> kernels_of(const source_operation& operation, kernel_set set,
                                      const std::function<const source_record&()>& host) {
  std::vector<wanted_kernel> all;
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

/// From the cache, or compiled.
compiled_kernels compiled(const source_operation& operation, const accelerator& on,
                          const std::vector<wanted_kernel>& wanted) {
  const std::filesystem::path headers = include_folder();
  std::vector<std::string> options{"-std=c++20",
                                   "-fmad=false",
                                   "-default-device",
                                   "-w",
                                   "-I" + (headers / "onefold/detail/cuda/nvrtc").string(),
                                   "-I" + headers.string()};
  const std::string file =
      file_around(operation, "#include \"onefold/detail/cuda/text_kernels.cuh\"\n" + check_of_version(),
                  "static_assert(onefold::detail::device_operation<" + arguments_of(operation) + ">::checked);\n");
  const capabilities of = capabilities_of(on);
  std::string key = key_of_headers(headers) + "compute capability " + std::to_string(of.lowest) + " to " +
                    std::to_string(of.highest) + "\n";
  std::vector<std::string> expressions;
  for (const wanted_kernel& one : wanted) expressions.push_back(one.expression);
  for (const std::vector<std::string>* words : {&options, &expressions})
    for (const std::string& word : *words) key += word + "\n";
  key += file;

  const std::filesystem::path cache = cache_folder();
  const std::filesystem::path kept = cache.empty() ? cache : object_file(cache, key, ".kernels");
  if (!cache.empty())
    if (const std::optional<std::string> known = sealed_content(kept, key)) return taken_apart(*known);
  const nvrtc& by = nvrtc::find();  // loading it takes longer than all above
  options.push_back(by.architecture_option(of.lowest, of.lowest == of.highest));
  compiled_kernels made = by.compile(file, options, expressions, "operation " + operation.name + " cannot be compiled");
  if (!cache.empty()) {
    remove_abandoned_folders(cache);
    const temporary_folder room(cache);
    std::error_code ignored;
    if (room.is_made() && write_sealed(room.path() / "sealed", joined(made), key))
      std::filesystem::rename(room.path() / "sealed", kept, ignored);
  }
  return made;
}

}  // namespace

const device_fold& load_kernels(const source_operation& operation, kernel_set set, const accelerator& on,
                                const std::function<const source_record&()>& host) {
  if (!on.load_kernels)
    throw error(error_code::unsupported, std::string("backend ") + on.name + " runs no operations as text");
  const std::vector<wanted_kernel> wanted = kernels_of(operation, set, host);
  const compiled_kernels made = compiled(operation, on, wanted);
  loadable_kernels image{};
  image.size = sizeof image;
  image.bytes = made.image.data();
  image.layout = host().layout;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    (wanted[i].place ? image.*wanted[i].place : image.columns[wanted[i].column]) = made.names[i].c_str();
  const device_fold* loaded = nullptr;
  accelerator_failure failed;
  if (!on.load_kernels(image, &loaded, &failed))
    throw error(failed.code, "operation " + operation.name + " cannot be loaded: " + failed.text);
  return *loaded;
}

}  // namespace onefold::detail
