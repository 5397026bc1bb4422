// `hone table`: see app/table.h.
#include "app/table.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/progress.h"
#include "core/json.h"

namespace hone::cli {

int table(const Typed<app::TableRequest>& command) {
  Progress progress(command.json);
  const auto result = app::table(command, progress);
  std::fputs((command.json ? core::json_text(to_json(result)) : to_markdown(result)).c_str(),
             stdout);
  return 0;
}

}  // namespace hone::cli
