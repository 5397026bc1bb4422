#pragma once
// `hone tools`: every tool that explains, what it finds, and what became of its advice in all runs
// of the archive.
#include <string>
#include <vector>

#include "app/common_options.h"
#include "base/fields_fwd.h"
#include "store/advice_ledger.h"

namespace hone::app {

struct ToolsRequest : CommonOptions {};

// Of the built-in table, or only known from the archive: a user's program, or a tool of another
// version of Hone.
struct ListedTool {
  std::string name, summary, trigger;
  std::vector<std::string> classes, needs;
  std::string hardware;  // "any", "gpu", "nvidia", "cpu"; "": not known
  store::ToolRecord record;

  double weight() const;  // what its record makes of its gains in the order of advice
};

struct ToolsResult {
  std::vector<ListedTool> tools;
};

ToolsResult tools(const ToolsRequest& request);

void describe(base::Fields& fields, const ToolsResult& result);

}  // namespace hone::app
