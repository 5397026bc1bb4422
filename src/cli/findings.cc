#include "cli/findings.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/editor.h"
#include "cli/inputs.h"
#include "core/json.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;
using nlohmann::json;
using store::Finding;

constexpr std::size_t largest_finding = 64u << 10;  // more is a document: `hone learn` digests those

std::string text_from(const std::string& given) {
  std::string text = given;
  if (given == "-") text.assign(std::istreambuf_iterator<char>(std::cin), {});
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (text.empty()) base::fail(ExitCode::usage, "a finding needs a text");
  if (text.size() > largest_finding)
    base::fail(ExitCode::bad_input, "a finding has at most {} KiB: `hone learn FILE` digests whole documents",
               largest_finding >> 10);
  return text;
}

json to_json(const Finding& finding) {
  return {{"id", finding.id},
          {"created", core::json_time(finding.created)},
          {"task", finding.task},
          {"device", finding.device},
          {"text", finding.text},
          {"source", finding.source},
          {"run", finding.run.empty() ? json(nullptr) : json(finding.run)},
          {"deleted", finding.deleted}};
}

std::string or_any(const std::string& text) { return text.empty() ? "any" : printable(text); }

int answer(const Finding& finding, bool as_json, const std::string& sentence) {
  if (as_json)
    std::cout << core::json_text(to_json(finding));
  else
    std::cout << sentence << "\n";
  return 0;
}

}  // namespace

void print_findings(const std::vector<Finding>& found, bool as_json, std::ostream& out, const Screen& screen) {
  if (as_json) {
    json list = json::array();
    for (const Finding& finding : found) list.push_back(to_json(finding));
    out << core::json_text({{"findings", list}});
    return;
  }
  if (found.empty()) {
    out << "Nothing is known: runs add what they learn, `hone learn FILE` digests documents, and `hone findings add "
           "TEXT` adds your own.\n";
    return;
  }
  Table table({{"id"}, {"task"}, {"device"}, {"source"}, {"finding"}});
  for (const Finding& finding : found)
    table.add(
        {finding.id, or_any(finding.task), or_any(finding.device), printable(finding.source), printable(finding.text)});
  out << table.text(screen);
}

void print_finding(const Finding& finding, bool as_json, std::ostream& out, const Screen& screen) {
  if (as_json) {
    out << core::json_text(to_json(finding));
    return;
  }
  out << paint("finding " + finding.id, Colour::strong, screen) << (finding.deleted ? ": deleted" : "") << "\n";
  Table facts({{""}, {""}, {""}});
  facts.add({"", "task", or_any(finding.task)});
  facts.add({"", "device", or_any(finding.device)});
  facts.add({"", "source", printable(finding.source)});
  if (!finding.run.empty()) facts.add({"", "run", finding.run});
  facts.add({"", "recorded", format_time(finding.created)});
  out << facts.text() << "\n" << printable_lines(finding.text) << "\n";
}

int findings(const FindingsCommand& command) {
  using Action = FindingsCommand::Action;
  auto archive = command.action == Action::add ? archive_for(command) : archive_to_read(command);
  switch (command.action) {
    case Action::list:
      print_findings(store::findings(archive, {command.task, command.about, false, command.limit}), command.json,
                     std::cout, screen_of(stdout));
      return 0;
    case Action::show:
      print_finding(store::get_finding(archive, command.id), command.json, std::cout, screen_of(stdout));
      return 0;
    case Action::add: {
      Finding finding;
      finding.task = command.task;
      finding.device = command.about;
      finding.text = text_from(command.text);
      finding.source = "user";
      const std::string id = store::add_finding(archive, finding);
      return answer(store::get_finding(archive, id), command.json, "recorded as " + id);
    }
    case Action::edit: {
      const Finding before = store::get_finding(archive, command.id);
      const std::string text = text_from(command.text.empty() ? edited(before.text) : command.text);
      if (text == before.text) return answer(before, command.json, before.id + " is as it was");
      store::edit_finding(archive, before.id, text);
      return answer(store::get_finding(archive, before.id), command.json, before.id + " has its new text");
    }
    case Action::remove:
      store::delete_finding(archive, command.id);
      const Finding gone = store::get_finding(archive, command.id);
      return answer(gone, command.json, gone.id + " is out of all later prompts; `hone findings show` still has it");
  }
  return 0;
}

}  // namespace hone::cli
