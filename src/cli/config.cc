// `hone config`: which settings are in force, and where each comes from.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/settings.h"
#include "core/json.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;

int config(const ConfigCommand& command) {
  const auto settings = settings_in_force(std::filesystem::current_path());
  const auto& kinds = setting_kinds();
  if (command.json) {
    nlohmann::json all = nlohmann::json::object();
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (!settings[i].value.empty()) all[kinds[i].key] = {{"value", settings[i].value}, {"from", settings[i].from}};
    std::fputs(core::json_text({{"settings", all}}).c_str(), stdout);
    return 0;
  }
  Table table({{"setting"}, {"value"}, {"from"}, {"option", Column::Align::left, 1}, {"what", Column::Align::left, 2}});
  for (std::size_t i = 0; i < kinds.size(); ++i)
    table.add({kinds[i].key, settings[i].value.empty() ? "-" : printable(settings[i].value),
               settings[i].from.empty() ? "not set" : printable(settings[i].from), kinds[i].option, kinds[i].what});
  std::fputs(table.text(screen_of(stdout)).c_str(), stdout);
  std::fputs(
      "An option wins over the environment, that over hone.toml in this folder or one above it, and that over "
      "~/.config/hone/config.toml.\n",
      stdout);
  return 0;
}

}  // namespace hone::cli
