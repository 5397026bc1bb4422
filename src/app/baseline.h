#pragma once
// `hone baseline`: what torch itself takes on KernelBench problems, class by class. Every line is
// kept in the home folder's file as soon as it is known; the same request continues a list that was
// stopped.
#include <functional>
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "tables/baselines.h"

namespace hone::app {

struct BaselineRequest : CommonOptions {
  std::vector<std::string>
      tasks;        // folders, kernelbench:level1/23, kernelbench:level1/1-20, kernelbench:level1
  std::string out;  // a file that gets the lines beside the one in the home folder
  std::string markdown;   // write a table of all of it there
  bool again = false;     // also what is recorded already
  bool retry = false;     // also what has failed
  bool by_model = false;  // what another device of the same name did is done
  bool recorded = false;  // measure nothing: what `out`, or else the home folder's file, holds
  int jobs = 0;           // problems that are prepared side by side; 0: by the machine
  double limit_s = 600;   // for preparing one of them
  double budget_s = 0;    // for all; 0: no limit
};

struct BaselineResult {
  std::vector<tables::BaselineLine> lines;  // in the order of the request
  std::size_t problems = 0;                 // that have lines
  bool complete = true;                     // false: the time was up, or the request was cancelled
};

// `each`: told of the lines of every problem when they are there, recorded or measured.
BaselineResult baseline(
    const BaselineRequest& request, Sink& sink,
    const std::function<void(const std::vector<tables::BaselineLine>&)>& each = {});

// {"baselines": [...], "complete": true}, each as it stands in the file. `hone baseline --json`
// prints the same objects one by one, as lines, while it works.
void describe(base::Fields& fields, const BaselineResult& result);

}  // namespace hone::app
