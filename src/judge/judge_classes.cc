// Like with like: the classes of precision that an accepted candidate for a KernelBench problem is in. All from one set
// of errors, on the problem's own inputs. What stands here is reported; the verdict stays with the tolerances.
#include <fmt/format.h>

#include <algorithm>

#include "judge/judge_case.h"
#include "judge/room.h"

namespace hone::judge {

using core::Evaluation;

namespace {

constexpr std::size_t draws = 2;

}  // namespace

bool Judge::place_in_classes(CaseRun& run, Evaluation& evaluation) {
  const std::string& name = run.which.name;
  const auto add = [&](const std::string& tag, std::optional<double> value, const std::string& missing = "") {
    evaluation.metrics.push_back({"class." + tag, "1", value, missing, name, {}, {}});
  };
  const auto start = Clock::now();
  auto& own = own_inputs_[name];
  const std::uint64_t each = own_inputs_bytes(task_, run.which), beside = torch_bytes(task_, run.which);
  while (own.size() < draws && each + beside <= bench_->free_bytes())
    own.push_back(draw_own_inputs(task_, run.which, *bench_, truth_, secrets_));
  if (own.empty()) {
    for (const char* which : {"fp32.solved", "tf32.solved", "protocol.solved"})
      add(which, std::nullopt,
          fmt::format("{} MiB for the problem's own inputs and what torch makes of them cannot be had beside the rest",
                      (each + beside) >> 20));
    return true;
  }
  ErrorPair worst, fp32, tf32;
  bool in_fp32 = true, in_tf32 = true;
  std::int64_t refused = 0;
  for (const auto& one : own) {
    const auto called = run.caller.call(run.bound, one.entry, {true, false, -1, options_.call_seconds});
    run.caller.forget(one.entry);
    if (!called) return convict(evaluation, called.error().outcome, called.error().evidence), false;
    const ErrorPair error{called->error_max, called->error_rms};
    in_fp32 = in_fp32 && no_worse(error, one.fp32);
    in_tf32 = in_tf32 && (no_worse(error, one.tf32) || no_worse(error, one.fp32));
    for (auto [to, from] : {std::pair{&worst, &error}, std::pair{&fp32, &one.fp32}, std::pair{&tf32, &one.tf32}}) {
      to->max = std::max(to->max, from->max);
      to->rms = std::max(to->rms, from->rms);
    }
    for (std::size_t i = 0; i < task_.outputs.size(); ++i)
      refused += bench_->not_close(run.working.all()[task_.inputs.size() + i].data, task_.outputs[i].dtype,
                                   one.eager->all()[i].data, official_tolerance);
  }
  add("fp32.solved", in_fp32 ? 1 : 0);
  add("tf32.solved", in_tf32 ? 1 : 0);
  add("protocol.solved", refused == 0 ? 1 : 0);
  add("error.max", worst.max);
  add("error.rms", worst.rms);
  add("fp32.eager.max", fp32.max);
  add("fp32.eager.rms", fp32.rms);
  add("tf32.eager.max", tf32.max);
  add("tf32.eager.rms", tf32.rms);
  add("protocol.refused", static_cast<double>(refused));
  for (const auto& sentence : task_.weak)
    label(evaluation, "weak", 27, name,
          fmt::format("KernelBench's own check proves little on this problem: {} there", sentence));
  evaluation.metrics.push_back({"seconds.classes", "s", since(start), "", name, {}, {}});
  return true;
}

}  // namespace hone::judge
