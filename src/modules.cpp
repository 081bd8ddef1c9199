// The backends of this process: linked in, or loaded from modules on first need.
//
// Modules are looked for in ONEFOLD_BACKEND_PATH and in the folder onefold/ beside the library itself, nowhere
// else: never in the working directory, never on the system's search path.
#include "modules.hpp"

#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <vector>

#include "environment.hpp"
#include "sequential.hpp"

#ifdef ONEFOLD_LINKED_BACKENDS
// The build lists the backends that are linked in as ONEFOLD_LINKED(name) ...; they are called by name, because
// linkers drop static constructors that nothing refers to.
#define ONEFOLD_LINKED(name) extern "C" const onefold::scheduler* ONEFOLD_BACKEND_FUNCTION(name)();
ONEFOLD_LINKED_BACKENDS
#undef ONEFOLD_LINKED
#endif

namespace onefold::detail {
namespace {

#define ONEFOLD_TEXT_(x) #x
#define ONEFOLD_TEXT(x) ONEFOLD_TEXT_(x)

loaded_backend checked(const scheduler* s, const std::string& where) {
  if (!s || s->size != sizeof(scheduler)) return {nullptr, where + " is of another version of onefold"};
  if (const char* reason = s->why_not()) return {nullptr, reason};
  return {s, ""};
}

#ifdef ONEFOLD_LINKED_BACKENDS

loaded_backend find(backend b) {
#define ONEFOLD_LINKED(name) \
  if (b == backend::name) return checked(ONEFOLD_BACKEND_FUNCTION(name)(), "the linked backend");
  ONEFOLD_LINKED_BACKENDS
#undef ONEFOLD_LINKED
  return {nullptr, std::string("this program was linked without the ") + name_of(b) + " backend"};
}

#else

std::vector<std::filesystem::path> module_folders() {
  std::vector<std::filesystem::path> folders;
  const std::string& path = the_environment().backend_path;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t colon = std::min(path.find(':', from), path.size());
    if (colon > from) folders.emplace_back(path.substr(from, colon - from));
    from = colon + 1;
  }
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&find_backend), &self) && self.dli_fname) {
    std::error_code ignored;
    const auto file = std::filesystem::canonical(self.dli_fname, ignored);
    if (!ignored) folders.push_back(file.parent_path() / "onefold");
  }
  return folders;
}

loaded_backend find(backend b) {
  const std::string name = name_of(b);
  const std::string file = "libonefold_" + name + ".so";
  const std::string function = "onefold_" + name + "_backend_abi" ONEFOLD_TEXT(ONEFOLD_BACKEND_ABI);
  std::string searched;
  for (const auto& folder : module_folders()) {
    const auto path = folder / file;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
      searched += (searched.empty() ? "" : ", ") + folder.string();
      continue;
    }
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) {
      const char* reason = dlerror();
      return {nullptr, "module " + path.string() + " does not load: " + (reason ? reason : "unknown reason")};
    }
    void* symbol = dlsym(module, function.c_str());
    if (!symbol)
      return {nullptr, "module " + path.string() + " is of another version of onefold: it has no " + function};
    return checked(reinterpret_cast<const scheduler* (*)()>(symbol)(), "module " + path.string());
  }
  return {nullptr, "there is no module " + file + " in " + (searched.empty() ? "any known folder" : searched) +
                       "; install it, or name its folder in ONEFOLD_BACKEND_PATH"};
}

#endif

}  // namespace

std::span<const backend> cpu_backends() {
  static constexpr std::array list{backend::openmp, backend::tbb, backend::sequential};
  return list;
}

const loaded_backend& find_backend(backend b) {
  static const loaded_backend sequential{&sequential_scheduler, ""};
  static const loaded_backend none{nullptr, "this build has no CUDA module"};
  if (b == backend::openmp) {
    static const loaded_backend openmp = find(backend::openmp);
    return openmp;
  }
  if (b == backend::tbb) {
    static const loaded_backend tbb = find(backend::tbb);
    return tbb;
  }
  return b == backend::sequential ? sequential : none;
}

}  // namespace onefold::detail
