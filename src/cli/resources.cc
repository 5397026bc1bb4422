// `hone resources`: see app/resources.h.
#include "app/resources.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {

int export_resources(const Typed<app::ResourcesRequest>& command) {
  const auto result = app::export_resources(command);
  const std::string folder = text::printable(result.folder);
  if (command.json)
    put_json(result);
  else
    std::printf("The resources are in %s; use them with --resources %s\n", folder.c_str(),
                folder.c_str());
  return 0;
}

}  // namespace hone::cli
