#pragma once
// Where expected values come from: the task's C++ reference, its trusted device kernel, or its torch module (on the
// judge's own blocks, in the device's memory), each in a process of its own. Also the error an honest single-precision
// kernel makes, measured by running the same reference in single precision.
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/device_info.h"
#include "core/plan.h"
#include "judge/buffers.h"
#include "runner/oracle.h"
#include "runner/runner.h"

namespace hone::judge {

// Of the scaled errors of one output.
struct ErrorPair {
  double max = 0, rms = 0;
};

class Truth {
 public:
  Truth(const core::Task& task, const core::DeviceInfo& info, device::Workbench& bench, bool unsafe);
  ~Truth();

  // Fills `expected` (one per output, 8 bytes an element) from `inputs` (one per input). Throws Error where the
  // reference fails.
  void compute(const core::Case& which, core::DType real, const std::vector<Guarded>& inputs,
               const std::vector<Guarded>& expected);
  // The rms error that the reference makes in single precision, rounded to each output's type, against `expected`; 0
  // where that means nothing (f64 and integer outputs, or a single-precision result that is not finite).
  std::vector<double> honest_errors(const core::Case& which, const std::vector<Guarded>& inputs,
                                    const std::vector<core::ResolvedBuffer>& outputs,
                                    const std::vector<Guarded>& expected);
  // Compares the device reference with the C++ one on inputs of a case that the C++ can do. Once per process; throws
  // Error if they disagree.
  void check_device_reference();
  // Lets the problem itself draw these inputs, under the seed; those that take the variant, as it has them.
  void draw(const core::Case& which, std::uint64_t seed, const std::vector<std::size_t>& wanted,
            const std::vector<Guarded>& inputs, core::Variant variant = core::Variant::plain);
  // Why the problem's own check refuses these outputs; nothing where it does not.
  std::optional<std::string> official_refusal(const core::Case& which, const std::vector<Guarded>& inputs,
                                              const std::vector<Guarded>& outputs);
  // What the task's torch module makes of the inputs in this precision ("f64", "f32", "tf32", or "default": as torch is
  // set when nobody says anything), in whatever types `outputs` have. Only for tasks with a reference.py.
  void by_torch(const core::Case& which, const std::string& precision, const std::vector<Guarded>& inputs,
                const std::vector<Guarded>& outputs);
  // The errors that come of it, by output, against `expected`; zeros where a result is not finite. On a CPU "tf32" is
  // single precision whose products are of operands rounded to TF32.
  std::vector<ErrorPair> torch_errors(const core::Case& which, const std::string& precision,
                                      const std::vector<Guarded>& inputs,
                                      const std::vector<core::ResolvedBuffer>& outputs,
                                      const std::vector<Guarded>& expected);
  // Starts what computes the truth, if that takes long: before the device is taken, so that nobody waits for it.
  void get_ready();
  double seconds() const { return seconds_; }
  // A worker that was started and loaded with this task before (see truth_torch.h), instead of one of its own.
  void use(std::unique_ptr<runner::Runner> torch) { torch_ = std::move(torch); }

 private:
  struct DeviceReference;
  bool by_kernel(const core::Case& which) const;  // wanted by the case, and there is one for this device
  void by_cpp(const core::Case& which, core::DType real, const std::vector<Guarded>& inputs,
              const std::vector<Guarded>& expected);
  // `outputs` are as the reference writes them: f64 or f32 by `real`, i64 for integers.
  void by_device(const core::Case& which, core::DType real, const std::vector<Guarded>& inputs,
                 const std::vector<Guarded>& outputs);
  DeviceReference& device_reference(core::DType real);
  runner::Runner& torch_worker();
  // `call` as resources/python/answers.py has it. Comes back with what a check of results said against them.
  std::optional<std::string> ask_torch(const core::Case& which, const std::string& call,
                                       const std::vector<Guarded>& inputs, const std::vector<Guarded>& outputs);
  void widen_and_round(const Guarded& floats, const Guarded& to);

  const core::Task& task_;
  const core::DeviceInfo& info_;
  device::Workbench& bench_;
  bool unsafe_, device_checked_ = false;
  runner::Oracle oracle_;
  std::unique_ptr<DeviceReference> double_, single_;
  std::unique_ptr<runner::Runner> torch_;
  double seconds_ = 0;
};

// What an honest single-precision kernel is off by in this output, where torch is off by `rms`: never under half a unit
// in the last place, since a few elements may come out exact by luck. 0 where that means nothing.
double honest_rms(const core::Output& output, double rms);
// Outputs as the reference writes them: f64, or i64 for integer outputs.
std::vector<core::ResolvedBuffer> expected_shapes(const std::vector<core::ResolvedBuffer>& outputs);

}  // namespace hone::judge
