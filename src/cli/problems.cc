// Texts that name problems of KernelBench, and what its own check is worth on them: see cli/baseline.h.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <tuple>

#include "adapters/kernelbench.h"
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

std::filesystem::path kernelbench_checkout(const std::string& text) {
  const char* folder = std::getenv("HONE_KERNELBENCH");
  if (folder == nullptr || *folder == '\0')
    base::fail(base::ExitCode::usage,
               "{}: where is KernelBench? Name a checkout of it with --kernelbench or $HONE_KERNELBENCH", text);
  return folder;
}

std::string problem_name(const std::string& text) {
  const auto problem = adapters::kernelbench_problem(text);
  return problem ? fmt::format("{}_{}", problem->level, problem->number) : text;
}

std::string short_reason(const std::string& text) {
  const std::string file = "reference.py";
  std::size_t begin = 0, end = text.find('\n');
  if (text.find("Traceback (most recent call last)") != std::string::npos) {
    const auto last = text.find_last_not_of(" \n");
    begin = text.rfind('\n', last) + 1;  // npos + 1 is the beginning
    end = last + 1;
  } else if (const auto at = text.find(file); text.starts_with('/') && at < end) {
    begin = at + file.size();
    if (text.compare(begin, 2, ": ") == 0)
      begin += 2;
    else
      begin = at;
  }
  return text.substr(begin, end - begin);
}

bool problem_before(const std::string& a, const std::string& b) {
  const auto split = [](const std::string& name) {
    const auto at = std::find_if_not(name.rbegin(), name.rend(), [](unsigned char c) { return std::isdigit(c) != 0; });
    const auto digits = static_cast<std::size_t>(at - name.rbegin());
    const std::string number = name.substr(name.size() - digits);
    return std::tuple(name.substr(0, name.size() - digits), number.size(), number);
  };
  return split(a) < split(b);
}

bool names_several(const std::string& text) {
  const auto slash = text.find('/');
  return text.starts_with("kernelbench:") && (slash == std::string::npos || text.find('-', slash) != std::string::npos);
}

std::vector<std::string> single_tasks(const std::vector<std::string>& texts) {
  std::vector<std::string> single;
  for (const auto& text : texts) {
    if (!names_several(text)) {
      single.push_back(text);
      continue;
    }
    for (const auto& problem : adapters::kernelbench_problems(text, kernelbench_checkout(text)))
      single.push_back(fmt::format("kernelbench:{}/{}", problem.level, problem.number));
  }
  return single;
}

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
