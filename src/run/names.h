#pragma once
// What places, questions and jobs of a run are called outside of it: in a model's environment, a
// mailbox, a recording, a bundle, a report. Made of typed values; nothing in a run reads them back.
#include <string>

#include "core/tree.h"

namespace hone::run {

std::string node_name(core::NodeId number);   // "00012"
std::string generation_name(int generation);  // "g003"
std::string name_of_place(
    const core::NodePosition& place);  // "seed/translation/try-1", "g003/writer-2/try-1"
// The place without its attempt, for messages: "translator", "writer 2".
std::string writer_name(const core::NodePosition& place);

// A question's name without its turn: all turns of one writer have it.
std::string writer_of(const std::string& question);

// A question to a model. A act's question may take several turns: the first, and one for each
// answer that was no use.
std::string question_name(const core::DecidedAction& act, int turn = 1);

// Jobs of judges: unique for all time, because they begin with the run.
std::string judging_job(const std::string& run, core::NodeId node);  // "r1f2e-00012-screen"
std::string explaining_job(const std::string& run, const core::DecidedAction& act);
std::string probing_job(const std::string& run, const core::DecidedAction& act, int turn);
std::string certifying_job(const std::string& run, core::NodeId node);
std::string again(const std::string& job);  // done once more, because it was undecided

}  // namespace hone::run
