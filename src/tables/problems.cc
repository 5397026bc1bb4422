#include "tables/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <tuple>

#include "adapters/kernelbench.h"
#include "base/error.h"

namespace hone::tables {

std::filesystem::path kernelbench_checkout(const std::string& text) {
  const char* folder = std::getenv("HONE_KERNELBENCH");
  if (folder == nullptr || *folder == '\0')
    base::fail(
        base::ExitCode::usage,
        "{}: where is KernelBench? Name a checkout of it with --kernelbench or $HONE_KERNELBENCH",
        text);
  return folder;
}

bool names_several(const std::string& text) {
  const auto slash = text.find('/');
  return text.starts_with("kernelbench:") &&
         (slash == std::string::npos || text.find('-', slash) != std::string::npos);
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

std::string problem_name(const std::string& text) {
  const auto problem = adapters::kernelbench_problem(text);
  return problem ? fmt::format("{}_{}", problem->level, problem->number) : text;
}

bool problem_before(const std::string& a, const std::string& b) {
  const auto split = [](const std::string& name) {
    const auto at = std::find_if_not(name.rbegin(), name.rend(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; });
    const auto digits = static_cast<std::size_t>(at - name.rbegin());
    const std::string number = name.substr(name.size() - digits);
    return std::tuple(name.substr(0, name.size() - digits), number.size(), number);
  };
  return split(a) < split(b);
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

}  // namespace hone::tables
