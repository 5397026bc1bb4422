#include "app/resources.h"

#include "base/fields.h"
#include "base/resources.h"

namespace hone::app {

ResourcesResult export_resources(const ResourcesRequest& request) {
  base::export_resources(request.folder);
  return {request.folder};
}

void describe(base::Fields& f, const ResourcesResult& result) {
  f("written", std::vector{result.folder});
}

}  // namespace hone::app
