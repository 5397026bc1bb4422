#include "app/resources.h"

#include <nlohmann/json.hpp>

#include "base/resources.h"

namespace hone::app {

ResourcesResult export_resources(const ResourcesRequest& request) {
  base::export_resources(request.folder);
  return {request.folder};
}

nlohmann::json to_json(const ResourcesResult& result) {
  return {{"written", nlohmann::json::array({result.folder})}};
}

}  // namespace hone::app
