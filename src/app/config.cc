#include "app/config.h"

#include "base/fields.h"

namespace hone::app {

ConfigResult config(const std::filesystem::path& current) { return {settings_in_force(current)}; }

void describe(base::Fields& f, const ConfigResult& result) {
  const auto& kinds = setting_kinds();
  f.group("settings", [&] {
    for (std::size_t i = 0; i < result.settings.size(); ++i)
      if (const auto& [value, from] = result.settings[i]; !value.empty())
        f.group(kinds[i].key,
                [&, &value = value, &from = from] { f("value", value)("from", from); });
  });
}

}  // namespace hone::app
