// NVRTC, the compiler of kernels in CUDA's toolkit, which is loaded when it is first needed.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace onefold::detail {

/// What kernels were compiled to.
struct compiled_kernels {
  std::string image;               ///< what a device loads
  std::vector<std::string> names;  ///< the kernels' in it, in the order in which they were asked for
};

/// NVRTC's functions, and which library they are of.
class nvrtc {
 public:
  /// The library that ONEFOLD_NVRTC names, else one that the loader finds, or that is in CUDA_HOME or
  /// /usr/local/cuda. Throws backend_unavailable, with what was looked for and where.
  static const nvrtc& find();

  /// The option that compiles for GPUs of this compute capability and above, 90 for 9.0: to PTX, which their driver
  /// compiles, or to machine code if they are all of this one, and known. Throws backend_unavailable where neither is.
  std::string architecture_option(int capability, bool all_alike) const;

  /// Compiles the text of a file. `kernels` are instances of templates, as C++ spells them. Throws invalid_argument
  /// with the compiler's messages after `failed`.
  compiled_kernels compile(const std::string& file, const std::vector<std::string>& options,
                           const std::vector<std::string>& kernels, const std::string& failed) const;

 private:
  static std::optional<nvrtc> load(const std::string& file);
  static std::optional<nvrtc> load_first();

  using program = void*;
  using outcome = int;  // 0: success
  nvrtc() = default;

  std::string name_;  ///< "NVRTC 13.0"
  outcome (*version_)(int* major, int* minor) = nullptr;
  outcome (*count_architectures_)(int* count) = nullptr;
  outcome (*architectures_)(int* capabilities) = nullptr;
  outcome (*create_)(program*, const char* text, const char* name, int headers, const char* const* header_texts,
                     const char* const* header_names) = nullptr;
  outcome (*add_name_)(program, const char* expression) = nullptr;
  outcome (*compile_)(program, int count, const char* const* options) = nullptr;
  outcome (*log_size_)(program, std::size_t*) = nullptr;
  outcome (*log_)(program, char*) = nullptr;
  outcome (*lowered_name_)(program, const char* expression, const char** name) = nullptr;
  outcome (*cubin_size_)(program, std::size_t*) = nullptr;
  outcome (*cubin_)(program, char*) = nullptr;
  outcome (*ptx_size_)(program, std::size_t*) = nullptr;
  outcome (*ptx_)(program, char*) = nullptr;
  outcome (*destroy_)(program*) = nullptr;
  const char* (*describe_)(outcome) = nullptr;
};

}  // namespace onefold::detail
