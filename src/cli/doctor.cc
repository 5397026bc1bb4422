#include "cli/doctor.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "core/json.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;
namespace {

using nlohmann::json;
using State = Check::State;

constexpr std::size_t state_width = 12, name_width = 24;

Colour colour_of(State state) {
  switch (state) {
    case State::ok:
      return Colour::good;
    case State::degraded:
      return Colour::doubtful;
    case State::missing:
      return Colour::bad;
    default:
      return Colour::faint;
  }
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

std::string usable_list(const Findings& findings) {
  std::string list;
  for (const auto& device : findings.devices)
    if (device.usable) list += (list.empty() ? "" : ", ") + device.info.id;
  return list;
}

std::string conclusion(const Findings& findings) {
  if (findings.can_judge()) return fmt::format("Hone can judge candidates here, on {}.", usable_list(findings));
  std::string why;
  if (usable_list(findings).empty()) why = "there is no device that can be used";
  if (!findings.references) why += std::string(why.empty() ? "" : ", and ") + "references cannot be compiled and run";
  return fmt::format("Nothing can be judged here yet: {}. The lines above say how to mend it.", why);
}

json device_json(const CheckedDevice& device) {
  json out = to_json(device.info);
  out["usable"] = device.usable;
  if (!device.ceilings) return out;
  const auto& best = device.ceilings->best;
  json probes = json::array();
  for (const auto& probe : device.ceilings->probes)
    probes.push_back({{"kind", probe.kind}, {"kernel", probe.kernel}, {"shape", probe.shape}, {"rate", probe.rate}});
  out["ceilings"] = {{"read", best.read},     {"write", best.write}, {"copy", best.copy},
                     {"flops", best.flops},   {"probes", probes},    {"problems", device.ceilings->problems},
                     {"groups", best.groups}, {"calls", best.calls}};
  return out;
}

json findings_json(const Findings& findings) {
  json checks = json::array(), devices = json::array();
  for (const auto& check : findings.checks)
    checks.push_back({{"section", check.section},
                      {"name", check.name},
                      {"state", name_of(check.state)},
                      {"text", check.text},
                      {"fix", check.fix}});
  for (const auto& device : findings.devices) devices.push_back(device_json(device));
  return {{"can_judge", findings.can_judge()},
          {"conclusion", conclusion(findings)},
          {"checks", checks},
          {"devices", devices}};
}

}  // namespace

std::string_view name_of(State state) {
  switch (state) {
    case State::ok:
      return "ok";
    case State::degraded:
      return "degraded";
    case State::missing:
      return "missing";
    default:
      return "not needed";
  }
}

bool Findings::can_judge() const {
  return references &&
         std::any_of(devices.begin(), devices.end(), [](const CheckedDevice& device) { return device.usable; });
}

bool Findings::has_cuda() const {
  return std::any_of(devices.begin(), devices.end(),
                     [](const CheckedDevice& device) { return device.info.language == core::Language::cuda; });
}

void Findings::add(const std::string& section, const std::string& name, State state, std::string text,
                   std::string fix) {
  checks.push_back({state, section, name, std::move(text), std::move(fix)});
}

std::string doctor_text(const Findings& findings, const Screen& screen) {
  std::string out, section;
  for (const auto& check : findings.checks) {
    if (check.section != section)
      out += fmt::format("{}{}\n", section.empty() ? "" : "\n", paint(check.section, Colour::strong, screen));
    section = check.section;
    out += fmt::format("  {}{} {}\n",
                       paint(padded(std::string(name_of(check.state)), state_width), colour_of(check.state), screen),
                       padded(check.name, name_width), check.text);
    if (!check.fix.empty() && check.state != State::ok)
      out += fmt::format("{}{}\n", std::string(2 + state_width, ' '), "→ " + check.fix);
  }
  return out + "\n" + conclusion(findings) + "\n";
}

int doctor(const DoctorOptions& options) {
  Progress progress(options.json);
  const Say say = [&](const std::string& text) { progress.step({text, {}, {}}); };
  Findings findings;
  check_devices(findings, options, say);
  check_references(findings);
  check_sandbox(findings, options.unsafe);
  check_profilers(findings);
  check_storage(findings);
  progress.step({});
  if (options.json)
    std::fputs(core::json_text(findings_json(findings)).c_str(), stdout);
  else
    std::fputs(doctor_text(findings, screen_of(stdout)).c_str(), stdout);
  return static_cast<int>(findings.can_judge() ? base::ExitCode::ok : base::ExitCode::environment);
}

}  // namespace hone::cli
