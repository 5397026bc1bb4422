// The self-test's results in JSON: see base/fields.h.
#include "base/fields.h"
#include "judge/selftest.h"

namespace hone::judge {

using base::Fields;

void describe(Fields& f, const SelftestLine& line) {
  f("row", line.row);
  f("title", line.title);
  f("specimen", line.specimen);
  f("guard", line.guard);
  f("device", line.device);
  f("state", name_of(line.state));
  f("verdict", line.verdict);
  f("text", line.text);
  f("twin", line.twin);
  f("twin_text", line.twin_text);
  f("false_alarm", line.false_alarm);
  f("undecided", line.undecided());
  f("outside_delay", line.undecided() ? &line.outside_delay : nullptr);
  f("good", line.good());
}

void describe(Fields& f, const GuardLine& guard) {
  f("name", guard.name);
  f("rows", guard.rows);
  f("depth", guard.depth);
  f("what", guard.what);
  f("specimens", guard.specimens);
  f("reason", guard.reason);
}

}  // namespace hone::judge
