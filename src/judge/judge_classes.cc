// Like with like: the classes of precision that a candidate for a torch module is in, by its errors on the
// problem's own inputs. Whoever is in none of them has not solved the problem.
#include <fmt/format.h>

#include <algorithm>

#include "judge/floors.h"
#include "judge/judge_case.h"
#include "judge/room.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;
using core::Outcome;

namespace {

constexpr std::size_t draws = 2;

// The worst over outputs and draws, to be told.
void widen(ErrorPair& worst, const std::vector<ErrorPair>& errors) {
  for (const auto& error : errors) {
    worst.max = std::max(worst.max, error.max);
    worst.rms = std::max(worst.rms, error.rms);
  }
}

std::string pair_text(const ErrorPair& error) { return fmt::format("rms {:.2g} and max {:.2g}", error.rms, error.max); }

}  // namespace

bool Judge::place_in_classes(CaseRun& run, CaseResult& result, Evaluation& evaluation) {
  const std::string& name = run.which.name;
  const auto add = [&](const std::string& tag, std::optional<double> value, const std::string& missing = "") {
    evaluation.metrics.push_back({"class." + tag, "1", value, missing, name, {}, {}});
  };
  const auto start = Clock::now();
  for (const auto& sentence : task_.weak)
    label(evaluation, "weak", 27, name, fmt::format("{} {}{}", sentence, task_.benchmark, proves_little));
  auto& own = own_inputs_[name];
  const std::uint64_t each = own_inputs_bytes(task_, run.which), beside = torch_bytes(task_, run.which);
  const auto draw = [&] {
    while (own.size() < draws && each + beside <= bench_->free_bytes())
      own.push_back(draw_own_inputs(task_, run.which, *bench_, truth_, secrets_));
  };
  draw();
  if (own.empty()) {  // what was drawn for this case has been used, and is drawn anew for the next candidate
    for (const Entry* entry : run.entries) run.caller.forget(*entry);
    run.entries.clear();
    pools_.erase(name);
    draw();
  }
  if (own.empty()) {
    for (const char* which : {"fp32.solved", "tf32.solved", "protocol.solved"})
      add(which, std::nullopt,
          fmt::format("{} MiB for the problem's own inputs and what torch makes of them cannot be had beside the rest",
                      (each + beside) >> 20));
    if (task_.wanted_class.empty()) return true;
    convict(evaluation, Outcome::rejected,
            {"", 0, true, name,
             fmt::format("whether it is in class {} is not known for want of memory", task_.wanted_class)});
    return false;
  }
  ErrorPair worst, fp32, tf32;
  Placing in;
  std::int64_t refused = 0;
  for (const auto& one : own) {
    const auto called = run.caller.call(run.bound, one.entry, {true, false, -1, options_.call_seconds});
    run.caller.forget(one.entry);
    if (!called) return convict(evaluation, called.error().outcome, called.error().evidence), false;
    const Placing now = placed(called->errors, one);
    in = {in.fp32 && now.fp32, in.tf32 && now.tf32};
    widen(worst, called->errors);
    widen(fp32, one.fp32);
    widen(tf32, one.entry.tf32);
    for (std::size_t i = 0; i < task_.outputs.size(); ++i)
      refused += bench_->not_close(run.working.all()[task_.inputs.size() + i].data, task_.outputs[i].dtype,
                                   one.eager->all()[i].data, official_tolerance);
  }
  add("fp32.solved", in.fp32 ? 1 : 0);
  add("tf32.solved", in.tf32 ? 1 : 0);
  add("protocol.solved", refused == 0 ? 1 : 0);
  add("error.max", worst.max);
  add("error.rms", worst.rms);
  add("fp32.eager.max", fp32.max);
  add("fp32.eager.rms", fp32.rms);
  add("tf32.eager.max", tf32.max);
  add("tf32.eager.rms", tf32.rms);
  add("protocol.refused", static_cast<double>(refused));
  note_ceilings(run.which, in.fp32, result, evaluation);
  evaluation.metrics.push_back({"seconds.classes", "s", since(start), "", name, {}, {}});
  const bool in_any = in.fp32 || in.tf32 || refused == 0;
  const bool wanted = task_.wanted_class == "fp32"       ? in.fp32
                      : task_.wanted_class == "tf32"     ? in.tf32
                      : task_.wanted_class == "protocol" ? refused == 0
                                                         : in_any;
  if (wanted || !options_.guards.on(Guard::precision)) return true;
  convict(evaluation, Outcome::wrong,
          {"precision", 26, true, name,
           fmt::format("{}: on the problem's own inputs its errors are {}, eager's {} in single "
                       "precision, {} with TF32, and {} element(s) are further from eager's than {}'s own "
                       "check allows",
                       in_any ? fmt::format("not in class {}, which is asked for here", task_.wanted_class)
                              : "in no class of precision",
                       pair_text(worst), pair_text(fp32), pair_text(tf32), refused, task_.benchmark)});
  return false;
}

// Each class beside what the device reaches in its precision; the case itself beside that of the precision it has.
void Judge::note_ceilings(const core::Case& which, bool as_fp32, CaseResult& result, Evaluation& evaluation) const {
  CaseResult as_tf32 = result;
  apply_work(with_tf32_work(task_), which, info_, options_.ceilings, as_tf32);
  const auto add = [&](const char* name, const CaseResult& one) {
    evaluation.metrics.push_back({fmt::format("class.{}.ceiling", name),
                                  "1",
                                  one.ceiling_fraction,
                                  one.ceiling_fraction ? "" : "the device's ceilings are not known",
                                  which.name,
                                  {},
                                  {}});
  };
  add("fp32", result);
  add("tf32", as_tf32);
  if (!as_fp32) result = as_tf32;
  add("protocol", result);
}

}  // namespace hone::judge
