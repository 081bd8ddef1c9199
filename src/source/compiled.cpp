#include "source/compiled.hpp"

#include <sys/auxv.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstring>
#include <filesystem>
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
#include "onefold/version.hpp"
#include "resolve.hpp"
#include "shortage.hpp"
#include "source/compilers.hpp"
#include "source/files.hpp"
#include "source/loading.hpp"
#include "source/object_cache.hpp"
#include "source/run_program.hpp"

namespace onefold::detail {
namespace {

/// How C++ spells the element types, in the order of dtype.
constexpr const char* element_names[] = {"float",        "double",        "onefold::f16",  "onefold::bf16",
                                         "std::int8_t",  "std::int16_t",  "std::int32_t",  "std::int64_t",
                                         "std::uint8_t", "std::uint16_t", "std::uint32_t", "std::uint64_t"};

/// What an operation is compiled for.
struct target {
  isa level;                ///< of the CPU; automatic: for the GPUs
  std::string accelerator;  ///< the GPUs, as text
  bool operator==(const target&) const = default;
  bool is_gpu() const { return level == isa::automatic; }
};

/// An operation of this process.
struct entry {
  source_operation from;
  target made_for;
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
target target_for(const options& how) {
  check_choices(how);
  const backend asked = resolve_backend(how).backend;
  if (asked != backend::cuda) return {choose_level(how), ""};
  const loaded_accelerator& found = find_accelerator(asked);
  if (!found.record) throw unavailable(asked, found.why_not);
  target gpus{isa::automatic, found.record->version()};
  for (int i = 0; i < found.record->devices(); ++i) {
    char text[256];
    found.record->describe(i, text, sizeof text);
    gpus.accelerator += std::string("; ") + text;
  }
  return gpus;
}

/// What the compiler's messages call the text.
const std::string& label_of(const source_operation& operation) {
  return operation.file.empty() ? operation.name : operation.file;
}

/// The file that is compiled: the text, between what it may use and the function that returns its record.
std::string file_around(const source_operation& operation) {
  std::string shown;  // as a string literal has it
  for (const char c : spelled_out(label_of(operation))) {
    if (c == '"' || c == '\\') shown += '\\';
    shown += c;
  }
  return "#include \"onefold/detail/make_source_record.hpp\"\n"
         "#include <string_view>\n"
         "static_assert(std::string_view(ONEFOLD_VERSION) == \"" ONEFOLD_VERSION
         "\", \"onefold: the headers are those of another version than the library\");\n"
         "#line 1 \"" +
         shown + "\"\n" + operation.text +
         "\n#line 1 \"onefold, after the text\"\n"
         "extern \"C\" __attribute__((visibility(\"default\"))) const onefold::detail::source_record* "
         "ONEFOLD_SOURCE_FUNCTION() {\n  return onefold::detail::source_record_of<::" +
         operation.name + ", " + element_names[static_cast<int>(operation.element)] + ">::get();\n}\n";
}

/// The command that compiles operation.cpp or operation.cu to operation.so, in a folder beside them.
std::vector<std::string> command_for(const target& to, const std::filesystem::path& headers) {
  found_compiler found = to.is_gpu() ? find_nvcc() : find_cpp_compiler();
  if (found.words.empty())
    throw to.is_gpu() ? unavailable(backend::cuda, found.why_not) : error(error_code::unsupported, found.why_not);
  std::vector<std::string> words = std::move(found.words);
  std::ranges::move(to.is_gpu() ? nvcc_options() : cpp_options(to.level), std::back_inserter(words));
  words.insert(words.end(), {"-I" + headers.string(), to.is_gpu() ? "../operation.cu" : "../operation.cpp", "-o",
                             "../operation.so"});
  return words;
}

/// All that an object depends on.
std::string key_of(const std::string& file, const target& to, const std::vector<std::string>& command,
                   const std::filesystem::path& headers) {
  static constinit found_once<std::uint64_t> known;
  const std::uint64_t headers_are = known.get([&] { return identity_of_files(headers / "onefold"); });
  std::string key = "onefold " ONEFOLD_VERSION ", headers " + std::to_string(headers_are) + "\ncompiler " +
                    identity_of(std::filesystem::path(command.front())).value_or("unknown") + "\n";
  for (const std::string& word : command) key += word + "\n";
  return key + "for " + to.accelerator + "\n" + file;
}

/// The first lines of what a compiler printed.
std::string first_lines(const std::filesystem::path& messages) {
  constexpr std::size_t most_bytes = 4000;
  std::string text = content_of(messages, most_bytes);
  if (text.size() == most_bytes) text.resize(text.rfind('\n') + 1), text += "...\n";
  while (text.ends_with('\n')) text.pop_back();
  return safe_lines(text);
}

/// What a compiler printed, or how it ended where it printed nothing.
std::string reason_of(const program_end& end, const std::filesystem::path& messages) {
  if (const std::string lines = first_lines(messages); !lines.empty()) return ":\n" + lines;
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
void compile(const source_operation& operation, const std::string& file, const target& to,
             const std::vector<std::string>& command, const std::filesystem::path& folder) {
  const std::string failed = "operation " + operation.name + " cannot be compiled";
  std::error_code ignored;
  if (!std::filesystem::create_directory(folder / "shown", ignored) ||
      !write_file(folder / (to.is_gpu() ? "operation.cu" : "operation.cpp"), file))
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
const source_record& record_of(const source_operation& operation, const target& to) {
  const std::filesystem::path headers = include_folder();
  const std::string file = file_around(operation);
  const std::vector<std::string> command = command_for(to, headers);
  const std::string key = key_of(file, to, command, headers);
  const std::filesystem::path cache = cache_folder(), kept = cache.empty() ? cache : object_file(cache, key);
  std::string why_not;
  if (!cache.empty() && is_object_of(kept, key))
    if (const source_record* known = load_object_or_copy(kept, &why_not)) return *known;

  if (!cache.empty()) remove_abandoned_folders(cache);
  const temporary_folder room = room_within(cache);
  compile(operation, file, to, command, room.path());
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

std::unique_ptr<entry> make_entry(const source_operation& operation, const target& to) {
  const source_record& record = record_of(operation, to);
  auto made = std::make_unique<entry>(entry{operation, to, {}, nullptr});
  compiled_source& c = made->loaded;
  c.name = "operation " + operation.name;
  c.fold = *record.fold;
  c.fold.name = c.name.c_str();
  c.op = record.op;
  c.takes_init = record.takes_init;
  c.member = {"value", record.result, 0};
  c.layout = {static_cast<int>(c.fold.result_size), static_cast<int>(c.fold.result_align), {}};
  if (record.result != dtype::other) c.layout.members = {&c.member, 1};
  return made;
}

const entry* find_entry(const source_operation& operation, const target& to) {
  const entry* e = entries.load(std::memory_order_acquire);
  while (e && !(e->from.name == operation.name && e->from.element == operation.element &&
                e->from.text == operation.text && e->made_for == to))
    e = e->next;
  return e;
}

}  // namespace

const compiled_source& compiled(const source_operation& operation, const options& how) {
  check_operation(operation);
  const target to = target_for(how);
  if (const entry* known = find_entry(operation, to)) return known->loaded;
  std::unique_ptr<entry> made = make_entry(operation, to);
  made->next = entries.load(std::memory_order_relaxed);
  while (!entries.compare_exchange_weak(made->next, made.get(), std::memory_order_acq_rel)) {
  }
  return made.release()->loaded;
}

bool is_text_for_cpu(const recipe& r) {
  const entry* e = entries.load(std::memory_order_acquire);
  while (e && &e->loaded.fold != &r) e = e->next;
  return e && !e->made_for.is_gpu();
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
