// onefold manual: the manual page, written from the grammar and the help texts in the macros of man(7).
#include <algorithm>

#include <fmt/format.h>

#include "commands.hpp"
#include "help.hpp"
#include "help_layout.hpp"
#include "onefold/version.hpp"
#include "output.hpp"

namespace onefold::cli {
namespace {

/// A name and what it means.
struct described_name {
  const char* name;
  const char* meaning;
};

constexpr described_name environment_variables[] = {
    {"ONEFOLD_BACKEND", "Backend to use if --backend is not given."},
    {"ONEFOLD_NUM_THREADS", "Number of threads of a CPU backend if --threads is not given."},
    {"ONEFOLD_ISA", "Instruction set if --isa is not given."},
    {"ONEFOLD_BACKEND_PATH", "Colon-separated folders that are searched for backends before the installed ones."},
    {"ONEFOLD_PROFILE", "File of the figures of this machine; none means the built-in ones. See calibrate."},
    {"ONEFOLD_PYTHON", "The Python that draws plots, instead of python3."},
    {"NO_COLOR", "If it has a value, error messages have no color; --color overrides this."}};

/// Text as roff reads it: what means something to roff is escaped, and so is what it would print as another character.
std::string roff_escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool starts_line = i == 0 || text[i - 1] == '\n';
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else if (c == '`')
      out += "\\(ga";
    else
      out += c;
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff_escaped(text) + "\\fR"; }

/// The same of a paragraph, in short lines, as roff's source has them; they must not begin as a request does.
std::string paragraph(std::string_view text) {
  std::string lines;
  fill(lines, text, 0, 0, 72);
  return roff_escaped(lines);
}

/// A tagged paragraph; the tag is roff.
std::string tagged(const std::string& tag, std::string_view text) { return ".TP\n" + tag + "\n" + paragraph(text); }

std::string tag_of(const option_syntax& o) {
  std::string tag = (o.short_name.empty() ? "" : bold(o.short_name) + ", ") + bold(o.name);
  if (!o.value.empty()) tag += " \\fI" + roff_escaped(o.value) + "\\fR";
  return tag;
}

/// The options of a command below the names of their groups.
std::string roff_options(const command_syntax& command) {
  std::string out, group;
  std::vector<option_syntax> options = command.options;
  std::ranges::stable_sort(options, {}, [&](const option_syntax& o) {
    return std::ranges::find(command.options, o.group, &option_syntax::group) - command.options.begin();
  });
  for (const option_syntax& o : options) {
    if (o.group != group) out += ".PP\n" + bold(o.group + ":") + "\n";
    group = o.group;
    out += tagged(tag_of(o), description_of(o));
  }
  return out;
}

std::string roff_help(std::string_view command) {
  std::string out;
  bool below_heading = false;
  for (const help_part& part : read_help(help_about(command))) {
    const bool is_lines = part.what == help_part::kind::lines;
    if (part.what == help_part::kind::heading)
      out += ".PP\n" + bold(part.text + ":") + "\n";
    else if (is_lines)
      out += ".PP\n.nf\n" + roff_escaped(part.text) + ".fi\n";
    else
      out += (below_heading ? ".br\n" : ".PP\n") + paragraph(part.text);
    below_heading = part.what == help_part::kind::heading;
  }
  return out;
}

std::string section_of(const command_syntax& c) {
  std::string out = ".SS " + roff_escaped(c.usage) + "\n" + roff_escaped(c.summary) + ".\n";
  for (const option_syntax& o : c.arguments) out += tagged("\\fI" + roff_escaped(o.name) + "\\fR", description_of(o));
  return out + roff_options(c) + roff_help(c.name);
}

}  // namespace

void run_manual(const arguments&) {
  const std::vector<command_syntax> known = command_syntaxes();
  std::string page = fmt::format(
      ".TH ONEFOLD 1 {} \"onefold {}\" \"User Commands\"\n"
      ".SH NAME\nonefold \\- reductions with the same answer on every machine\n.SH SYNOPSIS\n",
      ONEFOLD_VERSION_DATE, ONEFOLD_VERSION);
  for (const command_syntax& c : known) page += (&c == known.data() ? "" : ".br\n") + roff_escaped(c.usage) + "\n";
  page +=
      ".SH DESCRIPTION\n" +
      paragraph(
          "Sums, extremes, means, variances and other reductions of the numbers in files, or of each prefix of them: "
          "NumPy arrays, raw elements, text and tables. The work is done by CUDA, OpenMP, oneTBB, threads or the "
          "calling thread; whichever it is, the result has the same bits. An operation in place of the command is "
          "short for the command reduce.") +
      ".SH COMMANDS\n";
  for (const command_syntax& c : known) page += section_of(c);
  page += ".SH EXIT STATUS\n";
  for (const exit_meaning& e : exit_meanings) page += tagged(bold(std::to_string(e.code)), e.meaning);
  page += ".SH ENVIRONMENT\n";
  for (const described_name& e : environment_variables) page += tagged(bold(e.name), e.meaning);
  page += ".SH FILES\n" + tagged("\\fI" + roff_escaped("~/.cache/onefold/profile.json") + "\\fR",
                                 "The figures of this machine that onefold calibrate stores.");
  page += ".SH EXAMPLES\n.nf\n";
  for (const help_part& part : read_help(help_about("")))
    if (part.what == help_part::kind::lines) page += roff_escaped(part.text);
  page += ".fi\n";
  write_output(page);
}

}  // namespace onefold::cli
