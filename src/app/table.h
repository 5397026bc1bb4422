#pragma once
// `hone table`: which KernelBench problems were solved, by which candidate, and how much faster
// than torch.
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "tables/score_table.h"

namespace hone::app {

struct TableRequest : CommonOptions {  // device: one here ("cuda:0"), or a part of the name of one
                                       // that was evaluated on
  std::vector<std::string> tasks;      // as of BaselineRequest; none: all that was evaluated
  std::vector<std::string> baselines;  // files; none: the home folder's
  std::string markdown;                // write the table there too
};

using TableResult = tables::ScoreTable;  // tables::to_markdown() tells it

TableResult table(const TableRequest& request, Sink& sink);

}  // namespace hone::app
