#pragma once
// `hone report RUN`: the summary of a run, as Markdown with a chart beside it, or as JSON.
#include <optional>
#include <string>
#include <vector>

#include "app/common_options.h"
#include "base/fields_fwd.h"
#include "report/summary.h"

namespace hone::app {

struct ReportRequest : CommonOptions {
  std::string run;
  std::string beside;          // a control arm to tell beside it; "": none
  std::string beside_archive;  // where that is; "": in the same archive
  std::string out;             // the Markdown file to write; "": none, and no chart
  bool force = false;          // overwrite files that hold something else
};

struct ReportResult {
  report::RunSummary summary;
  std::optional<report::RunSummary> beside;
  std::string markdown;
  std::vector<std::string> written;  // the file and its chart
};

ReportResult report_run(const ReportRequest& request);

void describe(base::Fields& fields, const ReportResult& result);

}  // namespace hone::app
