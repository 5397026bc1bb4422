// What of a story goes into its chart: see cli/story_markdown.h.
#include <fmt/format.h>

#include "report/story_markdown.h"
#include "text/format.h"
#include "text/table.h"

namespace hone::report {
using namespace text;

Chart story_chart(const Story& story, const Story* beside) {
  Chart chart;
  chart.title =
      fmt::format("{} on {}: time of each candidate, and the best so far", story.run.task_name, story.run.device_name);
  chart.time_text = format_seconds;
  if (const StoryMember* seed = story.seed_member()) chart.seed = seed->seconds();
  for (const Story* each : {&story, beside}) {
    if (each == nullptr) continue;
    auto& series = chart.series.emplace_back();
    series.name = fmt::format("{} ({})", each->strategy.empty() ? "run" : each->strategy, each->run.id);
    for (const StoryMember& member : each->members) {
      const auto* record = member.verdict();
      if (record == nullptr) continue;  // never judged
      const std::string outcome(core::name_of(record->evaluation.outcome));
      const std::string what = member.experiment ? member.experiment->description : member.record.step;
      constexpr std::size_t shown = 120;
      series.points.push_back(
          {member.seconds(), outcome,
           fmt::format("{} {}: {}", member_label(member.record.number),
                       member.seconds() ? format_seconds(*member.seconds()) : outcome, cut(printable(what), shown)),
           member.is_certified()});
    }
  }
  return chart;
}

}  // namespace hone::report
