// `hone best RUN -o FILE`: the source of a run's best member, as it was judged, byte for byte.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/subject.h"
#include "core/json.h"
#include "report/story.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;
namespace {

using nlohmann::json;

struct Provenance {
  Subject subject;
  std::string sentence;
};

Provenance of_research(store::Archive& archive, const std::string& id) {
  const report::Story story = report::load_story(archive, id);
  Provenance found{subject_from(archive, story.run.id), ""};
  const auto* evaluation = report::best_evaluation(story);
  const auto times = report::times_as_fast(story);
  found.sentence =
      fmt::format("{} of task {} on {}: {}, {}{}; candidate {}, evaluation {}", found.subject.label,
                  printable(story.run.task_name), printable(story.run.device_name),
                  evaluation->evaluation.key.depth == core::Depth::certify ? "certified" : "accepted, not certified",
                  format_seconds(*evaluation->evaluation.geomean),
                  times ? fmt::format(", {} as fast as the seed", format_ratio(*times)) : "",
                  store::short_hash(found.subject.hash), evaluation->id);
  return found;
}

}  // namespace

int best(const BestCommand& command) {
  auto archive = archive_to_read(command);
  Provenance found;
  if (command.run.starts_with('r') || command.run.starts_with('R')) {
    found = of_research(archive, command.run);
  } else {
    found.subject = subject_from(archive, command.run);
    found.sentence = printable(found.subject.label);
  }
  if (command.out.empty()) {
    std::cout << (command.json ? core::json_text({{"source", found.subject.source},
                                                  {"candidate", found.subject.hash},
                                                  {"name", found.subject.name},
                                                  {"provenance", found.sentence}})
                               : found.subject.source);
    if (!command.json) std::cerr << found.sentence << "\n";
    return 0;
  }
  if (!command.force) refuse_to_overwrite({{command.out, found.subject.source}}, "-o");
  base::write_file_atomically(command.out, found.subject.source);
  if (command.json)
    std::cout << core::json_text({{"written", {command.out}},
                                  {"candidate", found.subject.hash},
                                  {"name", found.subject.name},
                                  {"provenance", found.sentence}});
  else
    std::cout << printable(command.out) << ": " << found.sentence << "\n";
  return 0;
}

}  // namespace hone::cli
