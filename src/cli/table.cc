// `hone table`: see app/table.h.
#include "app/table.h"

#include <cstdio>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/progress.h"

namespace hone::cli {

int table(const Typed<app::TableRequest>& command) {
  Progress progress(command.json);
  const auto result = app::table(command, progress);
  std::fputs((command.json ? base::json_text(result) : to_markdown(result)).c_str(), stdout);
  return 0;
}

}  // namespace hone::cli
