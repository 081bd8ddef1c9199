#include "source/nvrtc.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <optional>

#include "ascii.hpp"
#include "choose.hpp"
#include "environment.hpp"
#include "fork.hpp"
#include "onefold/error.hpp"
#include "shortage.hpp"
#include "source/text.hpp"

namespace onefold::detail {

namespace {

constexpr int oldest_major = 12, oldest_minor = 3;  ///< with what onefold's headers use of C++20

bool is_path(const std::string& file) { return file.find('/') != std::string::npos; }

}  // namespace

std::optional<nvrtc> nvrtc::load(const std::string& file) {
  void* library = nullptr;
  {
    const loader_hold held;
    library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) return std::nullopt;
  nvrtc n;
  bool all = true;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    all = all && function != nullptr;
  };
  find(n.version_, "nvrtcVersion");
  find(n.count_architectures_, "nvrtcGetNumSupportedArchs");
  find(n.architectures_, "nvrtcGetSupportedArchs");
  find(n.create_, "nvrtcCreateProgram");
  find(n.add_name_, "nvrtcAddNameExpression");
  find(n.compile_, "nvrtcCompileProgram");
  find(n.log_size_, "nvrtcGetProgramLogSize");
  find(n.log_, "nvrtcGetProgramLog");
  find(n.lowered_name_, "nvrtcGetLoweredName");
  find(n.cubin_size_, "nvrtcGetCUBINSize");
  find(n.cubin_, "nvrtcGetCUBIN");
  find(n.ptx_size_, "nvrtcGetPTXSize");
  find(n.ptx_, "nvrtcGetPTX");
  find(n.destroy_, "nvrtcDestroyProgram");
  find(n.describe_, "nvrtcGetErrorString");
  if (!all) return std::nullopt;
  int major = 0, minor = 0;
  if (n.version_(&major, &minor) != 0 || major < oldest_major || (major == oldest_major && minor < oldest_minor))
    return std::nullopt;
  n.name_ = "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
  return n;
}

std::optional<nvrtc> nvrtc::load_first() {
  const environment& e = the_environment();
  // A relative path would load what lies in whatever folder the process works in.
  if (!e.nvrtc.empty()) return is_path(e.nvrtc) && !e.nvrtc.starts_with('/') ? std::nullopt : load(e.nvrtc);
  std::vector<std::string> folders{""};
  if (e.cuda_home.starts_with('/')) folders.push_back(e.cuda_home + "/lib64/");
  folders.emplace_back("/usr/local/cuda/lib64/");
  for (const std::string& folder : folders)
    for (const char* version : {".so.13", ".so.12", ".so"})
      if (std::optional<nvrtc> found = load(folder + "libnvrtc" + version)) return found;
  return std::nullopt;
}

const nvrtc& nvrtc::find() {
  static constinit found_once<const nvrtc*> known;
  const nvrtc* const found = known.get([]() -> const nvrtc* {
    std::optional<nvrtc> loaded = load_first();
    return loaded ? new nvrtc(*std::move(loaded)) : nullptr;  // never destroyed: plans may outlive main
  });
  if (found) return *found;
  const std::string& named = the_environment().nvrtc;
  throw unavailable(
      backend::cuda,
      named.empty() ? "NVRTC, which compiles operations as text for GPUs, was not found: libnvrtc.so of release 12.3 "
                      "or newer is neither in the loader's folders nor in lib64/ of CUDA_HOME nor in "
                      "/usr/local/cuda/lib64; install it (it is part of the CUDA toolkit, and the PyPI package "
                      "nvidia-cuda-nvrtc), or name the file in the environment variable ONEFOLD_NVRTC"
                    : "ONEFOLD_NVRTC names " + in_quotes(named) +
                          ", which is not the absolute path, or the name, of NVRTC 12.3 or newer");
}

std::string nvrtc::architecture_option(int capability, bool all_alike) const {
  int count = 0;
  std::vector<int> all;
  if (count_architectures_(&count) == 0 && count > 0) {
    all.resize(static_cast<std::size_t>(count));
    if (architectures_(all.data()) != 0) all.clear();
  }
  int newest = 0;
  for (const int one : all)
    if (one <= capability) newest = std::max(newest, one);
  if (all_alike && newest == capability) return "-arch=sm_" + std::to_string(capability);
  if (newest == 0)
    throw unavailable(backend::cuda, name_ + " does not compile for compute capability " +
                                         std::to_string(capability / 10) + "." + std::to_string(capability % 10));
  return "-arch=compute_" + std::to_string(newest);
}

compiled_kernels nvrtc::compile(const std::string& file, const std::vector<std::string>& options,
                                const std::vector<std::string>& kernels, const std::string& failed) const {
  program made = nullptr;
  const auto require = [&](outcome e) {
    if (e != 0) throw error(error_code::unsupported, failed + ": NVRTC says " + describe_(e));
  };
  require(create_(&made, file.c_str(), "operation", 0, nullptr, nullptr));
  struct ending {
    const nvrtc& by;
    program& made;
    ~ending() { by.destroy_(&made); }
  } const ends{*this, made};
  for (const std::string& kernel : kernels) require(add_name_(made, kernel.c_str()));
  std::vector<const char*> words;
  words.reserve(options.size());
  for (const std::string& option : options) words.push_back(option.c_str());
  const outcome e = compile_(made, static_cast<int>(words.size()), words.data());
  const auto content = [&](outcome (*size)(program, std::size_t*), outcome (*get)(program, char*)) {
    std::size_t bytes = 0;
    require(size(made, &bytes));
    std::string text(bytes, '\0');
    require(get(made, text.data()));
    return text;
  };
  constexpr outcome compilation_error = 6;
  if (e == compilation_error)
    throw error(error_code::invalid_argument, failed + " by NVRTC:\n" + first_lines(content(log_size_, log_)));
  require(e);
  compiled_kernels done;
  for (const std::string& kernel : kernels) {
    const char* name = nullptr;
    require(lowered_name_(made, kernel.c_str(), &name));
    done.names.emplace_back(name);
  }
  done.image = content(cubin_size_, cubin_);
  if (done.image.empty()) done.image = content(ptx_size_, ptx_);
  return done;
}

}  // namespace onefold::detail
