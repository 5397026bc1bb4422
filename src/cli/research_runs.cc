#include "cli/research_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/baseline.h"
#include "core/ceiling_distance.h"
#include "core/json.h"
#include "report/story_markdown.h"
#include "run/run_lock.h"
#include "tables/speedups.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using report::member_label;
using report::Story;
using report::StoryMember;

// Its beginning: designers write pages, which `hone report` has.
std::string experiment_text(const StoryMember& member) {
  constexpr std::size_t longest = 120;
  const std::string& text = member.experiment ? member.experiment->description : member.record.step;
  return printable(cut(text.substr(0, text.find('\n')), longest));
}

std::string members_table(const Story& story, const Screen& screen) {
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
  const StoryMember* seed = story.seed_member();
  for (const StoryMember& member : story.members) {
    const auto* record = member.verdict();
    std::string parents = member.record.basis ? member_label(*member.record.basis) : "-";
    if (member.record.reference) parents += " " + member_label(*member.record.reference);
    const auto gain = report::realised_gain(story, member);
    std::string outcome = record ? paint_outcome(record->evaluation.outcome, screen) : "not judged";
    if (member.refused && member.accepted())
      outcome += ", accepted before";
    else if (member.certified)
      outcome += member.is_certified() ? ", certified" : ", not certified";
    table.add({member_label(member.record.number) + (story.best == member.record.number ? " *" : ""), parents,
               std::to_string(member.record.generation), outcome,
               member.seconds() ? format_seconds(*member.seconds()) : "-",
               member.seconds() && seed != nullptr && seed->seconds()
                   ? fmt::format("{:.3f}", *member.seconds() / *seed->seconds())
                   : "-",
               report::prediction_text(member), gain ? report::format_gain(*gain) : "", experiment_text(member)});
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
  const auto row = [&](const std::string& role, const store::Spending& s, const std::string& model) {
    table.add({role, std::to_string(s.calls), std::to_string(s.answered), std::to_string(s.tokens_in),
               std::to_string(s.tokens_cached), std::to_string(s.tokens_out), report::format_usd(s.usd),
               format_seconds(s.seconds), model});
  };
  for (const auto& role : story.roles)
    row(printable(role.role), role.spending, printable(fmt::format("{}", fmt::join(role.models, ", "))));
  row("all", story.spending, "");
  return table.text(screen);
}

std::string facts(const Story& story) {
  Table table({{""}, {""}, {""}});
  const auto add = [&](const char* name, const std::string& value) { table.add({"", name, value}); };
  add("task", fmt::format("{} ({})", printable(story.run.task_name), store::short_hash(story.run.task)));
  add("device", printable(story.run.device_name));
  if (!story.strategy.empty()) add("strategy", printable(story.strategy));
  add("begun", format_time(story.run.created));
  add("state", fmt::format("{}{}", run::told_state("research", story.run.id, store::name_of(story.run.state)),
                           story.run.note.empty() ? "" : ": " + printable(story.run.note)));
  if (const auto* evaluation = report::best_evaluation(story)) {
    const auto times = report::times_as_fast(story);
    std::string best =
        fmt::format("{}: {}, {}", member_label(*story.best), format_seconds(*evaluation->evaluation.geomean),
                    core::name_of(evaluation->evaluation.key.depth) == "certify" ? "certified" : "as screened");
    if (times && story.seed != story.best)
      best += fmt::format(", {} as fast as {}", format_ratio(*times), member_label(story.seed.value_or(0)));
    if (story.compared && story.seed != story.best)
      best += fmt::format(" (99 %: {} to {})", format_ratio(1 / story.compared->interval.high),
                          format_ratio(1 / story.compared->interval.low));
    add("best", best);
    if (const auto torch = tables::beside_torch(evaluation->evaluation, story.run.task_name, story.run.device,
                                                tables::read_baselines(tables::home_baselines()));
        !torch.empty())
      add("beside torch", torch);
    const StoryMember* first = report::first_accepted(story);
    if (first != nullptr && first->record.number != *story.best && first->record.number != story.seed)
      add("beside the first", fmt::format("{} as fast as {}, the first that was accepted",
                                          format_ratio(*first->seconds() / *evaluation->evaluation.geomean),
                                          member_label(first->record.number)));
    if (const auto ceiling = core::ceiling_distance(evaluation->evaluation))
      add("of the ceiling", fmt::format("{} of {}", format_percent(ceiling->fraction), printable(ceiling->ceiling)));
  }
  if (const auto* refused = story.refused_best())
    add("refused", fmt::format("{}, the best until then: {} (evaluation {})", member_label(refused->record.number),
                               core::name_of(refused->refused->evaluation.outcome), refused->refused->id));
  return table.text();
}

}  // namespace

void print_research_run(const Story& story, bool as_json, std::ostream& out, const Screen& screen) {
  if (as_json) {
    out << core::json_text(story_json(story, nullptr));
    return;
  }
  out << paint("run " + story.run.id, Colour::strong, screen) << "\n" << facts(story);
  if (!story.members.empty()) out << "\n" << members_table(story, screen) << "* the best\n";
  if (story.spending.calls > 0) out << "\n" << spending_table(story, screen);
}

}  // namespace hone::cli
