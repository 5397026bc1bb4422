#pragma once
// What became of the advice that experiments rest on, for the ledger of all runs
// (store/advice_ledger.h).
#include "run/journal.h"
#include "run/node_reader.h"

namespace hone::run {

// Once a generation is over: the gain of each experiment that cites advice, in the case that was
// profiled.
void settle_advice(Journal& journal, const NodeReader& nodes, int generation);
// The same where there are no generations: of all experiments that came to a kernel that works,
// and at the end of the others too.
void settle_advice_so_far(Journal& journal, const NodeReader& nodes, bool is_over);

}  // namespace hone::run
