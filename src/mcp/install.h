#pragma once
// `hone mcp --install DIR`: an instruction file for coding agents, written into a project.
#include <string>

#include "base/fields_fwd.h"

namespace hone::mcp {

struct InstallRequest {
  std::string folder;  // made if it is not there
  bool force = false;  // overwrite a file that holds something else
};

struct InstallResult {
  std::string file;
  std::string server;  // how a client is told of the server, as JSON
};

InstallResult install(const InstallRequest& request);
void describe(base::Fields& fields, const InstallResult& result);

}  // namespace hone::mcp
