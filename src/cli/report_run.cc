// `hone report`: see app/report.h.
#include "app/report.h"

#include <iostream>

#include "cli/commands.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;

int report_run(const ReportCommand& command) {
  const auto result = app::report_run(command);
  if (command.json)
    put_json(result);
  else if (result.written.empty())
    std::cout << result.markdown;
  else
    std::cout << "The report is in " << printable(result.written[0]) << ", its chart in "
              << printable(result.written[1]) << "\n";
  return 0;
}

}  // namespace hone::cli
