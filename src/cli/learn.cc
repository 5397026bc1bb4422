// `hone learn`: see app/learn.h.
#include "app/learn.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;

std::string learned_text(const run::Learned& learned) {
  std::string out;
  for (const auto& finding : learned.findings)
    out += fmt::format("{}  {}\n", finding.id, printable(finding.text));
  return out +
         fmt::format(
             "{} findings, {} calls, {:.2f} dollars. `hone findings` lists, edits and deletes "
             "them.\n",
             learned.findings.size(), learned.spending.calls, learned.spending.usd);
}

namespace {

void print_learned(const run::Learned& learned) {
  put(learned_text(learned));
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
  return static_cast<int>(exit_code(result));
}

}  // namespace hone::cli
