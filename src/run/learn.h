#pragma once
// Documents digested by a model into findings for a device or a task. Every call is booked in the
// archive like those of a run; killed and started again with the same documents, it asks nothing a
// second time. What was digested for the same purpose by an earlier run is left out.
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/task.h"
#include "run/interrupt.h"
#include "run/settings.h"
#include "store/findings.h"
#include "store/research.h"

namespace hone::run {

struct LearnOptions {
  std::vector<std::filesystem::path> files;
  std::string task_name;  // "": for any
  std::string device;     // architecture; "": for any
  Budget budget;
  bool again = false;  // also what was digested for the same purpose before
};
struct Learned {
  std::string run;  // "": everything was known, and no model was asked
  std::vector<store::Finding> findings;
  std::vector<std::string> problems;  // parts that gave no usable answer, in words
  std::vector<std::string> known;     // parts that were digested before, with the run that did
  store::Spending spending;
};
// `task`: what the findings should serve; nullptr: nothing special.
Learned learn(store::Archive& archive, const LearnOptions& options, const core::Task* task,
              const RoleModel& model, const std::atomic<bool>& cancelled,
              const std::function<void(const std::string&)>& say);

// A document in parts of a size that a model reads well, cut between paragraphs.
std::vector<std::string> parts_of(const std::string& document);

}  // namespace hone::run
