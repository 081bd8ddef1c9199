// The backends of this process: linked in, or loaded from modules on first need.
//
// Modules are looked for in the absolute folders of ONEFOLD_BACKEND_PATH and in the folder onefold/ beside the library
// itself, nowhere else: never in the working directory or relative to it, never on the system's search path.
#include "modules.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <type_traits>
#include <vector>

#include "cpu.hpp"
#include "environment.hpp"
#include "fork.hpp"
#include "sequential.hpp"
#include "shortage.hpp"

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

/// Whether the system is short of descriptors or memory, and notes it: dlopen does not say so itself.
bool is_short() {
  constexpr std::size_t bytes = 64 << 20;  // what a module and its libraries take at most
  bool is = false;
  if (const int number = open("/", O_RDONLY | O_CLOEXEC); number >= 0)
    close(number);
  else
    is = note_failure(errno);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return note_failure(errno) || is;
  munmap(memory, bytes);
  return is;
}

template <class Record>
loaded<Record> checked(const Record* r, const std::string& where) {
  bool known = r && r->size == sizeof(Record);
  if constexpr (std::is_same_v<Record, accelerator>) known = known && (!r->bench || r->bench->size == sizeof *r->bench);
  if (!known) return {nullptr, where + " was built for another version of onefold"};
  errno = 0;
  if (const char* reason = r->why_not()) {
    note_failure(errno);
    return {nullptr, reason};
  }
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

/// The folders of ONEFOLD_BACKEND_PATH, those that are not empty.
std::vector<std::filesystem::path> named_folders() {
  std::vector<std::filesystem::path> folders;
  const std::string& path = the_environment().backend_path;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t colon = std::min(path.find(':', from), path.size());
    if (colon > from) folders.emplace_back(path.substr(from, colon - from));
    from = colon + 1;
  }
  return folders;
}

bool is_relative(const std::filesystem::path& folder) { return folder.is_relative(); }

std::string relative_folders_hint() {
  return std::ranges::any_of(named_folders(), is_relative) ? " (relative folders there are ignored)" : "";
}

std::vector<std::filesystem::path> module_folders() {
  std::vector<std::filesystem::path> folders = named_folders();
  std::erase_if(folders, is_relative);
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&find_backend), &self) && self.dli_fname) {
    std::error_code ignored;
    const auto file = std::filesystem::canonical(self.dli_fname, ignored);
    note_failure(ignored.value());
    if (!ignored) folders.push_back(file.parent_path() / "onefold");
  }
  return folders;
}

bool is_there(const std::filesystem::path& path) {
  std::error_code reason;
  const bool found = std::filesystem::exists(path, reason);
  note_failure(reason.value());
  return found;
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

/// The module, or null. Tried again where the shortage may have passed before it was looked for.
void* load(const std::filesystem::path& path) {
  const loader_hold held;
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module && !is_short()) module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  return module;
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
    if (!is_there(path)) {
      searched += (searched.empty() ? "" : ", ") + folder.string();
      continue;
    }
    // dlopen would wait for a named pipe's writer.
    if (!std::filesystem::is_regular_file(path, ignored))
      return {nullptr, "module " + path.string() + " cannot be loaded: not a regular file"};
    if (!is_complete(path)) return {nullptr, "module " + path.string() + " cannot be loaded: the file is truncated"};
    // CUDA's runtime, which such a module begins with, dies of allocations that fail.
    if (std::is_same_v<Record, accelerator> && is_short())
      return {nullptr, "module " + path.string() + " cannot be loaded: the system is short of memory or descriptors"};
    void* module = load(path);
    if (!module) {
      const char* said = dlerror();
      const std::string reason = said ? said : "unknown reason", repeated = path.string() + ": ";
      return {nullptr, "module " + path.string() + " cannot be loaded: " +
                           (reason.starts_with(repeated) ? reason.substr(repeated.size()) : reason)};
    }
    void* symbol = dlsym(module, function.c_str());
    if (!symbol)
      return {nullptr, "module " + path.string() + " was built for another version of onefold: it has no " + function};
    return checked(reinterpret_cast<const Record* (*)()>(symbol)(), "module " + path.string());
  }
  return {nullptr, "module " + file + " not found in " + (searched.empty() ? "any known folder" : searched) +
                       "; install it, or name its folder in ONEFOLD_BACKEND_PATH" + relative_folders_hint()};
}

#endif

constexpr unsigned all_accelerators = (1u << accelerator_count) - 1;
constexpr unsigned bit_of(backend b) { return 1u << index_of(b); }

/// The accelerators whose modules are there: bits as in drivers_seen.
unsigned installed_accelerators() {
#ifdef ONEFOLD_LINKED_BACKENDS
  return all_accelerators;
#else
  static constinit found_once<unsigned> installed;
  return installed.get([] {
    const std::vector<std::filesystem::path> folders = module_folders();
    unsigned found = 0;
    for (const backend b : accelerators())
      if (std::ranges::any_of(folders, [&](const auto& f) { return is_there(f / module_file(b)); })) found |= bit_of(b);
    return found;
  });
#endif
}

template <class Record>
bool same_reason(const loaded<Record>& a, const loaded<Record>& b) {
  return a.record == b.record && a.why_not == b.why_not;
}

}  // namespace

const loaded_backend& find_backend(backend b) {
  static const loaded_backend& sequential = *new loaded_backend{&sequential_scheduler, ""};  // outlives destructors
  if (b == backend::sequential) return sequential;
  static constinit std::array<found_once<loaded_backend>, backend_count> schedulers;
  return schedulers[static_cast<std::size_t>(b)].get([b] { return find<scheduler>(b); }, same_reason<scheduler>);
}

const loaded_accelerator& find_accelerator(backend b) {
  if (accelerator_lost()) {
    static const loaded_accelerator& lost = *new loaded_accelerator{nullptr, why_accelerator_lost};
    return lost;
  }
  static constinit std::array<found_once<loaded_accelerator>, accelerator_count> found;
  return found[index_of(b)].get(
      [b] {
        loaded_accelerator here = find<accelerator>(b);
        if (here.record) accelerator_is_started = true;
        return here;
      },
      same_reason<accelerator>);
}

std::atomic<unsigned> drivers_seen = 0;

void look_for_drivers() {
  const unsigned seen = drivers_seen.load(std::memory_order_relaxed);
  if (seen == all_accelerators) return;
  const unsigned wanted = installed_accelerators() & ~seen;
  if (wanted == 0) return;
  // Asked again only where a library was loaded since.
  static std::atomic<unsigned long long> asked_at = 0;
  const loader_hold held;
  unsigned long long loads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<unsigned long long*>(out) = info->dlpi_adds;
        return 1;
      },
      &loads);
  if (loads == asked_at.load(std::memory_order_acquire)) return;
  for (const backend b : accelerators()) {
    if ((wanted & bit_of(b)) == 0) continue;
    void* driver = dlopen(facts_of(b).driver, RTLD_LAZY | RTLD_NOLOAD);
    if (!driver && is_short()) return;
    if (driver) {
      dlclose(driver);
      drivers_seen.fetch_or(bit_of(b), std::memory_order_relaxed);
    }
  }
  // Last: a thread that sees it must see the driver, too.
  asked_at.store(loads, std::memory_order_release);
}

memory_location locate(const void* p) {
  look_for_drivers();
  memory_location where;
  if (!driver_seen()) return where;
  for (const backend b : accelerators()) {
    const accelerator* const asked = driver_seen(b) ? find_accelerator(b).record : nullptr;
    if (!asked) continue;
    const memory_location here{asked, asked->kind_of(p), b};
    if (here.kind != accelerator_memory::pageable) return here;
    if (!where.owner) where = here;
  }
  return where;
}

}  // namespace onefold::detail

namespace onefold {
const accelerator* accelerator_of(backend b) {
  const detail::float_environment ieee;
  return is_accelerator(b) ? detail::find_accelerator(b).record : nullptr;
}
}  // namespace onefold
