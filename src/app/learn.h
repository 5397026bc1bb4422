#pragma once
// `hone learn`: documents digested by a model into findings for later prompts.
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "run/learn.h"

namespace hone::app {

struct LearnRequest : CommonOptions {  // no device is used
  std::vector<std::string> files;      // Markdown, plain text, source
  std::string task;                    // the folder of the task that the findings are for; "": any
  std::string target;  // the architecture that they are for ("sm_90a", "cpu"); "": any
  std::string llm;     // the model; "": $HONE_LLM
  std::string price;   // IN,OUT[,CACHED]: dollars per million tokens, where the price is not known
  double max_usd = 0;  // that may be spent, at the very most; 0: no limit
  bool again = false;  // also what was digested for the same task and target before
};

struct LearnResult {
  run::Learned learned;
  bool cancelled = false;  // what is left is asked for by the same request
};

LearnResult learn(const LearnRequest& request, Sink& sink);
void describe(base::Fields& fields, const LearnResult& result);

}  // namespace hone::app
