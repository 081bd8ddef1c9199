// The backends of this process: linked in, or loaded from modules on first need.
//
// Modules are looked for in ONEFOLD_BACKEND_PATH and in the folder onefold/ beside the library itself, nowhere
// else: never in the working directory, never on the system's search path.
#include "modules.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <type_traits>
#include <vector>

#include "environment.hpp"
#include "sequential.hpp"

#ifdef ONEFOLD_LINKED_BACKENDS
// The build lists the backends that are linked in as ONEFOLD_LINKED(name, record) ...; they are called by name, because
// linkers drop static constructors that nothing refers to.
#define ONEFOLD_LINKED(name, record) extern "C" const onefold::record* ONEFOLD_BACKEND_FUNCTION(name)();
ONEFOLD_LINKED_BACKENDS
#undef ONEFOLD_LINKED
#endif

namespace onefold::detail {
namespace {

#define ONEFOLD_TEXT_(x) #x
#define ONEFOLD_TEXT(x) ONEFOLD_TEXT_(x)

template <class Record>
loaded<Record> checked(const Record* r, const std::string& where) {
  if (!r || r->size != sizeof(Record)) return {nullptr, where + " is of another version of onefold"};
  if (const char* reason = r->why_not()) return {nullptr, reason};
  return {r, ""};
}

#ifdef ONEFOLD_LINKED_BACKENDS

template <class Record>
loaded<Record> find(backend b) {
#define ONEFOLD_LINKED(name, record)            \
  if constexpr (std::is_same_v<Record, record>) \
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

std::string module_file(backend b) { return std::string("libonefold_") + name_of(b) + ".so"; }

/// Whether the file holds all that its program header says: dlopen maps a shorter one, and dies of what is missing.
bool is_complete(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  ElfW(Ehdr) head{};
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
    return true;  // no module at all, as dlopen will say
  file.seekg(static_cast<std::streamoff>(head.e_phoff));
  for (int i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) part{};
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return false;
    if (part.p_type == PT_LOAD && (part.p_filesz > size || part.p_offset > size - part.p_filesz)) return false;
  }
  return true;
}

template <class Record>
loaded<Record> find(backend b) {
  const std::string name = name_of(b);
  const std::string file = module_file(b);
  const std::string function = "onefold_" + name + "_backend_abi" ONEFOLD_TEXT(ONEFOLD_BACKEND_ABI);
  std::string searched;
  for (const auto& folder : module_folders()) {
    const auto path = folder / file;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
      searched += (searched.empty() ? "" : ", ") + folder.string();
      continue;
    }
    // dlopen would wait for a named pipe's writer.
    if (!std::filesystem::is_regular_file(path, ignored))
      return {nullptr, "module " + path.string() + " does not load: it is no file with content"};
    if (!is_complete(path)) return {nullptr, "module " + path.string() + " does not load: it has been cut short"};
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) {
      const char* said = dlerror();
      const std::string reason = said ? said : "unknown reason", repeated = path.string() + ": ";
      return {nullptr, "module " + path.string() + " does not load: " +
                           (reason.starts_with(repeated) ? reason.substr(repeated.size()) : reason)};
    }
    void* symbol = dlsym(module, function.c_str());
    if (!symbol)
      return {nullptr, "module " + path.string() + " is of another version of onefold: it has no " + function};
    return checked(reinterpret_cast<const Record* (*)()>(symbol)(), "module " + path.string());
  }
  return {nullptr, "there is no module " + file + " in " + (searched.empty() ? "any known folder" : searched) +
                       "; install it, or name its folder in ONEFOLD_BACKEND_PATH"};
}

#endif

bool can_have_accelerator() {
#ifdef ONEFOLD_LINKED_BACKENDS
  return true;
#else
  static const bool module_there = std::ranges::any_of(module_folders(), [](const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder / module_file(backend::cuda), ignored);
  });
  return module_there;
#endif
}

}  // namespace

const loaded_backend& find_backend(backend b) {
  static const loaded_backend sequential{&sequential_scheduler, ""};
  if (b == backend::openmp) {
    static const loaded_backend openmp = find<scheduler>(backend::openmp);
    return openmp;
  }
  if (b == backend::tbb) {
    static const loaded_backend tbb = find<scheduler>(backend::tbb);
    return tbb;
  }
  return sequential;
}

const loaded_accelerator& find_accelerator() {
  static const loaded_accelerator cuda = find<accelerator>(backend::cuda);
  return cuda;
}

std::atomic<bool> driver_is_loaded = false;

void look_for_driver() {
  if (driver_seen() || !can_have_accelerator()) return;
  // Asked again only where a library was loaded since.
  static std::atomic<unsigned long long> asked_at = 0;
  unsigned long long loads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<unsigned long long*>(out) = info->dlpi_adds;
        return 1;
      },
      &loads);
  if (loads == asked_at.load(std::memory_order_relaxed)) return;
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  asked_at.store(loads, std::memory_order_relaxed);
  if (!driver) return;
  dlclose(driver);
  driver_is_loaded.store(true, std::memory_order_relaxed);
}

located locate(const void* p) {
  look_for_driver();
  if (!driver_seen()) return {};
  const accelerator* cuda = find_accelerator().runs;
  if (!cuda) return {};
  return {cuda, cuda->kind_of(p)};
}

}  // namespace onefold::detail

namespace onefold {
const accelerator* the_accelerator() { return detail::find_accelerator().runs; }
}  // namespace onefold
