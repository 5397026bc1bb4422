#pragma once
// The specimens of the self-test: for each way to cheat, a candidate that does it, the devices on
// which it can be tried, the guard that catches it, and how the self-test recognises that. Their
// sources are resources/selftest/TASK/NAME.{cl,cu,py,fake}; resources/selftest/TASK/honest.* is the
// honest twin of all specimens of a task. Constant tables; selftest.h runs them.
#include <cstdint>
#include <span>
#include <string_view>

#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/guards.h"

namespace hone::judge {

// How the self-test recognises that the guard caught the specimen; and that the specimen passes
// with the guard off.
enum class Sign : std::uint8_t {
  conviction,  // caught: one of the specimen's outcomes; passes: accepted
  label,    // caught: accepted with a label of the guard, or one of the outcomes; passes: accepted
            // without the label
  samples,  // caught: at least as many samples as the sampling rule asks for; passes: fewer
  time,     // caught: a time of `figure` seconds or more; passes: less
  comparison,    // caught: compared with itself it is not "faster"; passes: it is
  interference,  // caught: compared with the specimen, the twin is accepted; passes: the twin is
                 // convicted
};

// The devices on which a specimen can be tried.
enum class SpecimenDevice : std::uint8_t {
  anywhere,  // every device
  native,    // devices whose code is native code: CPUs
  cuda,      // CUDA devices
  fake_cpu,  // the fake device, whichever device is tested: the source controls its clock
  fake_gpu,
  python,  // a candidate in Python: CPUs and CUDA devices
  python_cpu,
  python_cuda,
};
constexpr bool is_python(SpecimenDevice place) {
  return place == SpecimenDevice::python || place == SpecimenDevice::python_cpu ||
         place == SpecimenDevice::python_cuda;
}

struct Specimen {
  std::string_view row;  // in the tables of docs/trust.md
  std::string_view name, task;
  Guard guard;            // none: structural, there is no guard to switch off
  std::string_view what;  // the specimen does
  SpecimenDevice place = SpecimenDevice::anywhere;
  std::string_view outcomes = "wrong";  // the expected ones, separated by spaces
  core::Depth depth = core::Depth::screen;
  Sign sign = Sign::conviction;
  double figure = 0;  // seconds. Sign::conviction: the time limit of a call (0: the usual one).
                      // Sign::time: see there
  std::string_view
      accomplice;  // another candidate, evaluated before the specimen in a process of its own
};
std::span<const Specimen> all_specimens();
std::span<const Specimen> python_specimens();  // the part of them that is written in Python
bool can_be_tried(const Specimen& specimen, const core::DeviceInfo& info);

// A row of docs/trust.md, and why it has no specimen on a CPU or a GPU; "" where it has one.
struct Row {
  std::string_view number, title, not_on_cpu, not_on_gpu;
};
std::span<const Row> all_rows();

// A guard that no specimen can demonstrate on a CPU or a GPU, and why; "" where one can.
struct Unshown {
  Guard guard;
  std::string_view on_cpu, on_gpu;
};
std::span<const Unshown> unshown_guards();

}  // namespace hone::judge
