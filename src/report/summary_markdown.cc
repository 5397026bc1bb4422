#include "report/summary_markdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json.h"
#include "core/ceiling_distance.h"
#include "report/summary_lineage.h"
#include "report/tuning.h"
#include "run/names.h"
#include "run/run_lock.h"
#include "text/compare_text.h"
#include "text/evaluation_text.h"
#include "text/format.h"
#include "text/markdown.h"
#include "text/table.h"

namespace hone::report {
using namespace text;
namespace {

bool best_is_certified(const RunSummary& summary) {
  const auto* evaluation = best_evaluation(summary);
  return evaluation != nullptr && evaluation->evaluation.key.depth == core::Depth::certify;
}

std::string interval_text(const store::ComparisonRecord& record) {
  return fmt::format("99 %: {} to {}", format_ratio(1 / record.interval.high),
                     format_ratio(1 / record.interval.low));
}

std::string headline(const RunSummary& summary) {
  const auto* evaluation = best_evaluation(summary);
  if (evaluation == nullptr)
    return fmt::format("No candidate was accepted ({} were tried).\n", summary.records.size());
  std::string out = fmt::format("**{}**", format_seconds(*evaluation->evaluation.geomean));
  if (const auto times = times_as_fast(summary)) {
    // What the seed takes beside the best: a screening is of another hour, and of another state of
    // the machine.
    const double seed = *times * *evaluation->evaluation.geomean;
    out += fmt::format(" where the seed takes {}, **{} as fast**", format_seconds(seed),
                       format_ratio(*times));
    out += summary.compared ? fmt::format(" ({}, side by side{})", interval_text(*summary.compared),
                                          summary.compared->word == core::Comparison::faster
                                              ? ""
                                              : "; " + comparison_sentence("the seed", "the best",
                                                                           summary.compared->word))
                            : " (by their times as screened; they were not compared side by side)";
  }
  if (const auto ceiling = core::ceiling_distance(evaluation->evaluation))
    out += fmt::format(", {} of this device's measured ceiling ({}, in case {})",
                       format_percent(ceiling->fraction), markdown(ceiling->ceiling),
                       markdown(ceiling->case_name));
  out += best_is_certified(summary)
             ? ". Certified: measured once more in a fresh process, with unseen seeds.\n"
             : ". **Not certified**: this is the time of a screening.\n";
  return out;
}

std::string result(const RunSummary& summary) {
  std::string out = "## Result\n\n" + headline(summary);
  const auto* evaluation = best_evaluation(summary);
  if (const core::Node* node = refused_best(summary)) {
    const auto& refused = *records_of(summary, *node).refused;
    out += fmt::format("\nNode {}, the best until then, was refused: {} (evaluation `{}`).\n",
                       run::node_name(node->number), core::name_of(refused.evaluation.outcome),
                       refused.id);
  }
  if (evaluation == nullptr) return out;
  const core::Node &best = *summary.tree.node(summary.best),
                   *seed = summary.tree.node(summary.seed);
  const auto* before_best = seed != nullptr && records_of(summary, *seed).screened
                                ? &*records_of(summary, *seed).screened
                                : nullptr;
  out += fmt::format(
      "\nThe best is node {} (candidate `{}`, evaluation `{}`); `hone best {} -o FILE` writes "
      "it.\n\n",
      run::node_name(best.number), store::short_hash(best.candidate), evaluation->id,
      summary.run.id);
  std::vector<std::vector<std::string>> rows;
  for (const auto& c : evaluation->evaluation.cases) {
    if (!c.timed) continue;
    std::string before = "-", ceiling = "-";
    if (summary.compared)
      for (const auto& other : summary.compared->cases)
        if (other.name == c.name && other.ratio > 0)
          before = format_seconds(c.median / other.ratio);
    if (!summary.compared && before_best != nullptr)
      for (const auto& other : before_best->evaluation.cases)
        if (other.timed && other.name == c.name) before = format_seconds(other.median);
    if (c.ceiling_fraction)
      ceiling = fmt::format("{} of {}", format_percent(*c.ceiling_fraction), markdown(c.ceiling));
    rows.push_back(
        {markdown(c.name), before, format_seconds(c.median),
         fmt::format("{} to {}", format_seconds(c.interval.low), format_seconds(c.interval.high)),
         ceiling});
  }
  out += markdown_table({"case", summary.compared ? "seed (side by side)" : "seed (screened)",
                         "best", "95 % interval", "of the ceiling"},
                        rows);
  if (summary.tree.conclusion && !summary.tree.conclusion->text.empty())
    out +=
        fmt::format("\nThe run's own conclusion: {}.\n", markdown(summary.tree.conclusion->text));
  return out;
}

std::string asked(const RunSummary& summary) {
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const char* name, const std::string& value) {
    if (!value.empty()) rows.push_back({name, value});
  };
  row("run", fmt::format("`{}`, begun {}", summary.run.id, base::json_time(summary.run.created)));
  row("task", fmt::format("{} (`{}`)", markdown(summary.run.task_name),
                          store::short_hash(summary.run.task)));
  row("device",
      fmt::format("{} ({})", markdown(summary.run.device_name), markdown(summary.run.device)));
  if (const auto* evaluation = best_evaluation(summary)) {
    row("driver", markdown(evaluation->evaluation.key.driver));
    row("compiler", markdown(evaluation->evaluation.key.compiler));
  }
  row("strategy", markdown(summary.settings.strategy));
  for (const auto& [role, model] : summary.settings.models)
    row("model", role.empty() ? markdown(model)
                              : fmt::format("{} for the {}", markdown(model), markdown(role)));
  const run::Budget& budget = summary.settings.budget;
  const auto cap = [&](double amount, const char* name) {
    if (amount > 0) row("at most", fmt::format("{} {}", format_number(amount), name));
  };
  cap(static_cast<double>(budget.calls), "calls");
  cap(budget.candidates, "candidates");
  cap(budget.minutes, "minutes");
  if (budget.usd > 0) row("at most", format_usd(budget.usd));
  row("executor", markdown(summary.settings.executor));
  row("evaluator", markdown(summary.settings.evaluator));
  row("feedback", markdown(summary.settings.feedback));
  row("state", markdown(run::state_text(
                   run::told_state("research", summary.run.id, store::name_of(summary.run.state)),
                   summary.run.note)));
  return "## What was asked\n\n" + markdown_table({"", ""}, rows);
}

std::string failed(const RunSummary& summary) {
  const auto groups = failures(summary);
  const auto misses = missed(summary);
  if (groups.empty() && misses.empty())
    return "## What failed\n\nNothing: every candidate was accepted.\n";
  std::size_t count = 0;
  for (const auto& group : groups) count += group.nodes.size();
  std::string out =
      fmt::format("## What failed and why\n\n{} of {} candidates were not accepted.\n\n", count,
                  summary.records.size());
  constexpr std::size_t longest = 400,
                        most_steps = 12;  // of an example, and of a list: the archive has the rest
  for (const auto& group : groups) {
    out += fmt::format("- **{}**{}, {}: {}. {}\n", markdown(group.outcome),
                       group.reason.empty() ? "" : fmt::format(" ({})", markdown(group.reason)),
                       group.nodes.size(), node_names(group.nodes),
                       cut(markdown(group.example), longest));
  }
  if (!misses.empty())
    out += fmt::format("{}Of these questions no candidate came:\n\n", groups.empty() ? "" : "\n");
  for (const auto& group : misses) {
    const auto shown = std::min(group.steps.size(), most_steps);
    out +=
        fmt::format("- **{}**, {}: {}{}. {}\n", markdown(group.what), group.steps.size(),
                    markdown(fmt::format(
                        "{}", fmt::join(group.steps.begin(), group.steps.begin() + shown, ", "))),
                    shown < group.steps.size() ? ", …" : "", cut(markdown(group.example), longest));
  }
  return out;
}

std::string learned(const RunSummary& summary) {
  std::string out;
  for (const auto& finding : summary.findings)
    out += fmt::format("- {} (`{}`, {})\n", markdown(finding.text), finding.id,
                       markdown(finding.source));
  if (out.empty())
    for (const auto* lesson : lessons(summary))
      for (const auto& text : lesson->findings) out += fmt::format("- {}\n", markdown(text));
  out = out.empty() ? "Nothing was written down.\n" : out;
  std::string doubts;
  for (const auto* lesson : lessons(summary))
    for (const auto& text : lesson->disagreements) doubts += fmt::format("- {}\n", markdown(text));
  if (!doubts.empty())
    out += "\nWhere a writer's report does not fit what it changed:\n\n" + doubts;
  return "## What was learned\n\n" + out;
}

std::string cost(const RunSummary& summary) {
  std::vector<std::vector<std::string>> rows;
  bool estimated = false;
  const auto row = [&](const std::string& name, const std::string& models, const store::Spending& s,
                       const std::string& prompts) {
    rows.push_back({name, models, fmt::format("{} ({})", s.calls, s.answered),
                    std::to_string(s.tokens_in), std::to_string(s.tokens_cached),
                    std::to_string(s.tokens_out), prompts, format_usd(s.usd),
                    format_seconds(s.seconds)});
  };
  for (const auto& role : summary.roles) {
    std::string prompts = "-";
    if (auto sizes = role.prompt_tokens; !sizes.empty()) {
      std::sort(sizes.begin(), sizes.end());
      prompts = fmt::format("{} / {}", sizes[sizes.size() / 2], sizes.back());
    }
    estimated = estimated || role.estimated;
    row(markdown(role.role), markdown(fmt::format("{}", fmt::join(role.models, ", "))),
        role.spending, prompts);
  }
  row("**all**", "", summary.spending, "");
  double kernels = 0, judging = 0;
  for (const auto& [number, records] : summary.records)
    for (const auto* record : {&records.screened, &records.certified})
      if (*record) {
        kernels += (*record)->evaluation.seconds_kernels;
        judging += (*record)->evaluation.seconds_total;
      }
  std::string out =
      "## Cost\n\n" +
      markdown_table({"role", "model", "calls (answered)", "tokens in", "of them cached",
                      "tokens out", "prompt, median / largest", "dollars", "seconds"},
                     rows);
  out += fmt::format("\nJudging took {}, of which kernels ran for {}.\n", format_seconds(judging),
                     format_seconds(kernels));
  std::int64_t lost = summary.spending.calls - summary.spending.answered;
  for (const auto& role : summary.roles)
    for (const auto& [kind, count] : role.faults) lost -= count;
  if (lost > 0)
    out +=
        "A call that was in flight when the run was killed counts with the most it could have "
        "cost.\n";
  if (estimated)
    out +=
        "Where a provider does not count tokens, a prompt's size is a quarter of its characters.\n";
  std::string faults;
  for (const auto& role : summary.roles)
    for (const auto& [kind, count] : role.faults)
      faults += fmt::format("{}{} of the {}: {}", faults.empty() ? "" : ", ", markdown(kind),
                            markdown(role.role), count);
  if (!faults.empty()) out += "Calls that failed: " + faults + ".\n";
  return out;
}

std::string control(const RunSummary& summary, const RunSummary& beside) {
  std::vector<std::vector<std::string>> rows;
  for (const RunSummary* each : {&summary, &beside}) {
    const auto* evaluation = best_evaluation(*each);
    const auto times = times_as_fast(*each);
    const auto nodes = written(*each);
    const auto accepted = std::count_if(
        nodes.begin(), nodes.end(), [&](const core::Node* node) { return passes(*each, *node); });
    rows.push_back({fmt::format("{} (`{}`)", markdown(each->settings.strategy), each->run.id),
                    std::to_string(nodes.size()), std::to_string(accepted),
                    evaluation != nullptr ? format_seconds(*evaluation->evaluation.geomean) : "-",
                    times ? format_ratio(*times) : "-", best_is_certified(*each) ? "yes" : "no",
                    std::to_string(each->spending.calls), format_usd(each->spending.usd)});
  }
  std::string out = "## Beside the control arm\n\n" +
                    markdown_table({"run", "candidates", "accepted", "best",
                                    "times as fast as its seed", "certified", "calls", "dollars"},
                                   rows);
  const auto *mine = best_evaluation(summary), *other = best_evaluation(beside);
  if (mine != nullptr && other != nullptr)
    out += fmt::format(
        "\nThis run's best takes {} of the time of the control's best ({} as fast), by their own "
        "times{}: `hone compare` of the two says it with an interval.\n",
        format_percent(*mine->evaluation.geomean / *other->evaluation.geomean),
        format_ratio(*other->evaluation.geomean / *mine->evaluation.geomean),
        best_is_certified(summary) && best_is_certified(beside) ? ", both certified" : "");
  if (summary.run.task != beside.run.task || summary.run.device != beside.run.device)
    out += "\n**The two runs are not of the same task and device: their times do not compare.**\n";
  return out;
}

std::string candidates(const RunSummary& summary) {
  std::vector<std::vector<std::string>> rows;
  for (const core::Node* node : written(summary)) {
    const auto* record = verdict_on(summary, *node);
    const auto* experiment = experiment_of(summary, *node);
    std::string parents = node->basis != 0 ? run::node_name(node->basis) : "";
    if (node->reference != 0) parents += " + " + run::node_name(node->reference);
    const auto seconds = seconds_of(summary, *node);
    rows.push_back(
        {run::node_name(node->number), parents, std::to_string(node->place.generation),
         markdown(experiment != nullptr ? experiment->description
                                        : run::name_of_place(node->place)),
         record != nullptr ? std::string(core::name_of(record->evaluation.outcome)) : "not judged",
         seconds ? format_seconds(*seconds) : "-"});
  }
  return "## All candidates\n\n" +
         markdown_table({"node", "from", "generation", "experiment", "outcome", "time"}, rows);
}

}  // namespace

std::string summary_markdown(const RunSummary& summary, const RunSummary* beside,
                             const std::string& chart) {
  std::string out = fmt::format("# {} on {}\n\n", markdown(summary.run.task_name),
                                markdown(summary.run.device_name));
  out += result(summary) + "\n";
  if (!chart.empty()) out += fmt::format("![Best over time]({})\n\n", chart);
  out += asked(summary) + "\n";
  if (beside != nullptr) out += control(summary, *beside) + "\n";
  for (const auto& section :
       {lineage_markdown(summary), tuning_markdown(summary), predictions_markdown(summary),
        advice_markdown(summary), failed(summary), learned(summary), cost(summary)})
    if (!section.empty()) out += section + "\n";
  return out + candidates(summary);
}

std::string format_usd(double usd) {
  return usd != 0 && usd < 1 ? fmt::format("${:.4f}", usd) : fmt::format("${:.2f}", usd);
}

std::string format_gain(double percent) {
  return percent >= 0 ? fmt::format("saves {:.1f} %", percent)
                      : fmt::format("costs {:.1f} %", -percent);
}

std::string prediction_text(const RunSummary& summary, const core::Node& node) {
  const auto* experiment = experiment_of(summary, node);
  if (experiment == nullptr) return "";
  return fmt::format("{:.3g} to {:.3g} %", experiment->gain_low, experiment->gain_high);
}

}  // namespace hone::report
