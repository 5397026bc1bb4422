#pragma once
// `hone resources export`: the files built into hone, written to a folder, to change them and use
// them with
// --resources.
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hone::app {

struct ResourcesRequest {
  std::string folder;  // made if it is not there
};

struct ResourcesResult {
  std::string folder;
};

ResourcesResult export_resources(const ResourcesRequest& request);

nlohmann::json to_json(const ResourcesResult& result);  // {"written": [...]}

}  // namespace hone::app
