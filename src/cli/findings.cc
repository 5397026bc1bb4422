// `hone findings`: see app/findings.h.
#include "app/findings.h"

#include <cstdio>
#include <iostream>
#include <iterator>

#include "cli/commands.h"
#include "cli/editor.h"
#include "cli/streams.h"
#include "text/findings_text.h"

namespace hone::cli {
namespace {

// "-" is standard input.
std::string typed_text(const std::string& given) {
  return given == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : given;
}

template <typename T>
int print_answer(const T& answer, bool as_json, const std::string& text) {
  put(as_json ? base::json_text(answer) : text);
  return 0;
}

int edit(const FindingsCommand& command) {
  app::EditFindingRequest request{{command, command.id}, typed_text(command.text)};
  if (command.text.empty()) request.text = edited(app::show_finding(request).text);
  const auto [finding, changed] = app::edit_finding(request);
  return print_answer(finding, command.json,
                      finding.id + (changed ? " has its new text\n" : " is as it was\n"));
}

}  // namespace

int findings(const FindingsCommand& command) {
  using Action = FindingsCommand::Action;
  const auto screen = text::screen_of(stdout);
  switch (command.action) {
    case Action::list: {
      const auto found = app::findings(command);
      return print_answer(found, command.json, text::findings_text(found.findings, screen));
    }
    case Action::show: {
      const auto finding = app::show_finding({command, command.id});
      return print_answer(finding, command.json, text::finding_text(finding, screen));
    }
    case Action::add: {
      const auto finding =
          app::add_finding({command, command.task, command.about, typed_text(command.text)});
      return print_answer(finding, command.json, "recorded as " + finding.id + "\n");
    }
    case Action::edit:
      return edit(command);
    case Action::remove: {
      const auto gone = app::delete_finding({command, command.id});
      return print_answer(
          gone, command.json,
          gone.id + " is out of all later prompts; `hone findings show` still has it\n");
    }
  }
  return 0;
}

}  // namespace hone::cli
