// `hone learn`: see app/learn.h.
#include "app/learn.h"

#include <cstdio>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;

void print_learned(const run::Learned& learned) {
  for (const auto& finding : learned.findings)
    std::printf("%s  %s\n", finding.id.c_str(), printable(finding.text).c_str());
  std::printf(
      "%zu findings, %lld calls, %.2f dollars. `hone findings` lists, edits and deletes them.\n",
      learned.findings.size(), static_cast<long long>(learned.spending.calls),
      learned.spending.usd);
  for (const auto& known : learned.known)
    std::fprintf(stderr, "known already: %s; --again digests it once more\n",
                 printable(known).c_str());
  for (const auto& problem : learned.problems)
    std::fprintf(stderr, "%s\n", printable(problem).c_str());
}

}  // namespace

int learn(const Typed<app::LearnRequest>& command) {
  Progress progress(command.json);
  const auto result = app::learn(command, progress);
  if (command.json)
    put_json(result);
  else
    print_learned(result.learned);
  if (result.cancelled) return static_cast<int>(ExitCode::interrupted);
  return static_cast<int>(result.learned.problems.empty() ? ExitCode::ok : ExitCode::not_accepted);
}

}  // namespace hone::cli
