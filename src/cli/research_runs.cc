#include "cli/research_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ceiling_distance.h"
#include "report/summary_markdown.h"
#include "run/names.h"
#include "run/run_lock.h"
#include "tables/speedups.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using report::RunSummary;

// The first line: designers write pages, which `hone report` has.
std::string experiment_text(const RunSummary& summary, const core::Node& node) {
  constexpr std::size_t longest = 120;
  const auto* experiment = report::experiment_of(summary, node);
  const std::string text =
      experiment != nullptr ? experiment->description : run::name_of_place(node.place);
  return printable(cut(text.substr(0, text.find('\n')), longest));
}

std::string outcome_text(const RunSummary& summary, const core::Node& node, const Screen& screen) {
  const auto* record = report::verdict_on(summary, node);
  if (record == nullptr) return "not judged";
  std::string outcome = paint_outcome(record->evaluation.outcome, screen);
  const auto& records = report::records_of(summary, node);
  if (records.refused && node.verdict && node.verdict->accepted())
    return outcome + ", accepted before";
  if (records.certified)
    outcome += report::is_certified(summary, node) ? ", certified" : ", not certified";
  return outcome;
}

std::string candidates_table(const RunSummary& summary, const Screen& screen) {
  constexpr auto left = Column::Align::left, right = Column::Align::right;
  Table table({{"number"},
               {"parents", left, 3},
               {"generation", right, 5},
               {"outcome"},
               {"time", right},
               {"of the seed's", right},
               {"predicted", left, 4},
               {"realised", left, 2},
               {"experiment", left, 1}});
  const core::Node* seed = summary.tree.node(summary.seed);
  const auto seed_seconds = seed == nullptr ? std::nullopt : report::seconds_of(summary, *seed);
  for (const core::Node* node : report::written(summary)) {
    std::string parents = node->basis != 0 ? run::node_name(node->basis) : "-";
    if (node->reference != 0) parents += " " + run::node_name(node->reference);
    const auto gain = report::gain_of(summary, *node), seconds = report::seconds_of(summary, *node);
    table.add({run::node_name(node->number) + (summary.best == node->number ? " *" : ""), parents,
               std::to_string(node->place.generation), outcome_text(summary, *node, screen),
               seconds ? format_seconds(*seconds) : "-",
               seconds && seed_seconds ? fmt::format("{:.3f}", *seconds / *seed_seconds) : "-",
               report::prediction_text(summary, *node), gain ? report::format_gain(*gain) : "",
               experiment_text(summary, *node)});
  }
  return table.text(screen);
}

std::string spending_table(const RunSummary& summary, const Screen& screen) {
  constexpr auto right = Column::Align::right;
  Table table({{"role"},
               {"calls", right},
               {"answered", right},
               {"tokens in", right},
               {"cached", right},
               {"out", right},
               {"dollars", right},
               {"time", right},
               {"model"}});
  const auto row = [&](const std::string& role, const store::Spending& s,
                       const std::string& model) {
    table.add({role, std::to_string(s.calls), std::to_string(s.answered),
               std::to_string(s.tokens_in), std::to_string(s.tokens_cached),
               std::to_string(s.tokens_out), report::format_usd(s.usd), format_seconds(s.seconds),
               model});
  };
  for (const auto& role : summary.roles)
    row(printable(role.role), role.spending,
        printable(fmt::format("{}", fmt::join(role.models, ", "))));
  row("all", summary.spending, "");
  return table.text(screen);
}

std::string facts(const RunSummary& summary) {
  Table table({{""}, {""}, {""}});
  const auto add = [&](const char* name, const std::string& value) {
    table.add({"", name, value});
  };
  add("task", fmt::format("{} ({})", printable(summary.run.task_name),
                          store::short_hash(summary.run.task)));
  add("device", printable(summary.run.device_name));
  if (!summary.settings.strategy.empty()) add("strategy", printable(summary.settings.strategy));
  add("begun", format_time(summary.run.created));
  add("state",
      fmt::format("{}{}",
                  run::told_state("research", summary.run.id, store::name_of(summary.run.state)),
                  summary.run.note.empty() ? "" : ": " + printable(summary.run.note)));
  if (const auto* evaluation = report::best_evaluation(summary)) {
    const auto times = report::times_as_fast(summary);
    std::string best = fmt::format(
        "{}: {}, {}", run::node_name(summary.best), format_seconds(*evaluation->evaluation.geomean),
        core::name_of(evaluation->evaluation.key.depth) == "certify" ? "certified" : "as screened");
    if (times && summary.seed != summary.best)
      best += fmt::format(", {} as fast as {}", format_ratio(*times), run::node_name(summary.seed));
    if (summary.compared && summary.seed != summary.best)
      best += fmt::format(" (99 %: {} to {})", format_ratio(1 / summary.compared->interval.high),
                          format_ratio(1 / summary.compared->interval.low));
    add("best", best);
    if (const auto torch =
            tables::beside_torch(evaluation->evaluation, summary.run.task_name, summary.run.device,
                                 tables::read_baselines(tables::home_baselines()));
        !torch.empty())
      add("beside torch", torch);
    const core::Node* first = report::first_accepted(summary);
    if (first != nullptr && first->number != summary.best && first->number != summary.seed)
      add("beside the first", fmt::format("{} as fast as {}, the first that was accepted",
                                          format_ratio(*report::seconds_of(summary, *first) /
                                                       *evaluation->evaluation.geomean),
                                          run::node_name(first->number)));
    if (const auto ceiling = core::ceiling_distance(evaluation->evaluation))
      add("of the ceiling",
          fmt::format("{} of {}", format_percent(ceiling->fraction), printable(ceiling->ceiling)));
  }
  if (const auto* node = report::refused_best(summary)) {
    const auto& refused = *report::records_of(summary, *node).refused;
    add("refused",
        fmt::format("{}, the best until then: {} (evaluation {})", run::node_name(node->number),
                    core::name_of(refused.evaluation.outcome), refused.id));
  }
  return table.text();
}

}  // namespace

std::string research_run_text(const RunSummary& summary, const Screen& screen) {
  std::string out = paint("run " + summary.run.id, Colour::strong, screen) + "\n" + facts(summary);
  if (!summary.records.empty()) out += "\n" + candidates_table(summary, screen) + "* the best\n";
  if (summary.spending.calls > 0) out += "\n" + spending_table(summary, screen);
  return out;
}

}  // namespace hone::cli
