#pragma once
// Structs that cross the wire, as JSON and back. What comes back from a worker may be hostile: a
// missing or wrong field throws json::exception. Pure.
#include <nlohmann/json_fwd.hpp>

#include "core/plan.h"
#include "device/device.h"

namespace hone::runner {

nlohmann::json to_json(const core::ResolvedPlan& plan);
core::ResolvedPlan plan_from(
    const nlohmann::json& json);  // without operations, which only Python workers run
nlohmann::json to_json(
    const device::BuildRequest& request);  // without the source, which travels as a memory file
device::BuildRequest build_request_from(const nlohmann::json& json);
nlohmann::json to_json(const device::KernelInfo& kernel);
device::KernelInfo kernel_from(const nlohmann::json& json);
nlohmann::json to_json(const std::vector<device::Activity>& activities);
std::vector<device::Activity> activities_from(const nlohmann::json& json);
nlohmann::json to_json(const device::CallReport& report);
device::CallReport report_from(const nlohmann::json& json);

// A text that may contain anything, since a compiler or a hostile program printed it, made safe to
// put in JSON.
std::string valid_utf8(std::string_view text);

}  // namespace hone::runner
