#pragma once
// A task's C++ reference as a process: inputs go in, expected values come out. The reference is somebody's code, so it
// is compiled and run in sandboxes of its own, and never in the process that judges. Used from one thread.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/task.h"
#include "runner/sandbox.h"

namespace hone::runner {

struct ReferenceTensor {
  std::string name;
  core::DType dtype = core::DType::f32;
  std::int64_t elements = 0;
};

class Oracle {
 public:
  explicit Oracle(const core::Task& task);

  // `real` is f64 for the truth and f32 for what an honest kernel computes. `fill` writes input i's bytes, `take` reads
  // output i: 8 bytes an element, double or (integer outputs) int64. Throws Error if the reference does not compile,
  // crashes, or does not end.
  void call(const core::Case& which, core::DType real, const std::vector<ReferenceTensor>& inputs,
            const std::vector<ReferenceTensor>& outputs, const std::function<void(std::size_t, void*)>& fill,
            const std::function<void(std::size_t, const void*)>& take);

 private:
  struct Loaded {
    Sandboxed process;
    bool running = false;
  };
  Loaded& loaded(core::DType real);
  core::Task task_;
  Loaded double_, single_;
};

}  // namespace hone::runner
