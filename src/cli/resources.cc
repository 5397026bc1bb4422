// `hone resources`: see app/resources.h.
#include "app/resources.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "core/json.h"
#include "text/format.h"

namespace hone::cli {

int export_resources(const Typed<app::ResourcesRequest>& command) {
  const auto result = app::export_resources(command);
  const std::string folder = text::printable(result.folder);
  if (command.json)
    std::fputs(core::json_text(to_json(result)).c_str(), stdout);
  else
    std::printf("The resources are in %s; use them with --resources %s\n", folder.c_str(),
                folder.c_str());
  return 0;
}

}  // namespace hone::cli
