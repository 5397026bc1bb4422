#include "judge/probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields.h"
#include "judge/lease.h"
#include "judge/load.h"
#include "task/candidate_loader.h"

namespace hone::judge {

using base::Failure;
using core::Outcome;
using core::ResolvedBuffer;

namespace {

constexpr double prepare_seconds = 30;
constexpr std::size_t longest_label = 80;
constexpr const char* buffer_name = "numbers";

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r*/") - begin + 1);
}

// The task of every probe: no inputs, one output, no reference.
core::Task probe_task() {
  core::Task task;
  task.name = task.hash = "probe";
  core::Output numbers;
  numbers.name = buffer_name;
  numbers.dtype = core::DType::f64;
  numbers.shape = {base::Expr(probe_numbers)};
  task.outputs.push_back(numbers);
  core::Case only;
  only.name = "probe";
  task.cases.push_back(only);
  return task;
}

std::string file_name(core::Language language) {
  return language == core::Language::cuda     ? "probe.cu"
         : language == core::Language::opencl ? "probe.cl"
                                              : "probe.fake";
}

// The numbers that are reported: see ProbeResult.
std::vector<ProbeNumber> labelled(const std::vector<double>& values,
                                  const std::vector<std::string>& labels) {
  std::size_t count = labels.size();
  if (labels.empty())
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != 0) count = i + 1;
  std::vector<ProbeNumber> numbers;
  for (std::size_t i = 0; i < std::min(count, values.size()); ++i)
    numbers.push_back(
        {i < labels.size() ? labels[i] : fmt::format("{}[{}]", buffer_name, i), values[i]});
  return numbers;
}

Failure<ProbeFailure> failed(Outcome outcome, std::string text) {
  return {ProbeFailure{outcome, std::move(text)}};
}
Failure<ProbeFailure> failed(const runner::Fault& fault) {
  return failed(fault.outcome, fault.text);
}

// Zeros in `numbers`, garbage in the scratch buffers, canaries around all of them.
void fill_buffers(Judge& judge, BufferSet& working) {
  const std::vector<double> zeros(probe_numbers, 0.0);
  for (auto& buffer : working.all()) {
    working.set_canaries(buffer, judge.secrets().seed());
    if (buffer.shape.role == ResolvedBuffer::Role::output)
      judge.tensor_ops().write(buffer.data, zeros.data());
    else
      judge.tensor_ops().garbage(buffer.data, judge.secrets().seed());
  }
  judge.tensor_ops().finish();
}

base::Result<ProbeResult, ProbeFailure> call_probe(Judge& judge, Ready& ready,
                                                   const std::string& source) {
  const auto plan = fitted_plan(judge, ready, judge.task().cases.front());
  if (!plan) return failed(Outcome::rejected, plan.error());
  if (BufferSet::footprint(plan->buffers) > judge.tensor_ops().free_bytes())
    return failed(Outcome::rejected, "the probe's scratch does not fit in the memory that is free");
  const Lease lease(judge.info(), judge.options().progress);
  BufferSet working(judge.tensor_ops(), plan->buffers);
  const auto bound = bind(judge, ready, *plan, working);
  if (!bound) return failed(bound.error().outcome, bound.error().text);
  if (const auto prepared =
          ready.runner->prepare({bound->plan, {bound->bindings}}, prepare_seconds);
      !prepared)
    return failed(prepared.error());
  if (const auto problem = ready.runner->freeze()) return failed(*problem);
  fill_buffers(judge, working);
  const auto timed = ready.runner->go(judge.options().call_seconds);
  if (!timed) return failed(timed.error());
  if (const auto broken = working.broken_canary(); !broken.empty())
    return failed(Outcome::wrong, broken);
  std::vector<double> values(probe_numbers);
  for (const auto& buffer : working.all())
    if (buffer.shape.role == ResolvedBuffer::Role::output)
      judge.tensor_ops().read(buffer.data, values.data());
  return ProbeResult{labelled(values, probe_labels(source)), timed->judge_seconds};
}

}  // namespace

std::vector<std::string> probe_labels(const std::string& source) {
  const std::string mark = "// labels:";
  const auto at = source.find(mark);
  std::vector<std::string> labels;
  if (at == std::string::npos) return labels;
  const auto begin = at + mark.size();
  const std::string line = source.substr(begin, source.find('\n', begin) - begin);
  for (std::size_t from = 0; from <= line.size() && labels.size() < probe_numbers;) {
    const auto comma = std::min(line.find(',', from), line.size());
    labels.push_back(trimmed(line.substr(from, comma - from)).substr(0, longest_label));
    if (labels.back().empty())
      labels.back() = fmt::format("{}[{}]", buffer_name, labels.size() - 1);
    from = comma + 1;
  }
  return labels;
}

base::Result<ProbeResult, ProbeFailure> run_probe(const core::DeviceInfo& info,
                                                  const std::string& source,
                                                  const ProbeOptions& options) {
  const std::string name = file_name(info.language);
  auto candidate = task::candidate_from(source, info.language, name);
  if (!candidate) return failed(Outcome::rejected, base::render(candidate.error(), source));
  JudgeOptions judging;
  judging.unsafe = options.unsafe;
  judging.call_seconds = options.call_seconds;
  judging.progress = options.progress;
  Judge judge(probe_task(), info, judging);
  core::Evaluation evaluation;
  auto ready = load(judge, *candidate, {}, evaluation);
  if (ready) return call_probe(judge, *ready, source);
  return failed(ready.error().outcome, ready.error().text);
}

void describe(base::Fields& f, ProbeResult& probe) {
  f.list("numbers", probe.numbers, [&](ProbeNumber& one) { f.row(one.label, one.value); });
  f("seconds", probe.seconds);
}

void describe(base::Fields& f, ProbeFailure& failure) {
  f("outcome", failure.outcome)("text", failure.text);
}

}  // namespace hone::judge
