#include "cli/research_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ceiling_distance.h"
#include "core/json.h"
#include "report/story_markdown.h"
#include "run/names.h"
#include "run/run_lock.h"
#include "tables/speedups.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using report::Story;

// The first line: designers write pages, which `hone report` has.
std::string experiment_text(const Story& story, const core::Node& node) {
  constexpr std::size_t longest = 120;
  const auto* experiment = report::experiment_of(story, node);
  const std::string text =
      experiment != nullptr ? experiment->description : run::name_of_place(node.place);
  return printable(cut(text.substr(0, text.find('\n')), longest));
}

std::string outcome_text(const Story& story, const core::Node& node, const Screen& screen) {
  const auto* record = report::verdict_on(story, node);
  if (record == nullptr) return "not judged";
  std::string outcome = paint_outcome(record->evaluation.outcome, screen);
  const auto& records = report::records_of(story, node);
  if (records.refused && node.verdict && node.verdict->accepted())
    return outcome + ", accepted before";
  if (records.certified)
    outcome += report::is_certified(story, node) ? ", certified" : ", not certified";
  return outcome;
}

std::string candidates_table(const Story& story, const Screen& screen) {
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
  const core::Node* seed = story.tree.node(story.seed);
  const auto seed_seconds = seed == nullptr ? std::nullopt : report::seconds_of(story, *seed);
  for (const core::Node* node : report::written(story)) {
    std::string parents = node->basis != 0 ? run::node_name(node->basis) : "-";
    if (node->reference != 0) parents += " " + run::node_name(node->reference);
    const auto gain = report::gain_of(story, *node), seconds = report::seconds_of(story, *node);
    table.add({run::node_name(node->number) + (story.best == node->number ? " *" : ""), parents,
               std::to_string(node->place.generation), outcome_text(story, *node, screen),
               seconds ? format_seconds(*seconds) : "-",
               seconds && seed_seconds ? fmt::format("{:.3f}", *seconds / *seed_seconds) : "-",
               report::prediction_text(story, *node), gain ? report::format_gain(*gain) : "",
               experiment_text(story, *node)});
  }
  return table.text(screen);
}

std::string spending_table(const Story& story, const Screen& screen) {
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
  for (const auto& role : story.roles)
    row(printable(role.role), role.spending,
        printable(fmt::format("{}", fmt::join(role.models, ", "))));
  row("all", story.spending, "");
  return table.text(screen);
}

std::string facts(const Story& story) {
  Table table({{""}, {""}, {""}});
  const auto add = [&](const char* name, const std::string& value) {
    table.add({"", name, value});
  };
  add("task",
      fmt::format("{} ({})", printable(story.run.task_name), store::short_hash(story.run.task)));
  add("device", printable(story.run.device_name));
  if (!story.settings.strategy.empty()) add("strategy", printable(story.settings.strategy));
  add("begun", format_time(story.run.created));
  add("state",
      fmt::format("{}{}",
                  run::told_state("research", story.run.id, store::name_of(story.run.state)),
                  story.run.note.empty() ? "" : ": " + printable(story.run.note)));
  if (const auto* evaluation = report::best_evaluation(story)) {
    const auto times = report::times_as_fast(story);
    std::string best = fmt::format(
        "{}: {}, {}", run::node_name(story.best), format_seconds(*evaluation->evaluation.geomean),
        core::name_of(evaluation->evaluation.key.depth) == "certify" ? "certified" : "as screened");
    if (times && story.seed != story.best)
      best += fmt::format(", {} as fast as {}", format_ratio(*times), run::node_name(story.seed));
    if (story.compared && story.seed != story.best)
      best += fmt::format(" (99 %: {} to {})", format_ratio(1 / story.compared->interval.high),
                          format_ratio(1 / story.compared->interval.low));
    add("best", best);
    if (const auto torch =
            tables::beside_torch(evaluation->evaluation, story.run.task_name, story.run.device,
                                 tables::read_baselines(tables::home_baselines()));
        !torch.empty())
      add("beside torch", torch);
    const core::Node* first = report::first_accepted(story);
    if (first != nullptr && first->number != story.best && first->number != story.seed)
      add("beside the first", fmt::format("{} as fast as {}, the first that was accepted",
                                          format_ratio(*report::seconds_of(story, *first) /
                                                       *evaluation->evaluation.geomean),
                                          run::node_name(first->number)));
    if (const auto ceiling = core::ceiling_distance(evaluation->evaluation))
      add("of the ceiling",
          fmt::format("{} of {}", format_percent(ceiling->fraction), printable(ceiling->ceiling)));
  }
  if (const auto* node = report::refused_best(story)) {
    const auto& refused = *report::records_of(story, *node).refused;
    add("refused",
        fmt::format("{}, the best until then: {} (evaluation {})", run::node_name(node->number),
                    core::name_of(refused.evaluation.outcome), refused.id));
  }
  return table.text();
}

}  // namespace

std::string research_run_text(const Story& story, const Screen& screen) {
  std::string out = paint("run " + story.run.id, Colour::strong, screen) + "\n" + facts(story);
  if (!story.records.empty()) out += "\n" + candidates_table(story, screen) + "* the best\n";
  if (story.spending.calls > 0) out += "\n" + spending_table(story, screen);
  return out;
}

}  // namespace hone::cli
