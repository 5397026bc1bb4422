#include "app/table.h"

#include "app/inputs.h"
#include "base/files.h"
#include "device/device.h"
#include "tables/problems.h"

namespace hone::app {
namespace {

std::string name_of_device(const std::string& device) {
  return device.find(':') == std::string::npos ? device : device::find_device(device).name;
}

}  // namespace

TableResult table(const TableRequest& request, Sink& sink) {
  auto archive = archive_to_read(request);
  tables::ScoreTableOptions options;
  for (const auto& text : tables::single_tasks(request.tasks))
    options.problems.insert(problem_named(text, sink));
  if (request.baselines.empty())
    options.baselines = tables::read_baselines(tables::home_baselines());
  for (const auto& file : request.baselines)
    for (auto& line : tables::read_baselines(file)) options.baselines.push_back(std::move(line));
  options.device = name_of_device(request.device);
  TableResult result = tables::score_table(archive, options);
  if (!request.markdown.empty())
    base::write_file_atomically(request.markdown, tables::to_markdown(result));
  return result;
}

}  // namespace hone::app
