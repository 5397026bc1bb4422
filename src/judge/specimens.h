#pragma once
// What the self-test has: a specimen of each way to fool the judge, where it can be tried, which guard catches it, and
// how that is seen. Sources lie under resources/selftest/TASK/NAME.{cl,cu,py,fake}, the honest twin of all of a task's
// specimens is resources/selftest/TASK/honest.*. Tables, nothing else.
#include <cstdint>
#include <span>
#include <string_view>

#include "core/device_info.h"
#include "core/evaluation.h"

namespace hone::judge {

// By what one sees that a guard works; and, with the guard switched off, that its specimen comes through.
enum class Sign : std::uint8_t {
  conviction,  // one of the outcomes; through: accepted
  label,       // accepted with a label of the guard; through: without it
  samples,     // as many samples as the rule wants; through: fewer
  time,        // a time of `figure` seconds or more; through: less
  comparison,  // a comparison with the twin does not say "faster"; through: it does
};

enum class Place : std::uint8_t {
  anywhere,  // any device that has the source's language
  native,    // only where device code is native code: on a CPU
  cuda,      // only there
  fake_cpu,  // on the fake device, whatever the device at hand: its clock does as it is told
  fake_gpu,
  python,  // a candidate in Python: on a CPU, and on CUDA
  python_cpu,
  python_cuda,
};
constexpr bool is_python(Place place) {
  return place == Place::python || place == Place::python_cpu || place == Place::python_cuda;
}

struct Specimen {
  std::string_view row;  // of docs/trust.md
  std::string_view name, task;
  std::string_view guard;  // "": structural, there is nothing to switch off
  std::string_view what;   // it does
  Place place = Place::anywhere;
  std::string_view outcomes = "wrong";  // any of them, separated by spaces
  core::Depth depth = core::Depth::screen;
  Sign sign = Sign::conviction;
  double figure = 0;            // seconds: the time limit (conviction, 0: the usual one), or what Sign::time is about
  std::string_view accomplice;  // judged before it, in a process of its own
};
std::span<const Specimen> all_specimens();
std::span<const Specimen> python_specimens();  // those of them that are in Python
bool can_be_tried(const Specimen& specimen, const core::DeviceInfo& info);

// A row of docs/trust.md, and why there is no specimen of it on a kind of device; "" where there is one.
struct Row {
  std::string_view number, title, not_on_cpu, not_on_gpu;
};
std::span<const Row> all_rows();

// A guard that cannot be shown on a kind of device, and why; "" where it can be.
struct Unshown {
  std::string_view guard, on_cpu, on_gpu;
};
std::span<const Unshown> unshown_guards();

}  // namespace hone::judge
