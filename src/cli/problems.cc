// What KernelBench's own check is worth on problems: see cli/baseline.h.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/words.h"
#include "cli/baseline.h"
#include "cli/inputs.h"
#include "core/json.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;

using nlohmann::json;

int weak_problems(const TaskCheckOptions& options) {
  Progress progress(options.json);
  json list = json::array();
  Table table({{"problem"}, {""}, {"why"}});
  int weak = 0, refused = 0;
  const auto tasks = single_tasks({options.task});
  for (const auto& text : tasks) {
    progress.step({text, {}, {}});
    json one = {{"problem", text}, {"weak", json::array()}};
    try {
      const core::Task task = task_from(text);
      one["weak"] = task.weak;
      one["task"] = task.folder.string();
      weak += task.weak.empty() ? 0 : 1;
      for (const auto& sentence : task.weak) table.add({printable(text), "weak", printable(sentence)});
    } catch (const base::Error& error) {
      if (error.code() != base::ExitCode::bad_input) throw;
      one["refused"] = error.what();
      ++refused;
      table.add({printable(text), "refused", printable(error.what())});
    }
    list.push_back(std::move(one));
  }
  progress.step({});
  if (options.json) {
    std::fputs(core::json_text({{"problems", list}, {"weak", weak}, {"refused", refused}}).c_str(), stdout);
  } else {
    fmt::print("{}{}: on {} KernelBench's own check takes what computes nothing, {} cannot be judged\n",
               table.text(screen_of(stdout)), base::counted(static_cast<std::int64_t>(tasks.size()), "problem"), weak,
               refused);
  }
  return static_cast<int>(weak + refused == 0 ? base::ExitCode::ok : base::ExitCode::not_accepted);
}

}  // namespace hone::cli
