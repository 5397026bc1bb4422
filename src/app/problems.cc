#include "app/problems.h"

#include <fmt/format.h>

#include <cstdlib>

#include "adapters/kernelbench.h"
#include "base/error.h"

namespace hone::app {

std::filesystem::path kernelbench_checkout(const std::string& text) {
  const char* folder = std::getenv("HONE_KERNELBENCH");
  if (folder == nullptr || *folder == '\0')
    base::fail(base::ExitCode::usage,
               "{}: where is KernelBench? Name a checkout of it with --kernelbench or $HONE_KERNELBENCH", text);
  return folder;
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

}  // namespace hone::app
