#include "text/admission_text.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <vector>

#include "base/words.h"
#include "text/table.h"

namespace hone::text {
namespace {

using judge::AdmissionCheck;
using Verdict = AdmissionCheck::Verdict;

std::string figure_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "not finite";
}

std::string verdict_name(Verdict verdict, const Screen& screen) {
  const Colour colour = verdict == Verdict::ok         ? Colour::good
                        : verdict == Verdict::doubtful ? Colour::doubtful
                                                       : Colour::bad;
  return paint(judge::name_of(verdict), colour, screen);
}

// How near a check is to going wrong: the case that is nearest stands for all of them.
double nearness(const AdmissionCheck& check) {
  if (!check.has_figures) return 0;
  const double ratio = check.bound > 0    ? check.figure / check.bound
                       : check.figure > 0 ? INFINITY
                                          : 0;
  const bool large_is_good = check.expectation == "must fail" ||
                             check.expectation == "should fail" ||
                             check.expectation == "at least" || check.expectation == "more than";
  return large_is_good ? -ratio : ratio;
}

bool is_worse(const AdmissionCheck& a, const AdmissionCheck& b) {
  if (a.verdict != b.verdict) return a.verdict > b.verdict;
  if (a.forgiven != b.forgiven) return b.forgiven;
  return nearness(a) > nearness(b);
}

struct CheckRow {
  const AdmissionCheck* check;  // the case that is nearest to going wrong
  std::size_t cases = 0;        // in how many it went as wrong
};

// One row for each check, over all cases.
std::vector<CheckRow> rows_of(const judge::Admission& admission) {
  std::vector<CheckRow> rows;
  std::map<std::string, std::size_t> at;
  for (const auto& check : admission.checks) {
    const auto [known, fresh] = at.try_emplace(check.name + "\n" + check.output, rows.size());
    if (fresh) rows.push_back({&check, 0});
    CheckRow& row = rows[known->second];
    if (check.verdict != row.check->verdict)
      row.cases = check.verdict > row.check->verdict ? 0 : row.cases;
    row.cases += check.verdict >= row.check->verdict ? 1 : 0;
    if (is_worse(check, *row.check)) row.check = &check;
  }
  return rows;
}

std::string table_of(const std::vector<CheckRow>& rows, const Screen& screen) {
  using Align = Column::Align;
  Table table({{""},
               {"what"},
               {"output", Align::left, 2},
               {"expected"},
               {"figure", Align::right},
               {"bound", Align::right},
               {"nearest case", Align::left, 1},
               {"trust row", Align::right, 3}});
  for (const auto& [check, cases] : rows)
    table.add({verdict_name(check->verdict, screen), printable(check->name),
               printable(check->output), check->expectation,
               check->has_figures ? figure_text(check->figure) : "",
               check->has_figures ? figure_text(check->bound) : "", printable(check->case_name),
               check->row > 0 ? std::to_string(check->row) : ""});
  return table.text(screen);
}

// What it means, of a check that is not in order.
std::string explanation(const CheckRow& row, const Screen& screen) {
  const AdmissionCheck& check = *row.check;
  return fmt::format("{}{}{}: {}\n", verdict_name(check.verdict, screen),
                     check.case_name.empty() ? "" : " on case " + printable(check.case_name),
                     row.cases > 1 ? fmt::format(" and {} more", row.cases - 1) : "",
                     printable_lines(check.text));
}

}  // namespace

std::string admission_text(const std::string& task, const judge::Admission& admission,
                           const std::optional<core::DeviceInfo>& device, const Screen& screen) {
  const auto rows = rows_of(admission);
  std::string out = table_of(rows, screen);
  for (const auto& row : rows)
    if (row.check->verdict != Verdict::ok) out += explanation(row, screen);
  for (const auto& note : admission.notes) out += fmt::format("note: {}\n", printable(note));
  const bool admitted = admission.admitted();
  return out +
         fmt::format("{} is {} ({}, {})\n", printable(task),
                     paint(admitted ? "admitted" : "not admitted",
                           admitted ? Colour::good : Colour::bad, screen),
                     base::counted(static_cast<std::int64_t>(admission.cases.size()), "case"),
                     printable(device ? device->id + " " + device->name
                                      : "no device for it here: with the C++ reference alone"));
}

}  // namespace hone::text
