#pragma once
// `hone resources export`: the files built into hone, written to a folder, to change them and use
// them with
// --resources.
#include <string>

#include "base/fields_fwd.h"

namespace hone::app {

struct ResourcesRequest {
  std::string folder;  // made if it is not there
};

struct ResourcesResult {
  std::string folder;
};

ResourcesResult export_resources(const ResourcesRequest& request);

void describe(base::Fields& fields, const ResourcesResult& result);  // {"written": [...]}

}  // namespace hone::app
