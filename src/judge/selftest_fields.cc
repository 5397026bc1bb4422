// The self-test's results in JSON: see base/fields.h.
#include "base/fields.h"
#include "judge/selftest.h"

namespace hone::judge {

using base::Fields;

void describe(Fields& f, const SelftestLine& line) {
  f("row", line.row)("title", line.title)("specimen", line.specimen)("guard", line.guard);
  f("device", line.device)("state", name_of(line.state))("verdict", line.verdict);
  f("text", line.text)("twin", line.twin)("twin_text", line.twin_text);
  f("false_alarm", line.false_alarm)("undecided", line.undecided());
  f("outside_delay", line.undecided() ? &line.outside_delay : nullptr)("good", line.good());
}

void describe(Fields& f, const GuardLine& guard) {
  f("name", guard.name)("rows", guard.rows)("depth", guard.depth)("what", guard.what);
  f("specimens", guard.specimens)("reason", guard.reason);
}

}  // namespace hone::judge
