#pragma once
// Whether a task is fit to judge by. Answers that nobody computed (zeros, the mean, a shuffled answer, one that ignores
// an input) must all fail its tolerance, an honest one must pass with room, and its outputs must be worth computing.
// Real draws, the real reference, on the device at hand or, without one, with the C++ reference alone. One thread.
#include <functional>
#include <string>
#include <vector>

#include "core/device_info.h"
#include "core/task.h"

namespace hone::judge {

struct AdmissionCheck {
  enum class Verdict { ok, doubtful, failed } verdict = Verdict::ok;  // only `failed` keeps a task out
  int row = 0;                                                        // of the list in docs/trust.md
  std::string name;                                                   // "zeros", "x ignored: drawn anew"
  std::string case_name;                                              // "": the task as a whole
  std::string output;                                                 // "": all of them
  std::string expectation;                                            // "must fail", "must pass", ""
  double figure = 0, bound = 0;
  bool has_figures = false;
  bool one_case_will_do = false;  // on a case that is checked but not timed, it is enough that another case stops it
  bool forgiven = false;          // and another did
  std::string text;               // what it means, in sentences, where it is not ok
};
std::string_view name_of(AdmissionCheck::Verdict verdict);

struct Admission {
  std::vector<AdmissionCheck> checks;
  std::vector<std::string> cases;  // that were examined
  std::vector<std::string> notes;  // what was left out, and why
  bool admitted() const;
};

struct AdmissionOptions {
  bool unsafe = false;
  bool device = true;   // false: the device is only a place for memory; references are C++ and no seed is judged
  double seconds = 90;  // of references; cases that would take longer are left out, and that is said
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// Whether the task has a case for the device.
bool has_case_for(const core::Task& task, const core::DeviceInfo& info);

Admission admit(const core::Task& task, const core::DeviceInfo& info, const AdmissionOptions& options);

}  // namespace hone::judge
