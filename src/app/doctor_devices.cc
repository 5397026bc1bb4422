// Devices, their compilers and their ceilings.
#include <fmt/format.h>

#include "app/doctor_checks.h"
#include "app/inputs.h"
#include "base/error.h"
#include "device/device.h"
#include "runner/runner.h"
#include "runner/sandbox.h"
#include "text/format.h"

namespace hone::app {
using namespace text;
namespace {

using State = Check::State;
using Measure = DoctorRequest::Measure;

std::string title_of(core::Language language) {
  return language == core::Language::cuda ? "CUDA" : "OpenCL";
}

std::string device_text(const core::DeviceInfo& info) {
  return fmt::format("{}{}, {} {}, {} of memory, {} of cache; driver {}", printable(info.name),
                     info.arch.empty() ? "" : " (" + info.arch + ")", info.sm_count,
                     core::capabilities(info).native_code ? "cores" : "multiprocessors",
                     format_bytes(static_cast<double>(info.memory_bytes)),
                     format_bytes(static_cast<double>(info.l2_bytes)), printable(info.driver));
}

std::string ceilings_text(const core::Ceilings& ceilings) {
  std::string text =
      fmt::format("read {}, write {}, copy {}", format_rate(ceilings.read, "B/s"),
                  format_rate(ceilings.write, "B/s"), format_rate(ceilings.copy, "B/s"));
  for (const auto& [kind, rate] : ceilings.flops)
    text += fmt::format(", {} {}", kind, format_rate(rate, "flop/s"));
  if (ceilings.groups > 0)
    text += fmt::format(", empty work-groups {}", format_rate(ceilings.groups, "/s"));
  if (ceilings.calls > 0)
    text += fmt::format(", empty calls {}", format_rate(ceilings.calls, "/s"));
  return text;
}

void check_ceilings(DoctorResult& result, CheckedDevice& device, const DoctorRequest& request,
                    Sink& sink) {
  const std::string name = "ceilings of " + device.info.id;
  const auto add = [&](State state, std::string text, std::string fix = "") {
    add_check(result, "Devices", name, state, std::move(text), std::move(fix));
  };
  if (request.ceilings != Measure::always) device.ceilings = judge::saved_ceilings(device.info);
  const bool may_measure = request.ceilings != Measure::never;
  std::string kept;
  const auto earlier = device.ceilings;
  // What was measured while other programs used the device is measured again, and the better figure
  // of each kind stays.
  if (earlier && !earlier->other_users.empty() && may_measure) device.ceilings.reset();
  if (!device.ceilings && may_measure) {
    try {
      device.ceilings = judge::measure_ceilings(
          device.info, {.unsafe = request.unsafe, .progress = steps_to(sink)});
      if (earlier) judge::merge_best_rates(*device.ceilings, *earlier);
      kept = fmt::format("; measured just now, in {}", format_seconds(device.ceilings->seconds));
      judge::save_ceilings(device.info, *device.ceilings);
    } catch (const base::Error& error) {
      if (!device.ceilings) {
        device.usable = false;
        return add(State::missing, printable_lines(error.what()),
                   "fix that, then run hone doctor again");
      }
      kept += fmt::format(", but not kept: {}", printable(error.what()));
    }
  }
  if (!device.ceilings)
    return add(State::degraded, "not measured yet",
               "hone doctor measures them (without --no-measure)");
  if (device.ceilings->probes.empty()) {
    device.usable = false;
    return add(
        State::missing,
        "no program ran: " +
            printable_lines(device.ceilings->problems.empty() ? "" : device.ceilings->problems[0]),
        "fix that, then hone doctor --measure");
  }
  std::string problems;
  for (const auto& problem : device.ceilings->problems) problems += "; " + printable(problem);
  const auto& others = device.ceilings->other_users;
  if (problems.empty() && !others.empty())
    return add(State::degraded,
               fmt::format("{}{}; other programs were at work meanwhile ({})",
                           ceilings_text(device.ceilings->best), kept, printable(others[0])),
               "run hone doctor again when the machine is idle: the better figures are kept");
  add(problems.empty() ? State::ok : State::degraded,
      ceilings_text(device.ceilings->best) + kept + problems,
      problems.empty() ? ""
                       : "what is not there was not measured; hone doctor --measure tries again");
}

// A driver may find a device out here and not in the sandbox, where everything is run.
void check_opening(DoctorResult& result, CheckedDevice& device, const DoctorRequest& request) {
  const auto problem =
      runner::open_problem(device.info, runner::runner_options(device.info, request.unsafe));
  if (problem.empty()) return;
  device.usable = false;
  add_check(
      result, "Devices", "use of " + device.info.id, State::missing,
      fmt::format("{} is here, but cannot be used: {}", device.info.id, printable_lines(problem)),
      "name another device with --device; what a driver needs besides /dev/nvidia*, /dev/dri, "
      "/dev/kfd and the folders in LD_LIBRARY_PATH and OCL_ICD_VENDORS is not in the sandbox");
}

void check_sensors(DoctorResult& result, const core::DeviceInfo& info) {
  const auto state = device::read_state(info, {});
  const std::string name = "sensors of " + info.id;
  if (!state.missing.empty()) {
    add_check(result, "Devices", name, State::degraded, printable(state.missing),
              "timings are good without them; clocks, heat and power are then not recorded");
    return;
  }
  std::string text;
  const auto add_value = [&](const std::optional<double>& value, const char* hint) {
    if (value) text += (text.empty() ? "" : ", ") + format_value(*value, hint);
  };
  add_value(state.sm_clock_mhz, "MHz");
  add_value(state.temperature_c, "C");
  add_value(state.power_w, "W");
  for (const auto& user : state.other_users) text += "; also in use by " + printable(user);
  add_check(
      result, "Devices", name, state.other_users.empty() ? State::ok : State::degraded,
      text.empty() ? "they answer" : text,
      state.other_users.empty()
          ? ""
          : "measure when nothing else is at work: other programs make times longer and noisier");
}

void check_device(DoctorResult& result, const core::DeviceInfo& info, const DoctorRequest& request,
                  Sink& sink) {
  CheckedDevice device{info, std::nullopt, true};
  add_check(result, "Devices", info.id, State::ok, device_text(info));
  if (info.compiler.empty()) {
    device.usable = false;
    add_check(
        result, "Devices", "compiler for " + info.id, State::missing,
        "nothing here compiles for it",
        info.language == core::Language::cuda
            ? "install the CUDA toolkit's NVRTC (libnvrtc.so), or set CUDA_HOME to where it is"
            : "install the driver's compiler (pocl-opencl-icd brings its own)");
  } else {
    add_check(result, "Devices", "compiler for " + info.id, State::ok, printable(info.compiler));
  }
  if (core::capabilities(info).native_code && !runner::isolation_problem().empty() &&
      !request.unsafe) {
    device.usable = false;
    add_check(result, "Devices", "ceilings of " + info.id, State::missing,
              "device code on a CPU is native code, which Hone does not run without a sandbox",
              "fix the sandbox (below), or accept the risk with --unsafe");
  } else if (device.usable) {
    check_opening(result, device, request);
    if (device.usable) check_ceilings(result, device, request, sink);
  }
  check_sensors(result, info);
  result.devices.push_back(std::move(device));
}

}  // namespace

void check_devices(DoctorResult& result, const DoctorRequest& request, Sink& sink) {
  for (const auto& backend : device::discover()) {
    for (const auto& info : backend.devices)
      if (!sink.cancelled() && (request.device.empty() || request.device == info.id))
        check_device(result, info, request, sink);
    if (!backend.available)
      add_check(result, "Devices", title_of(backend.language), State::missing,
                printable(backend.why), printable(backend.fix));
    for (const auto& note : backend.notes)
      add_check(result, "Devices", title_of(backend.language),
                backend.available ? State::degraded : State::unneeded, printable(note));
  }
}

}  // namespace hone::app
