#pragma once
// Computes expected values with the task's reference: its C++ code, its trusted device kernel
// (truth_device.h) or its torch module (torch/truth_torch.h), each in a process of its own. Also
// measures the error that an honest single-precision kernel makes, by running the same reference in
// single precision. Owned by the judge, used on its thread.
#include <memory>
#include <optional>
#include <vector>

#include "core/device_info.h"
#include "core/plan.h"
#include "judge/buffers.h"
#include "judge/since.h"
#include "judge/truth_device.h"
#include "runner/oracle.h"
#include "runner/runner.h"

namespace hone::judge {

// The largest and the rms of the scaled errors of one output.
struct ErrorPair {
  double max = 0, rms = 0;
};

struct ReferenceBuffers;
using InputSets =
    std::vector<const std::vector<Guarded>*>;  // each: one buffer for each input of the task

class Truth {
 public:
  Truth(const core::Task& task, const core::DeviceInfo& info, device::TensorOps& ops, bool unsafe);

  // Fills `expected` (one buffer per output, 8 bytes an element) from `inputs` (one per input),
  // computing in `real` (f64 or f32). With f32 a device kernel writes floats of 4 bytes instead.
  // Throws Error where the reference fails.
  void compute(const core::Case& which, core::DType real, const std::vector<Guarded>& inputs,
               const std::vector<Guarded>& expected);
  // The rms error of the reference in single precision, rounded to each output's type, against
  // `expected`; 0 where that has no meaning (f64 and integer outputs, or a single-precision result
  // that is not finite).
  std::vector<double> honest_errors(const core::Case& which, const std::vector<Guarded>& inputs,
                                    const std::vector<core::ResolvedBuffer>& outputs,
                                    const std::vector<Guarded>& expected);
  // Compares the device reference with the C++ reference on the small cases that have the latter.
  // Does so once; throws Error if they disagree or if there is no such case.
  void check_device_reference();
  // Lets the problem itself draw the inputs with these indices, in each set under its seed. Those
  // that take the variant are drawn with it, the others plain. Several sets at once take less time
  // than one after the other.
  void draw(const core::Case& which, const std::vector<std::uint64_t>& seeds,
            const std::vector<std::size_t>& wanted, const InputSets& sets,
            core::Variant variant = core::Variant::plain);
  // Why the problem's own check refuses these outputs; nothing if it accepts them.
  std::optional<std::string> official_refusal(const core::Case& which,
                                              const std::vector<Guarded>& inputs,
                                              const std::vector<Guarded>& outputs);
  // Runs the task's torch module in this precision ("f64", "f32", "tf32", or "default": torch's
  // default settings) and converts the results to the types of `outputs`. Only for tasks with a
  // reference.py.
  void by_torch(const core::Case& which, const std::string& precision,
                const std::vector<Guarded>& inputs, const std::vector<Guarded>& outputs);
  // The errors of such a run against `expected`, by output; zeros where a result is not finite. On
  // a CPU, "tf32" is single precision with the operands of products rounded to TF32.
  std::vector<ErrorPair> torch_errors(const core::Case& which, const std::string& precision,
                                      const std::vector<Guarded>& inputs,
                                      const std::vector<core::ResolvedBuffer>& outputs,
                                      const std::vector<Guarded>& expected);
  // Starts the torch worker, if the task needs one. Call it before taking the device's lease: it
  // takes seconds.
  void get_ready();
  // How long calls of references may take; a deadline for all of them can be set.
  runner::ReferenceLimit& limit() { return oracle_.limit(); }
  const runner::ReferenceLimit& limit() const { return oracle_.limit(); }
  // The time that references have taken so far.
  double seconds() const { return seconds_; }
  // Uses a worker that was started and loaded with this task before (see torch/truth_torch.h).
  void use(std::unique_ptr<runner::Runner> torch) { torch_ = std::move(torch); }

 private:
  struct AddElapsed {  // adds its lifetime to a sum
    double& sum;
    Clock::time_point start = Clock::now();
    ~AddElapsed() { sum += since(start); }
  };
  // The reference that the case wants. Device kernel and torch write the type `real`, C++ writes
  // f64; integers are i64.
  void run(const core::Case& which, core::DType real, const std::vector<Guarded>& inputs,
           const std::vector<Guarded>& outputs);
  void by_cpp(const core::Case& which, core::DType real, const std::vector<Guarded>& inputs,
              const std::vector<Guarded>& expected);
  void by_device(const core::Case& which, core::DType real, const std::vector<Guarded>& inputs,
                 const std::vector<Guarded>& outputs);
  runner::Runner& torch_worker();
  // Returns the objection of a check of results, or nothing; see call_reference.
  std::optional<std::string> ask_torch(const core::Case& which, const std::string& call,
                                       const std::vector<ReferenceBuffers>& sets);

  const core::Task& task_;
  const core::DeviceInfo& info_;
  device::TensorOps& ops_;
  bool unsafe_, device_checked_ = false;
  runner::Oracle oracle_;
  std::unique_ptr<DeviceReference> double_,
      single_;  // the device kernel in each precision; null: not built yet
  std::unique_ptr<runner::Runner> torch_;
  double seconds_ = 0;
};

// The rms error of an honest single-precision kernel in this output, given the `rms` error of the
// reference: at least half a unit in the last place, because the reference may be exact by chance
// where there are few elements. 0 where that has no meaning.
double honest_rms(const core::Output& output, double rms);
// The outputs as the reference writes them: f64, or i64 for integer outputs.
std::vector<core::ResolvedBuffer> expected_shapes(const std::vector<core::ResolvedBuffer>& outputs);

}  // namespace hone::judge
