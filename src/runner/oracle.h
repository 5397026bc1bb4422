#pragma once
// A task's reference as a process: inputs go in, expected values come out. The reference (C++, or a
// torch module in Python) is foreign code, so that it is compiled and run in sandboxes of its own,
// never in the process that judges. An Oracle owns its processes and is used from one thread.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/task.h"
#include "runner/messages.h"
#include "runner/reference_limit.h"
#include "runner/sandbox.h"

namespace hone::runner {

struct ReferenceTensor {
  std::string name;
  core::DType dtype = core::DType::f32;
  std::int64_t elements = 0;
};

// What the torch module of a task takes and returns, and how its tensors are distributed: the
// answer of resources/python/oracle.py to "describe", as JSON. Throws Error, with the reason, where
// the module cannot be judged or gives no answer within the seconds.
constexpr double describe_seconds = 600;
// `say` is told now and then how far it is.
std::string describe_python(const core::Task& task, const struct Python& python,
                            double seconds = describe_seconds,
                            const std::function<void(const std::string&)>& say = {});

// The same of a function that is to become a task's reference: the answer of
// resources/python/function_describe.py to the question, a JSON object that is described there.
// `what` names the file in messages.
struct FunctionQuestion {
  std::string source, file;                // the reference, and its name in messages
  std::string function, example;           // "": found
  std::string kernel, kernel_file, entry;  // a kernel in Python; kernel_file "": there is none
};
std::string describe_function(const FunctionQuestion& question, const std::string& what,
                              const struct Python& python, double seconds,
                              const std::function<void(const std::string&)>& say = {});

std::vector<ScalarValue> scalars_of(const core::Task& task, const core::Case& which);

class Oracle {
 public:
  explicit Oracle(const core::Task& task);

  ReferenceLimit& limit() { return limit_; }
  const ReferenceLimit& limit() const { return limit_; }

  // `real` is f64 for expected values and f32 for the values that an honest kernel computes. `fill`
  // writes input i's bytes, `take` reads output i: 8 bytes an element, double or (integer outputs)
  // int64. Throws Error if the reference does not compile, crashes, or does not finish.
  void call(const core::Case& which, core::DType real, const std::vector<ReferenceTensor>& inputs,
            const std::vector<ReferenceTensor>& outputs,
            const std::function<void(std::size_t, void*)>& fill,
            const std::function<void(std::size_t, const void*)>& take);

  // Lets a torch module draw these inputs (arguments and weights) itself, under the seed; `take`
  // reads input i. Throws Error for other references, which draw nothing.
  void draw(const core::Case& which, std::uint64_t seed, const std::vector<ReferenceTensor>& inputs,
            const std::function<void(std::size_t, const void*)>& take);

 private:
  struct Loaded {
    Sandboxed process;
    bool running = false;
  };
  Loaded& loaded(core::DType real);
  AnswerHead answer(Loaded& worker, const std::string& what);
  Sandboxed& python();
  void ask_python(const std::string& order, const std::string& what, int arena);
  core::Task task_;
  ReferenceLimit limit_;
  Loaded double_, single_, python_;
};

}  // namespace hone::runner
