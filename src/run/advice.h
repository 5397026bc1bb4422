#pragma once
// What became of the advice that experiments rest on, for the ledger of all runs
// (store/advice_ledger.h).
#include "run/journal.h"

namespace hone::run {

// Once a generation is over: the gain of each experiment that cites advice, in the case that was
// profiled.
void settle_advice(Journal& journal, int generation);

}  // namespace hone::run
