// A comparison in JSON, for jobs that travel and for --json: see base/fields.h.
#include "base/json.h"
#include "store/comparisons.h"

namespace hone::store {

using base::Fields;

void describe(Fields& f, Compared& side) {
  f("candidate", side.candidate);
  f("point", side.point);
}

void describe(Fields& f, ComparedCase& one) {
  f("name", one.name);
  f("ratio", one.ratio);
  f("interval", one.interval);
  f("rounds", one.block_ratios);
}

void describe(Fields& f, ComparisonRecord& c) {
  f("task", c.task);
  f("device", c.device);
  f("device_name", c.device_name);
  f("driver", c.driver);
  f("compiler", c.compiler);
  f("protocol", c.protocol);
  f("a", c.a);
  f("b", c.b);
  f("ratio", c.ratio);
  f("interval", c.interval);
  f("margin", c.margin);
  f("word", c.word);
  f("stopped_by", c.stopped_by);
  f("seconds", c.seconds);
  f("cases", c.cases);
}

void describe_recorded(Fields& f, const ComparisonRecord& c) {
  f.value(c);
  f("id", c.id);
  f("created", base::json_time(c.created));
  f("task_name", c.task_name);
}

}  // namespace hone::store
