#include "runner/build_request.h"

namespace hone::runner {

device::BuildRequest build_request(const core::DeviceInfo& info, const std::string& source,
                                   const std::string& name, const core::Point& point) {
  device::BuildRequest request{info.language, info.id, info.arch, source, name, {}};
  for (const auto& [tunable, value] : point)
    request.defines.emplace_back(tunable, std::to_string(value));
  return request;
}

}  // namespace hone::runner
