// A comparison in JSON, for jobs that travel and for --json: see base/fields.h.
#include "base/json.h"
#include "store/comparisons.h"

namespace hone::store {

using base::Fields;

void describe(Fields& f, Compared& side) { f("candidate", side.candidate)("point", side.point); }

void describe(Fields& f, ComparedCase& one) {
  f("name", one.name)("ratio", one.ratio)("interval", one.interval)("rounds", one.block_ratios);
}

void describe(Fields& f, ComparisonRecord& c) {
  f("task", c.task)("device", c.device)("device_name", c.device_name)("driver", c.driver);
  f("compiler", c.compiler)("protocol", c.protocol)("a", c.a)("b", c.b)("ratio", c.ratio);
  f("interval", c.interval)("margin", c.margin)("word", c.word)("stopped_by", c.stopped_by);
  f("seconds", c.seconds)("cases", c.cases);
}

void describe_recorded(Fields& f, const ComparisonRecord& c) {
  f.value(c);
  f("id", c.id)("created", base::json_time(c.created))("task_name", c.task_name);
}

}  // namespace hone::store
