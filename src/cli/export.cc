// `hone export`: see app/export.h.
#include "app/export.h"

#include <cstdio>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {

int export_candidate(const ExportCommand& command) {
  app::ExportRequest request = command;
  if (command.words.size() == 2) {
    if (!command.task.empty())
      base::fail(base::ExitCode::usage, "a task is given twice: {} and --task {}", command.words[0],
                 command.task);
    request.task = command.words[0];
  }
  request.candidate = command.words.back();
  Progress progress(command.json);
  const auto result = app::export_candidate(request, progress);
  for (const auto& file : result.files)
    for (const auto& note : file.notes)
      std::fprintf(stderr, "note: %s: %s\n", text::printable(file.name).c_str(),
                   text::printable(note).c_str());
  if (command.json) put_json(result);
  if (!command.json)
    for (const auto& file : result.files)
      std::printf("%s\n", text::printable(file.path.string()).c_str());
  return 0;
}

}  // namespace hone::cli
