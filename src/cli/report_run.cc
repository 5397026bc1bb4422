// `hone report`: see app/report.h.
#include "app/report.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "core/json.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;

int report_run(const ReportCommand& command) {
  const auto result = app::report_run(command);
  if (command.json)
    std::cout << core::json_text(to_json(result));
  else if (result.written.empty())
    std::cout << result.markdown;
  else
    std::cout << "The report is in " << printable(result.written[0]) << ", its chart in "
              << printable(result.written[1]) << "\n";
  return 0;
}

}  // namespace hone::cli
