// `hone report`: see app/report.h.
#include "app/report.h"

#include <iostream>

#include "base/json.h"
#include "cli/commands.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;

int report_run(const ReportCommand& command) {
  const auto result = app::report_run(command);
  if (command.json)
    std::cout << base::json_text(result);
  else if (result.written.empty())
    std::cout << result.markdown;
  else
    std::cout << "The report is in " << printable(result.written[0]) << ", its chart in "
              << printable(result.written[1]) << "\n";
  return 0;
}

}  // namespace hone::cli
