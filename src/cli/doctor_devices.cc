// Devices, their compilers and their ceilings.
#include <fmt/format.h>

#include "base/error.h"
#include "cli/doctor.h"
#include "device/device.h"
#include "runner/runner.h"
#include "runner/sandbox.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace {

using State = Check::State;

std::string title_of(core::Language language) { return language == core::Language::cuda ? "CUDA" : "OpenCL"; }

std::string describe(const core::DeviceInfo& info) {
  return fmt::format("{}{}, {} {}, {} of memory, {} of cache; driver {}", printable(info.name),
                     info.arch.empty() ? "" : " (" + info.arch + ")", info.sm_count,
                     core::capabilities(info).native_code ? "cores" : "multiprocessors",
                     format_bytes(static_cast<double>(info.memory_bytes)),
                     format_bytes(static_cast<double>(info.l2_bytes)), printable(info.driver));
}

std::string describe(const core::Ceilings& ceilings) {
  std::string text = fmt::format("read {}, write {}, copy {}", format_rate(ceilings.read, "B/s"),
                                 format_rate(ceilings.write, "B/s"), format_rate(ceilings.copy, "B/s"));
  for (const auto& [kind, rate] : ceilings.flops) text += fmt::format(", {} {}", kind, format_rate(rate, "flop/s"));
  if (ceilings.groups > 0) text += fmt::format(", empty work-groups {}", format_rate(ceilings.groups, "/s"));
  if (ceilings.calls > 0) text += fmt::format(", empty calls {}", format_rate(ceilings.calls, "/s"));
  return text;
}

void check_ceilings(Findings& findings, CheckedDevice& device, const DoctorOptions& options, const Say& say) {
  const std::string name = "ceilings of " + device.info.id;
  const auto add = [&](State state, std::string text, std::string fix = "") {
    findings.add("Devices", name, state, std::move(text), std::move(fix));
  };
  if (!options.measure) device.ceilings = judge::saved_ceilings(device.info);
  std::string kept;
  const auto earlier = device.ceilings;
  // What was measured while others were at work is measured again, and the better figure of each kind stays.
  if (earlier && !earlier->other_users.empty() && !options.no_measure) device.ceilings.reset();
  if (!device.ceilings && !options.no_measure) {
    try {
      device.ceilings = judge::measure_ceilings(device.info, {.unsafe = options.unsafe, .progress = say});
      if (earlier) judge::merge_best_rates(*device.ceilings, *earlier);
      kept = fmt::format("; measured just now, in {}", format_seconds(device.ceilings->seconds));
      judge::save_ceilings(device.info, *device.ceilings);
    } catch (const base::Error& error) {
      if (!device.ceilings) {
        device.usable = false;
        return add(State::missing, printable_lines(error.what()), "mend that, then run hone doctor again");
      }
      kept += fmt::format(", but not kept: {}", printable(error.what()));
    }
  }
  if (!device.ceilings)
    return add(State::degraded, "not measured yet", "hone doctor measures them (without --no-measure)");
  if (device.ceilings->probes.empty()) {
    device.usable = false;
    return add(
        State::missing,
        "no program ran: " + printable_lines(device.ceilings->problems.empty() ? "" : device.ceilings->problems[0]),
        "mend that, then hone doctor --measure");
  }
  std::string problems;
  for (const auto& problem : device.ceilings->problems) problems += "; " + printable(problem);
  const auto& others = device.ceilings->other_users;
  if (problems.empty() && !others.empty())
    return add(State::degraded,
               fmt::format("{}{}; somebody else was at work meanwhile ({})", describe(device.ceilings->best), kept,
                           printable(others[0])),
               "run hone doctor again when the machine is idle: the better figures are kept");
  add(problems.empty() ? State::ok : State::degraded, describe(device.ceilings->best) + kept + problems,
      problems.empty() ? "" : "what is not there was not measured; hone doctor --measure tries again");
}

// A driver may find a device out here and not in the sandbox, where everything is run.
void check_opening(Findings& findings, CheckedDevice& device, const DoctorOptions& options) {
  const auto problem = runner::open_problem(device.info, runner::runner_options(device.info, options.unsafe));
  if (problem.empty()) return;
  device.usable = false;
  findings.add(
      "Devices", "use of " + device.info.id, State::missing,
      fmt::format("{} is here, but cannot be used: {}", device.info.id, printable_lines(problem)),
      "name another device with --device; what a driver needs besides /dev/nvidia*, /dev/dri, /dev/kfd and the "
      "folders in LD_LIBRARY_PATH and OCL_ICD_VENDORS is not in the sandbox");
}

void check_device(Findings& findings, const core::DeviceInfo& info, const DoctorOptions& options, const Say& say) {
  CheckedDevice device{info, std::nullopt, true};
  findings.add("Devices", info.id, State::ok, describe(info));
  if (info.compiler.empty()) {
    device.usable = false;
    findings.add("Devices", "compiler for " + info.id, State::missing, "nothing here compiles for it",
                 info.language == core::Language::cuda
                     ? "install the CUDA toolkit's NVRTC (libnvrtc.so), or set CUDA_HOME to where it is"
                     : "install the driver's compiler (pocl-opencl-icd brings its own)");
  } else {
    findings.add("Devices", "compiler for " + info.id, State::ok, printable(info.compiler));
  }
  if (core::capabilities(info).native_code && !runner::isolation_problem().empty() && !options.unsafe) {
    device.usable = false;
    findings.add("Devices", "ceilings of " + info.id, State::missing,
                 "device code on a CPU is native code, which Hone does not run without a sandbox",
                 "mend the sandbox (below), or accept the risk with --unsafe");
  } else if (device.usable) {
    check_opening(findings, device, options);
    if (device.usable) check_ceilings(findings, device, options, say);
  }
  const auto state = device::read_state(info, {});
  const std::string name = "sensors of " + info.id;
  if (!state.missing.empty()) {
    findings.add("Devices", name, State::degraded, printable(state.missing),
                 "timings are good without them; clocks, heat and power are then not recorded");
  } else {
    std::string text;
    const auto say_value = [&](const std::optional<double>& value, const char* hint) {
      if (value) text += (text.empty() ? "" : ", ") + format_value(*value, hint);
    };
    say_value(state.sm_clock_mhz, "MHz");
    say_value(state.temperature_c, "C");
    say_value(state.power_w, "W");
    for (const auto& user : state.other_users) text += "; also in use by " + printable(user);
    findings.add(
        "Devices", name, state.other_users.empty() ? State::ok : State::degraded, text.empty() ? "they answer" : text,
        state.other_users.empty() ? "" : "measure when nobody else is at work: others make times longer and noisier");
  }
  findings.devices.push_back(std::move(device));
}

}  // namespace

void check_devices(Findings& findings, const DoctorOptions& options, const Say& say) {
  for (const auto& backend : device::discover()) {
    for (const auto& info : backend.devices)
      if (options.device.empty() || options.device == info.id) check_device(findings, info, options, say);
    if (!backend.available)
      findings.add("Devices", title_of(backend.language), State::missing, printable(backend.why),
                   printable(backend.fix));
    for (const auto& note : backend.notes)
      findings.add("Devices", title_of(backend.language), backend.available ? State::degraded : State::unneeded,
                   printable(note));
  }
}

}  // namespace hone::cli
