#pragma once
// Admission of a task: whether its tolerance and its inputs are good enough to judge candidates.
// Wrong answers that need no computation (zeros, the mean, a shuffled answer, one that ignores an
// input) must fail, an honest answer must pass with a margin, and the outputs must not be trivial.
// Uses real draws and the real reference, on the device if there is one, else with the C++
// reference alone. Used from one thread.
#include <functional>
#include <string>
#include <vector>

#include "core/device_info.h"
#include "core/task.h"

namespace hone::judge {

struct AdmissionCheck {
  enum class Verdict {
    ok,
    doubtful,
    failed
  } verdict = Verdict::ok;  // only `failed` refuses the task
  int row = 0;              // in the tables of docs/trust.md; 0: none
  std::string name;         // "zeros", "x ignored: drawn anew"
  std::string case_name;    // "": the task as a whole
  std::string output;       // "": all outputs
  std::string expectation;  // "must fail", "must pass", ""
  double figure = 0, bound = 0;
  bool has_figures = false;
  bool one_case_suffices =
      false;              // a case that is not timed need not detect this, if another case does
  bool forgiven = false;  // this case does not detect it, but another one does
  std::string text;       // if the verdict is not ok: what it means, in sentences
};
std::string_view name_of(AdmissionCheck::Verdict verdict);

struct Admission {
  std::vector<AdmissionCheck> checks;
  std::vector<std::string> cases;  // that were examined
  std::vector<std::string> notes;  // what was left out, and why
  bool admitted() const;
};

struct AdmissionOptions {
  bool unsafe = false;  // see JudgeOptions
  bool device = true;   // false: the device provides memory only; the reference is the C++ one and
                        // no seed is judged
  double seconds = 90;  // for references; cases that would take longer are left out with a note
  double all_seconds = 600;  // for everything, waiting for the device and judging the seed too
  std::function<void(const std::string&)> failed = [](const std::string&) {
  };  // a reference fails: said at once
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// Whether the task has a case for the device.
bool has_case_for(const core::Task& task, const core::DeviceInfo& info);

Admission admit(const core::Task& task, const core::DeviceInfo& info,
                const AdmissionOptions& options);

}  // namespace hone::judge
