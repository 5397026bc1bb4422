#pragma once
// A first draft of a task from the signatures of its kernels: what is input, output, scratch,
// symbol and scalar is guessed; the texts of the files follow from that. What cannot be guessed is
// written as "?".
#include <string>
#include <vector>

#include "core/candidate.h"
#include "core/task.h"
#include "task/kernel_scanner.h"

namespace hone::task {

struct DraftTensor {
  std::string name, declared;
  std::optional<core::DType> dtype;
};

struct Draft {
  std::vector<DraftTensor> inputs, outputs, scratch,
      reals;                         // reals: numbers by value, which become scalars of the task
  std::vector<std::string> symbols;  // integers by value
};

Draft draft_from(const std::vector<Kernel>& kernels);
// The name under which a parameter appears in the task: its own, unless that cannot be a name.
std::string draft_name(const std::string& parameter);

// The kernels with the names that their parameters have in this task: a tensor's own, else that of
// the next tensor that no parameter is named after; numbers that are no symbol and no scalar are
// "?".
std::vector<Kernel> named_for(std::vector<Kernel> kernels, const core::Task& task);
bool is_tensor(const core::Task& task, const std::string& name);

std::string draft_task_toml(const Draft& draft, const std::string& name);
std::string draft_reference(const Draft& draft);
std::string draft_plan(const Draft& draft,
                       const std::vector<Kernel>& kernels);  // the whole comment

}  // namespace hone::task
