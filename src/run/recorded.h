#pragma once
// Answers that are given again (llm/record.h) name nodes by the numbers of the run that was
// recorded.
#include <map>

#include "core/tree.h"
#include "llm/client.h"

namespace hone::run {

// The nodes of this run by the numbers that a recording calls them; empty where a model is really
// asked. A recording of an earlier hone has no numbers: there candidates were numbered in the order
// in which their answers came.
std::map<core::NodeId, core::NodeId> numbers_of_recording(const llm::LlmClient& model,
                                                          const core::Tree& tree);

}  // namespace hone::run
