// `hone config`: see app/config.h.
#include "app/config.h"

#include <cstdio>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/streams.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

std::string config_text(const std::vector<app::Setting>& settings, const Screen& screen) {
  const auto& kinds = app::setting_kinds();
  Table table({{"setting"},
               {"value"},
               {"from"},
               {"option", Column::Align::left, 1},
               {"what", Column::Align::left, 2}});
  for (std::size_t i = 0; i < kinds.size(); ++i)
    table.add({kinds[i].key, settings[i].value.empty() ? "-" : printable(settings[i].value),
               settings[i].from.empty() ? "not set" : printable(settings[i].from), kinds[i].option,
               kinds[i].what});
  return table.text(screen) +
         "An option wins over the environment, that over hone.toml in this folder or one above it, "
         "and that over ~/.config/hone/config.toml.\n";
}

}  // namespace

int config(const ConfigCommand& command) {
  const auto result = app::config(std::filesystem::current_path());
  const std::string said =
      command.json ? base::json_text(result) : config_text(result.settings, screen_of(stdout));
  put(said);
  return static_cast<int>(base::ExitCode::ok);
}

}  // namespace hone::cli
