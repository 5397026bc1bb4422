// What goes through nvdisasm: the text of an image, and what is read off it.
#include <algorithm>
#include <set>

#include "device/tools.h"
#include "profile/sass.h"
#include "profile/tags.h"
#include "runner/inspect.h"

namespace hone::profile {

base::Result<std::string> disassemble(const std::string& image,
                                      const std::vector<std::string>& options) {
  const std::string program = device::find_tool("nvdisasm");
  if (program.empty())
    return base::Failure{
        std::string("nvdisasm was not found: it comes with the CUDA toolkit and with Triton's "
                    "wheel; put it on the PATH")};
  runner::Inspection inspection{program, options, image};
  inspection.arguments.emplace_back("{}");
  return runner::inspect(inspection);
}

base::Result<LineMap> line_map(const std::string& image, const std::string& kernel,
                               const std::string& source_name) {
  const auto text = disassemble(image, {"-c", "--print-line-info-inline"});
  if (!text) return base::Failure{text.error()};
  auto map = parse_line_map(*text, kernel, source_name);
  if (std::none_of(map.rows.begin(), map.rows.end(), [](const auto& row) { return row.line > 0; }))
    return base::Failure{"the image has no line information on " + kernel +
                         ": build it with BuildRequest::line_info"};
  return map;
}

Collected collect_sass(const std::string& image, const core::ResolvedPlan& plan) {
  const auto text = disassemble(image, {"-c"});
  if (text) return collect_sass_text(*text, plan);
  Collected collected;
  collected.notes.push_back("The machine code was not looked at: " + text.error());
  std::set<int> seen;
  for (const auto& launch : plan.launches)
    if (seen.insert(launch.plan_index).second)
      collected.metrics.push_back({std::string(tag::sass_instructions),
                                   "1",
                                   std::nullopt,
                                   text.error(),
                                   "",
                                   launch.plan_index,
                                   {}});
  return collected;
}

}  // namespace hone::profile
