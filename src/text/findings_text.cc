#include "text/findings_text.h"

#include "text/table.h"

namespace hone::text {
namespace {

std::string or_any(const std::string& text) { return text.empty() ? "any" : printable(text); }

}  // namespace

std::string findings_text(const std::vector<store::Finding>& findings, const Screen& screen) {
  if (findings.empty())
    return "Nothing is known: runs add what they learn, `hone learn FILE` digests documents, and "
           "`hone findings add TEXT` adds your own.\n";
  Table table({{"id"}, {"task"}, {"device"}, {"source"}, {"finding"}});
  for (const auto& finding : findings)
    table.add({finding.id, or_any(finding.task), or_any(finding.device), printable(finding.source),
               printable(finding.text)});
  return table.text(screen);
}

std::string finding_text(const store::Finding& finding, const Screen& screen) {
  Table facts({{""}, {""}, {""}});
  facts.add({"", "task", or_any(finding.task)});
  facts.add({"", "device", or_any(finding.device)});
  facts.add({"", "source", printable(finding.source)});
  if (!finding.run.empty()) facts.add({"", "run", finding.run});
  facts.add({"", "recorded", format_time(finding.created)});
  return paint("finding " + finding.id, Colour::strong, screen) +
         (finding.deleted ? ": deleted" : "") + "\n" + facts.text() + "\n" +
         printable_lines(finding.text) + "\n";
}

}  // namespace hone::text
