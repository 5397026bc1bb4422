#include "app/doctor.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/doctor_checks.h"
#include "app/inputs.h"
#include "base/fields.h"

namespace hone::app {
namespace {

std::string usable_devices(const DoctorResult& result) {
  std::string list;
  for (const auto& device : result.devices)
    if (device.usable) list += (list.empty() ? "" : ", ") + device.info.id;
  return list;
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

void describe(base::Fields& f, const Check& check) {
  f("section", check.section)("name", check.name)("state", name_of(check.state));
  f("text", check.text)("fix", check.fix);
}

void describe(base::Fields& f, const CheckedDevice& device) {
  f.value(device.info);
  f("usable", device.usable);
  if (!device.ceilings) return;
  f.group("ceilings", [&] {
    f.value(device.ceilings->best);
    f("probes", device.ceilings->probes)("problems", device.ceilings->problems);
  });
}

void describe(base::Fields& f, const DoctorResult& result) {
  f("can_judge", result.can_judge())("conclusion", result.conclusion())("checks", result.checks);
  f("devices", result.devices);
}

}  // namespace hone::app
