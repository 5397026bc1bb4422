// `hone resources`: see app/resources.h.
#include "app/resources.h"

#include <cstdio>

#include "base/json.h"
#include "cli/commands.h"
#include "text/format.h"

namespace hone::cli {

int export_resources(const Typed<app::ResourcesRequest>& command) {
  const auto result = app::export_resources(command);
  const std::string folder = text::printable(result.folder);
  if (command.json)
    std::fputs(base::json_text(result).c_str(), stdout);
  else
    std::printf("The resources are in %s; use them with --resources %s\n", folder.c_str(),
                folder.c_str());
  return 0;
}

}  // namespace hone::cli
