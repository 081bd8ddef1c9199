#include "source/text.hpp"

#include "ascii.hpp"
#include "onefold/version.hpp"
#include "shortage.hpp"
#include "source/files.hpp"

namespace onefold::detail {

const std::string& label_of(const source_operation& operation) {
  return operation.file.empty() ? operation.name : operation.file;
}

std::string arguments_of(const source_operation& operation) {
  constexpr const char* element_names[] = {"float",        "double",        "onefold::f16",  "onefold::bf16",
                                           "std::int8_t",  "std::int16_t",  "std::int32_t",  "std::int64_t",
                                           "std::uint8_t", "std::uint16_t", "std::uint32_t", "std::uint64_t"};
  return "::" + operation.name + ", " + element_names[static_cast<int>(operation.element)];
}

std::string file_around(const source_operation& operation, const std::string& before, const std::string& after) {
  std::string shown;  // as a string literal has it
  for (const char c : spelled_out(label_of(operation))) {
    if (c == '"' || c == '\\') shown += '\\';
    shown += c;
  }
  return before + "#line 1 \"" + shown + "\"\n" + operation.text + "\n#line 1 \"onefold, after the text\"\n" + after;
}

std::string check_of_version() {
  const auto is = [](const char* macro, int number) { return macro + (" == " + std::to_string(number)); };
  return "static_assert(" + is("ONEFOLD_VERSION_MAJOR", ONEFOLD_VERSION_MAJOR) + " && " +
         is("ONEFOLD_VERSION_MINOR", ONEFOLD_VERSION_MINOR) + " && " +
         is("ONEFOLD_VERSION_PATCH", ONEFOLD_VERSION_PATCH) +
         ", \"onefold: the headers are those of another version than the library\");\n";
}

std::string key_of_headers(const std::filesystem::path& headers) {
  static constinit found_once<std::uint64_t> known;
  const std::uint64_t headers_are = known.get([&] { return identity_of_files(headers / "onefold"); });
  return "onefold " ONEFOLD_VERSION ", headers " + std::to_string(headers_are) + "\n";
}

std::string first_lines(std::string messages) {
  constexpr std::size_t most_bytes = 4000;
  if (messages.size() >= most_bytes) {
    messages.resize(most_bytes);
    messages.resize(messages.rfind('\n') + 1);
    messages += "...\n";
  }
  while (!messages.empty() && (messages.back() == '\n' || messages.back() == '\0')) messages.pop_back();
  return safe_lines(messages);
}

}  // namespace onefold::detail
