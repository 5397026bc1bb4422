// `hone recheck`: see app/recheck.h.
#include "app/recheck.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;
using Word = app::Recheck::Word;

std::string table_of_times(const core::Evaluation& then, const core::Evaluation& now,
                           const Screen& screen) {
  constexpr auto right = Column::Align::right;
  Table table({{"case"}, {"recorded", right}, {"now", right}, {"now / recorded", right}});
  for (const auto& c : now.cases) {
    if (!c.timed) continue;
    for (const auto& before : then.cases)
      if (before.timed && before.name == c.name)
        table.add({printable(c.name), format_seconds(before.median), format_seconds(c.median),
                   fmt::format("{:.3f}", c.median / before.median)});
  }
  if (then.geomean && now.geomean)
    table.add({"geometric mean", format_seconds(*then.geomean), format_seconds(*now.geomean),
               fmt::format("{:.3f}", *now.geomean / *then.geomean)});
  return table.empty() ? "" : table.text(screen);
}

// What is not as it was: it explains a difference.
std::string key_changes(const core::EvaluationKey& then, const core::EvaluationKey& now) {
  std::string out;
  const auto add = [&](const char* name, const std::string& before, const std::string& after) {
    if (before != after)
      out += fmt::format("{}: {} then, {} now\n", name, printable(before), printable(after));
  };
  add("device", then.device, now.device);
  add("driver", then.driver, now.driver);
  add("compiler", then.compiler, now.compiler);
  add("depth", std::string(core::name_of(then.depth)), std::string(core::name_of(now.depth)));
  add("protocol", std::to_string(then.protocol), std::to_string(now.protocol));
  return out;
}

void print_recheck(const app::RecheckResult& result) {
  const Screen screen = screen_of(stdout);
  const Word word = result.verdict.word;
  if (word == Word::not_accepted || word == Word::undecided)
    put(evaluation_report(result.now, result.device, screen));
  fmt::print("{}\n{}{}\n{}recorded as {}\n", printable(result.label),
             table_of_times(result.then, result.now, screen), result.verdict.reason,
             key_changes(result.then.key, result.now.key), result.id);
}

ExitCode code_of_recheck(Word word) {
  return word == Word::not_accepted ? ExitCode::not_accepted
         : word == Word::undecided  ? ExitCode::undecided
         : word == Word::slower     ? ExitCode::slower
                                    : ExitCode::ok;
}

}  // namespace

int recheck(const Typed<app::RecheckRequest>& command) {
  Progress progress(command.json);
  const auto result = app::recheck(command, progress);
  if (command.json)
    put_json(result);
  else
    print_recheck(result);
  return static_cast<int>(code_of_recheck(result.verdict.word));
}

}  // namespace hone::cli
