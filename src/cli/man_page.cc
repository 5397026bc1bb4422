// The man page, in roff: the same texts as --help, one section for each command.
#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/version.h"

namespace hone::cli {
namespace {

std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string argument_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.empty() ? "" : " \\fI" + roff(type) + "\\fR";
}

std::string options_of_command(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* one) { return !one->get_group().empty(); })) {
    if (option->get_lnames().empty() && option->get_snames().empty())
      out += fmt::format(".TP\n\\fI{}\\fR\n", roff(option->get_name(true)));
    else
      out += fmt::format(".TP\n\\fB{}\\fR{}\n", roff(option->get_name(false, true)),
                         argument_of(*option));
    out += roff(option->get_description()) + "\n";
  }
  return out;
}

std::string synopsis_of(const std::string& path, const CLI::App& app) {
  std::string out = "\\fBhone" + (path.empty() ? "" : " " + roff(path)) + "\\fR";
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* one) { return one->get_positional(); }))
    out += (option->get_required() ? " \\fI" : " [\\fI") + roff(option->get_name(true)) +
           (option->get_required() ? "\\fR" : "\\fR]");
  if (app.get_require_subcommand_min() > 0) out += " \\fICOMMAND\\fR";
  return out + " [\\fIOPTIONS\\fR]";
}

std::string footer_of(const CLI::App& app) {
  std::string out = ".PP\n", text = app.get_footer();
  if (text.empty()) return "";
  // An example stands alone in its lines.
  const std::string mark = "Example:\n";
  const auto at = text.find(mark);
  if (at == std::string::npos) return out + roff(text) + "\n";
  if (at > 0) out += roff(text.substr(0, text.find_last_not_of('\n', at - 1) + 1)) + "\n.PP\n";
  const auto example = text.find_first_not_of(' ', at + mark.size());
  return out + "Example:\n.PP\n.nf\n.RS\n" + roff(text.substr(example)) + "\n.RE\n.fi\n";
}

}  // namespace

std::string man_page(const CLI::App& hone) {
  std::string out = fmt::format(
      ".TH HONE 1 \"\" \"hone {}\" \"User Commands\"\n.SH NAME\nhone \\- judge GPU kernels and "
      "make them faster\n"
      ".SH SYNOPSIS\n\\fBhone\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n.SH "
      "DESCRIPTION\n"
      "Hone is given a task (what must be computed, on which shapes) and a kernel, and says "
      "whether the kernel is right, how fast it is, how far from what the device can do, and how "
      "sure it is of all that.\n.SH COMMANDS\n",
      version);
  for (const auto& [path, app] : all_commands(hone)) {
    if (path.empty()) continue;
    out += fmt::format(".SS {}\n{}\n{}{}", synopsis_of(path, *app), roff(app->get_description()),
                       options_of_command(*app), footer_of(*app));
  }
  out += ".SH OPTIONS\n" + options_of_command(hone);
  return out +
         ".SH FILES\n.TP\n\\fI~/.local/share/hone\\fR, or \\fI$HONE_HOME\\fR\nThe archive and the "
         "caches.\n"
         ".TP\n\\fI~/.config/hone/config.toml\\fR, \\fIhone.toml\\fR\nSettings; \\fBhone "
         "config\\fR shows them.\n"
         ".SH EXIT STATUS\n0 it worked; 1 the candidate or task did not pass; 2 usage; 3 unusable "
         "input; 4 something is missing on this machine; 5 the archive; 10 slower; 11 the same; 12 "
         "cannot tell; 13 undecided; 20 work is away; 21 the time was up; 70 a mistake of hone's "
         "own; 130 interrupted.\n";
}

}  // namespace hone::cli
