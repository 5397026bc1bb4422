#pragma once
// `hone config`: which settings are in force, and where each comes from.
#include <filesystem>
#include <vector>

#include "app/settings.h"
#include "base/fields_fwd.h"

namespace hone::app {

struct ConfigResult {
  std::vector<Setting> settings;  // by the order of setting_kinds()
};

// `current`: the folder whose hone.toml counts, or the nearest above it.
ConfigResult config(const std::filesystem::path& current);
void describe(base::Fields& fields, const ConfigResult& result);

}  // namespace hone::app
