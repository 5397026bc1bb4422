#include "app/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/doctor_checks.h"
#include "app/inputs.h"
#include "core/device_json.h"

namespace hone::app {
namespace {

using nlohmann::json;

std::string usable_devices(const DoctorResult& result) {
  std::string list;
  for (const auto& device : result.devices)
    if (device.usable) list += (list.empty() ? "" : ", ") + device.info.id;
  return list;
}

json checked_device_json(const CheckedDevice& device) {
  json said = core::to_json(device.info);
  said["usable"] = device.usable;
  if (!device.ceilings) return said;
  json probes = json::array();
  for (const auto& probe : device.ceilings->probes)
    probes.push_back({{"kind", probe.kind},
                      {"kernel", probe.kernel},
                      {"shape", probe.shape},
                      {"rate", probe.rate}});
  json& ceilings = said["ceilings"] = core::to_json(device.ceilings->best);
  ceilings["probes"] = probes;
  ceilings["problems"] = device.ceilings->problems;
  return said;
}

}  // namespace

std::string_view name_of(Check::State state) {
  switch (state) {
    case Check::State::ok:
      return "ok";
    case Check::State::degraded:
      return "degraded";
    case Check::State::missing:
      return "missing";
    default:
      return "not needed";
  }
}

bool DoctorResult::can_judge() const {
  return references && std::any_of(devices.begin(), devices.end(),
                                   [](const CheckedDevice& device) { return device.usable; });
}

std::string DoctorResult::conclusion() const {
  const std::string usable = usable_devices(*this);
  if (can_judge()) return fmt::format("Hone can judge candidates here, on {}.", usable);
  std::string why;
  if (usable.empty()) why = "there is no device that can be used";
  if (!references)
    why += std::string(why.empty() ? "" : ", and ") + "references cannot be compiled and run";
  return fmt::format("Nothing can be judged here yet: {}. The lines above say how to fix it.", why);
}

DoctorResult doctor(const DoctorRequest& request, Sink& sink) {
  DoctorResult result;
  check_devices(result, request, sink);
  require_wanted(sink);
  check_references(result);
  check_sandbox(result, request.unsafe);
  check_profilers(result);
  check_storage(result);
  sink.step({});
  return result;
}

json to_json(const DoctorResult& result) {
  json checks = json::array(), devices = json::array();
  for (const auto& check : result.checks)
    checks.push_back({{"section", check.section},
                      {"name", check.name},
                      {"state", name_of(check.state)},
                      {"text", check.text},
                      {"fix", check.fix}});
  for (const auto& device : result.devices) devices.push_back(checked_device_json(device));
  return {{"can_judge", result.can_judge()},
          {"conclusion", result.conclusion()},
          {"checks", checks},
          {"devices", devices}};
}

}  // namespace hone::app
