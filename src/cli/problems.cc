// How problems of KernelBench, and why they failed, are called in lists: see cli/baseline.h.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "adapters/kernelbench.h"
#include "cli/baseline.h"

namespace hone::cli {

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

}  // namespace hone::cli
