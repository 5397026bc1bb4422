#include "text/evaluation_table.h"

#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::text {

std::string evaluation_table(const std::vector<store::EvaluationLine>& lines,
                             const Screen& screen) {
  constexpr auto left = Column::Align::left, right = Column::Align::right;
  Table table({{"id"},
               {"when"},
               {"task"},
               {"outcome"},
               {"time", right},
               {"candidate", left, 3},
               {"name", left, 1},
               {"depth", left, 2},
               {"device", left, 4},
               {"point", left, 5},
               {"cases", left, 6}});
  for (const store::EvaluationLine& line : lines) {
    std::string cases;
    for (const std::string& name : line.cases)
      cases += (cases.empty() ? "" : " ") + printable(name);
    table.add({line.id, format_time(line.created), printable(line.task_name),
               paint_outcome(line.outcome, screen),
               line.geomean ? format_seconds(*line.geomean) : "-",
               store::short_hash(line.candidate), printable(line.candidate_name),
               std::string(core::name_of(line.depth)), printable(line.device_name),
               line.point.empty() ? "-" : format_point(line.point), cases.empty() ? "all" : cases});
  }
  return table.text(screen);
}

}  // namespace hone::text
