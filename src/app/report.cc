#include "app/report.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "report/summary_markdown.h"
#include "store/tuning.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;

fs::path chart_beside(const fs::path& out) {
  if (out.extension() == ".svg")
    base::fail(base::ExitCode::usage,
               "-o {}: give the Markdown file (.md); the chart goes beside it", out.string());
  return fs::path(out).replace_extension(".svg");
}

// A link may not hold what would end it.
std::string link_to(const fs::path& file) {
  std::string out;
  for (const char c : file.filename().string())
    out += std::string_view(" ()<>%").find(c) != std::string_view::npos ? fmt::format("%{:02X}", c)
                                                                        : std::string(1, c);
  return out;
}

void refuse_tuning_run(store::Archive& archive, const std::string& id) {
  if (id.starts_with('r') || id.starts_with('R')) return;  // a run of models
  std::string whole;
  try {
    whole = store::get_tuning_run(archive, id).id;
  } catch (const base::Error&) {
    return;  // no run at all, which is told below
  }
  base::fail(base::ExitCode::bad_input,
             "{} is a tuning run: `hone runs {}` shows it; only a run of models has a report", id,
             whole);
}

std::optional<report::RunSummary> control_of(const ReportRequest& request,
                                             store::Archive& archive) {
  if (request.beside.empty()) return std::nullopt;
  if (request.beside_archive.empty()) return report::load_summary(archive, request.beside, true);
  CommonOptions other = request;
  other.archive = request.beside_archive;
  auto opened = archive_to_read(other);
  return report::load_summary(opened, request.beside, true);
}

}  // namespace

ReportResult report_run(const ReportRequest& request) {
  auto archive = archive_to_read(request);
  refuse_tuning_run(archive, request.run);
  ReportResult result{
      report::load_summary(archive, request.run, true), control_of(request, archive), "", {}};
  const report::RunSummary* control = result.beside ? &*result.beside : nullptr;
  const fs::path chart = request.out.empty() ? fs::path() : chart_beside(request.out);
  result.markdown =
      summary_markdown(result.summary, control, request.out.empty() ? "" : link_to(chart));
  if (request.out.empty()) return result;
  const std::string picture = report::svg(summary_chart(result.summary, control));
  if (!request.force) refuse_to_overwrite({{request.out, result.markdown}, {chart, picture}}, "-o");
  base::write_file_atomically(chart, picture);
  base::write_file_atomically(request.out, result.markdown);
  result.written = {request.out, chart.string()};
  return result;
}

void describe(base::Fields& f, const ReportResult& result) {
  f.value(result.summary);
  f.sparse("beside", result.beside);
  f("written", result.written);
}

}  // namespace hone::app
