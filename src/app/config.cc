#include "app/config.h"

#include <nlohmann/json.hpp>

namespace hone::app {

ConfigResult config(const std::filesystem::path& current) { return {settings_in_force(current)}; }

nlohmann::json to_json(const ConfigResult& result) {
  const auto& kinds = setting_kinds();
  nlohmann::json all = nlohmann::json::object();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (const auto& [value, from] = result.settings[i]; !value.empty())
      all[kinds[i].key] = {{"value", value}, {"from", from}};
  return {{"settings", all}};
}

}  // namespace hone::app
