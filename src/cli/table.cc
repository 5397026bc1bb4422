// `hone table`: see app/table.h.
#include "app/table.h"

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"

namespace hone::cli {

int table(const Typed<app::TableRequest>& command) {
  Progress progress(command.json);
  const auto result = app::table(command, progress);
  put(command.json ? base::json_text(result) : to_markdown(result));
  return 0;
}

}  // namespace hone::cli
