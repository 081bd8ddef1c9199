#include "source/compiled.hpp"

#include <sys/auxv.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <future>
#include <iterator>
#include <memory>
#include <string_view>

#include "ascii.hpp"
#include "choose.hpp"
#include "cpu.hpp"
#include "environment.hpp"
#include "modules.hpp"
#include "onefold/detail/source_record.hpp"
#include "onefold/error.hpp"
#include "resolve.hpp"
#include "source/compilers.hpp"
#include "source/files.hpp"
#include "source/loading.hpp"
#include "source/object_cache.hpp"
#include "source/run_program.hpp"
#include "source/text.hpp"

namespace onefold::detail {
namespace {

/// What an operation is compiled for.
struct target {
  isa level;                ///< of the CPU
  const accelerator* gpus;  ///< null: none
  std::string described;    ///< the GPUs
  kernel_set kernels;       ///< for them
  bool operator==(const target&) const = default;
};

/// An operation of this process.
struct entry {
  source_operation from;
  target made_for;
  const source_record* record;  ///< on the CPU
  compiled_source loaded;
  const entry* next;
};

// Entries are added and never removed, without a lock, which a child of fork() might find held.
constinit std::atomic<const entry*> entries = nullptr;

bool is_name(std::string_view name) {
  const auto starts_word = [](char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto in_word = [&](char c) { return starts_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  while (true) {
    const std::size_t end = std::min(name.find("::"), name.size());
    const std::string_view word = name.substr(0, end);
    if (word.empty() || !starts_word(word.front()) || !std::ranges::all_of(word, in_word)) return false;
    if (end == name.size()) return true;
    name.remove_prefix(end + 2);
  }
}

void check_operation(const source_operation& operation) {
  if (!is_name(operation.name))
    throw error(error_code::invalid_argument,
                "the name of an operation as text is that of a struct, such as cubes or mine::cubes, not " +
                    in_quotes(operation.name));
  if (operation.element >= dtype::boolean)
    throw error(error_code::invalid_argument, "operation " + operation.name + ": elements of type " +
                                                  name_of(operation.element) +
                                                  " are not supported; use an element type of the catalog");
  if (getauxval(AT_SECURE) != 0)
    throw error(
        error_code::unsupported,
        "operation " + operation.name + " is not compiled: this program runs with more privileges than its caller");
}

/// What the options ask to compile for.
target target_for(const options& how, kernel_set kernels) {
  check_choices(how);
  const backend asked = resolve_backend(how).backend;
  target to{choose_level(how), nullptr, "", kernel_set::array};
  if (asked != backend::cuda) return to;
  const loaded_accelerator& found = find_accelerator(asked);
  if (!found.record) throw unavailable(asked, found.why_not);
  to.gpus = found.record;
  to.kernels = kernels;
  to.described = found.record->version();
  for (int i = 0; i < found.record->devices(); ++i) {
    char text[256];
    found.record->describe(i, text, sizeof text);
    to.described += std::string("; ") + text;
  }
  return to;
}

/// The file that is compiled: the text, between what it may use and the function that returns its record.
std::string file_for_cpu(const source_operation& operation) {
  return file_around(operation, "#include \"onefold/detail/make_source_record.hpp\"\n" + check_of_version(),
                     "extern \"C\" __attribute__((visibility(\"default\"))) const onefold::detail::source_record* "
                     "ONEFOLD_SOURCE_FUNCTION() {\n  return onefold::detail::source_record_of<" +
                         arguments_of(operation) + ">::get();\n}\n");
}

/// The command that compiles operation.cpp to operation.so, in a folder beside them.
std::vector<std::string> command_for(isa level, const std::filesystem::path& headers) {
  found_compiler found = find_cpp_compiler();
  if (found.words.empty()) throw error(error_code::unsupported, found.why_not);
  std::vector<std::string> words = std::move(found.words);
  std::ranges::move(cpp_options(level), std::back_inserter(words));
  words.insert(words.end(), {"-I" + headers.string(), "../operation.cpp", "-o", "../operation.so"});
  return words;
}

/// All that an object depends on.
std::string key_of(const std::string& file, const std::vector<std::string>& command,
                   const std::filesystem::path& headers) {
  std::string key = key_of_headers(headers) + "compiler " +
                    identity_of(std::filesystem::path(command.front())).value_or("unknown") + "\n";
  for (const std::string& word : command) key += word + "\n";
  return key + file;
}

/// What a compiler printed, or how it ended where it printed nothing.
std::string reason_of(const program_end& end, const std::filesystem::path& messages) {
  constexpr std::size_t most_bytes = 8000;
  if (const std::string lines = first_lines(content_of(messages, most_bytes)); !lines.empty()) return ":\n" + lines;
  return ": it ended " + (end.status < 0 ? "" : "with exit status " + std::to_string(end.status) + " and ") +
         "without a message or an object";
}

/// Puts the text where g++ looks for the lines that its messages show: in the folder that it runs in.
void write_shown(const source_operation& operation, const std::filesystem::path& folder) {
  const std::filesystem::path label = std::filesystem::path(label_of(operation)).lexically_normal();
  std::error_code ignored;
  if (label.is_absolute() || label.empty() || *label.begin() == "..") return;
  std::filesystem::create_directories((folder / label).parent_path(), ignored);
  write_file(folder / label, operation.text);
}

/// Compiles the file in the folder to operation.so there.
void compile(const source_operation& operation, const std::string& file, const std::vector<std::string>& command,
             const std::filesystem::path& folder) {
  const std::string failed = "operation " + operation.name + " cannot be compiled";
  std::error_code ignored;
  if (!std::filesystem::create_directory(folder / "shown", ignored) || !write_file(folder / "operation.cpp", file))
    throw error(error_code::unsupported, failed + ": " + folder.string() + " cannot be written");
  write_shown(operation, folder / "shown");
  const program_end end = run_program(command, folder / "shown", folder / "messages");
  if (end.not_started != 0)
    throw error(error_code::unsupported,
                failed + ": " + command.front() + " cannot be started: " + std::strerror(end.not_started));
  constexpr int signals_from = 128;  // the signal that ended it, or that a script says ended a program of its own
  if (end.status > signals_from)
    throw error(error_code::unsupported,
                failed + ": " + command.front() + " was ended by signal " + std::to_string(end.status - signals_from));
  if (end.status > 0 || !std::filesystem::exists(folder / "operation.so", ignored))
    throw error(error_code::invalid_argument, failed + " by " + command.front() + reason_of(end, folder / "messages"));
}

/// From the cache, or compiled.
const source_record& record_of(const source_operation& operation, isa level) {
  const std::filesystem::path headers = include_folder();
  const std::string file = file_for_cpu(operation);
  const std::vector<std::string> command = command_for(level, headers);
  const std::string key = key_of(file, command, headers);
  const std::filesystem::path cache = cache_folder(), kept = cache.empty() ? cache : object_file(cache, key, ".so");
  std::string why_not;
  if (!cache.empty() && is_object_of(kept, key))
    if (const source_record* known = load_object_or_copy(kept, &why_not)) return *known;

  if (!cache.empty()) remove_abandoned_folders(cache);
  const temporary_folder room = room_within(cache);
  compile(operation, file, command, room.path());
  std::filesystem::path object = room.path() / "operation.so";
  std::error_code failed;
  if (const auto sealed = room.path() / "sealed.so"; !cache.empty() && seal(object, sealed, key)) {
    std::filesystem::rename(sealed, kept, failed);
    if (!failed) object = kept;
  }
  const source_record* const made =
      cache.empty() ? load_object(object, &why_not) : load_object_or_copy(object, &why_not);
  if (made) return *made;
  throw error(error_code::unsupported, "operation " + operation.name + " cannot be loaded: " + why_not);
}

const entry* find_entry(const source_operation& operation, const target& to) {
  const entry* e = entries.load(std::memory_order_acquire);
  while (e && !(e->from.name == operation.name && e->from.element == operation.element &&
                e->from.text == operation.text && e->made_for == to))
    e = e->next;
  return e;
}

const entry& entry_of(const source_operation& operation, const target& to);

/// The records for the CPU and for GPUs. Both compile at the same time where the kernels do not depend on the
/// operation. What the C++ compiler says of a text comes first.
const source_record& records_of(const source_operation& operation, const target& to, const device_fold** device) {
  const auto host = std::async([&]() -> const source_record& {
                      return *entry_of(operation, {to.level, nullptr, "", kernel_set::array}).record;
                    }).share();
  try {
    *device = &load_kernels(operation, to.kernels, *to.gpus, [&]() -> const source_record& { return host.get(); });
  } catch (const error&) {
    host.get();
    throw;
  }
  return host.get();
}

std::unique_ptr<entry> make_entry(const source_operation& operation, const target& to) {
  const device_fold* device = nullptr;
  const source_record& record = to.gpus ? records_of(operation, to, &device) : record_of(operation, to.level);
  auto made = std::make_unique<entry>(entry{operation, to, &record, {}, nullptr});
  compiled_source& c = made->loaded;
  c.name = "operation " + operation.name;
  c.fold = *record.fold;
  c.fold.name = c.name.c_str();
  c.fold.device = device;
  c.op = record.op;
  c.takes_init = record.takes_init;
  c.member = {"value", record.result, 0};
  c.layout = {static_cast<int>(c.fold.result_size), static_cast<int>(c.fold.result_align), {}};
  if (record.result != dtype::other) c.layout.members = {&c.member, 1};
  return made;
}

const entry& entry_of(const source_operation& operation, const target& to) {
  if (const entry* known = find_entry(operation, to)) return *known;
  std::unique_ptr<entry> made = make_entry(operation, to);
  made->next = entries.load(std::memory_order_relaxed);
  while (!entries.compare_exchange_weak(made->next, made.get(), std::memory_order_acq_rel)) {
  }
  return *made.release();
}

}  // namespace

const compiled_source& compiled(const source_operation& operation, const options& how, kernel_set kernels) {
  check_operation(operation);
  return entry_of(operation, target_for(how, kernels)).loaded;
}

bool is_text_for_cpu(const recipe& r) {
  const entry* e = entries.load(std::memory_order_acquire);
  while (e && &e->loaded.fold != &r) e = e->next;
  return e && !e->made_for.gpus;
}

request request_for(const compiled_source& operation, std::int64_t n, bool has_init) {
  request q;
  q.n = n;
  q.own = &operation.fold;
  q.takes_init = operation.takes_init;
  q.has_init = has_init;
  q.result_size = operation.layout.size;
  return q;
}

}  // namespace onefold::detail
