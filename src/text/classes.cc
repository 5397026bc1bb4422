#include "text/classes.h"

#include <fmt/format.h>

#include "base/words.h"
#include "judge/precision/placing.h"
#include "judge/torch/baseline.h"

namespace hone::text {

std::optional<double> metric_value(const core::Evaluation& evaluation, const std::string& tag) {
  for (const auto& metric : evaluation.metrics)
    if (metric.tag == tag) return metric.value;
  return std::nullopt;
}

std::string precision_used(const core::Evaluation& evaluation) {
  const auto yes = [&](const char* name) {
    return metric_value(evaluation, fmt::format("class.{}.solved", name)).value_or(0) > 0;
  };
  std::string text = yes("fp32")   ? "errors as in fp32"
                     : yes("tf32") ? "errors as in TF32"
                                   : "errors beyond eager's";
  // The types behind the tags that begin so and have a value.
  const auto types = [&](const std::string& tag) {
    std::string list;
    for (const auto& metric : evaluation.metrics)
      if (metric.tag.starts_with(tag + ".") && metric.value.value_or(0) > 0)
        list += (list.empty() ? "" : ", ") + metric.tag.substr(tag.size() + 1);
    return list;
  };
  const std::string instructions = "precision.tensor_instructions";
  if (const auto seen = types(instructions); !seen.empty())
    text += "; tensor cores: " + seen;
  else if (metric_value(evaluation, instructions))
    text += "; no tensor cores";
  if (const auto named = types("precision.named_kernels"); !named.empty())
    text += "; kernels named " + named;
  return text;
}

std::vector<std::string> weak_of(const core::Evaluation& evaluation) {
  std::vector<std::string> sentences;
  for (const auto& evidence : evaluation.evidence)
    if (evidence.guard == "weak" && evidence.text.ends_with(judge::own_check))
      sentences.push_back(evidence.text.substr(0, evidence.text.size() - judge::own_check.size()));
  return sentences;
}

namespace {

const core::Metric* metric_of(const core::Evaluation& evaluation, const std::string& tag) {
  for (const auto& metric : evaluation.metrics)
    if (metric.tag == tag) return &metric;
  return nullptr;
}

double value_of(const core::Evaluation& evaluation, const std::string& tag) {
  const auto* metric = metric_of(evaluation, tag);
  return metric != nullptr && metric->value ? *metric->value : 0;
}

// What decides the class, in figures.
std::string figures(const core::Evaluation& evaluation, const std::string& name) {
  if (name == "protocol")
    return base::counted(static_cast<std::int64_t>(value_of(evaluation, "class.protocol.refused")),
                         "element") +
           " off by more than 1e-4 of eager's";
  return fmt::format("error rms {:.1e}, max {:.1e}; eager's {:.1e}, {:.1e}",
                     value_of(evaluation, "class.error.rms"),
                     value_of(evaluation, "class.error.max"),
                     value_of(evaluation, "class." + name + ".eager.rms"),
                     value_of(evaluation, "class." + name + ".eager.max"));
}

}  // namespace

std::string classes_text(const core::Evaluation& evaluation, const Screen& screen) {
  std::string out;
  std::string missing;
  const auto weak = weak_of(evaluation);
  bool placed = false;
  for (const auto& name : judge::class_names) {
    const auto* solved = metric_of(evaluation, "class." + name + ".solved");
    if (solved == nullptr) continue;
    if (!solved->value) {
      out += fmt::format("class {}: {}\n", name, printable(solved->missing));
      continue;
    }
    placed = true;
    const bool yes = *solved->value > 0;
    // Never counted silently: the problem itself lets through what computes nothing.
    const std::string doubt = yes && !weak.empty()
                                  ? fmt::format(" on a weak problem, where {} KernelBench's check",
                                                printable(weak.front()))
                                  : "";
    std::string against;
    if (const auto* speedup = metric_of(evaluation, "class." + name + ".speedup");
        speedup != nullptr) {
      if (speedup->value)
        against = fmt::format(
            "; {} of torch's best there ({}{}, {})", format_ratio(*speedup->value),
            value_of(evaluation, "class." + name + ".compiled") > 0 ? "compiled" : "eager",
            value_of(evaluation, "class." + name + ".in_a_row") > 0 ? ", in batches of calls" : "",
            format_seconds(value_of(evaluation, "class." + name + ".baseline")));
      else
        missing = speedup->missing;
    }
    const auto* ceiling = metric_of(evaluation, "class." + name + ".ceiling");
    if (yes && ceiling != nullptr && ceiling->value)
      against += fmt::format("; {} of the ceiling", format_percent(*ceiling->value));
    out += fmt::format(
        "class {}: {}{} ({}){}\n", name,
        paint(yes ? "solved" : "not solved",
              yes ? doubt.empty() ? Colour::good : Colour::doubtful : Colour::bad, screen),
        doubt, figures(evaluation, name), against);
  }
  if (placed) {
    const auto share = metric_value(evaluation, "share.own_kernels");
    out += fmt::format("precision used: {}; {} of the device's time in kernels of its own\n",
                       precision_used(evaluation),
                       share ? format_percent(*share) : "an unknown share");
  }
  if (!missing.empty()) out += printable(missing) + "\n";
  return out;
}

}  // namespace hone::text
