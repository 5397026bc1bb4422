#include "cli/tune_report.h"

#include <fmt/format.h>

#include "base/words.h"
#include "text/compare_text.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;
namespace {

// Times as ratios read the other way round: a time of 0.5 is twice as fast.
struct Speedup {
  double middle, low, high;
};
Speedup speedup(const store::ComparisonRecord& compared) {
  return {1 / compared.ratio, 1 / compared.interval.high, 1 / compared.interval.low};
}

std::string in_words(const store::ComparisonRecord& compared) {
  const Speedup s = speedup(compared);
  return fmt::format("{} ({} as fast; 99 %: {} to {})",
                     comparison_sentence("the default", "it", compared.word),
                     format_ratio(s.middle), format_ratio(s.low), format_ratio(s.high));
}

}  // namespace

std::string tune_report(const app::TuneResult& tuned, const Screen& screen) {
  const run::TuneResult& result = tuned.tuning;
  const auto& status = result.status;
  std::string out =
      paint(result.conclusion, result.written.empty() ? Colour::doubtful : Colour::good, screen) +
      "\n";
  out += fmt::format("  run {} of {} on {} {}: {}\n", result.run, printable(tuned.candidate.name),
                     tuned.device.id, printable(tuned.device.name), result.strategy);
  out += fmt::format("  {} tried, {} failed{}, {} stopped early{}; {}\n",
                     base::counted(static_cast<std::int64_t>(status.done), "point"), status.failed,
                     status.undecided > 0 ? fmt::format(", {} undecided", status.undecided) : "",
                     status.stopped_early,
                     status.known > 0 ? fmt::format(", {} known from before", status.known) : "",
                     result.stopped);
  if (status.done > 0 && status.known == status.done)
    out +=
        "  every point is from the record of this run, nothing was tried anew: --fresh begins a "
        "new run\n";
  if (status.default_seconds)
    out += fmt::format("  default {}: {} when screened\n",
                       format_point(core::default_point(tuned.candidate.plan)),
                       format_seconds(*status.default_seconds));
  for (const auto& final : result.finals)
    out += fmt::format("  {}: {}\n", format_point(final.b.point), in_words(final));
  if (result.certified) {
    const auto& evaluation = result.certified->evaluation;
    out += fmt::format("  {} in a fresh process: {}", format_point(evaluation.key.point),
                       verdict_text(evaluation, screen));
    if (result.compared) out += fmt::format("; {}", in_words(*result.compared));
    out += "\n" + (evaluation.outcome == core::Outcome::accepted
                       ? case_table(evaluation, screen)
                       : evidence_text(evaluation.evidence, screen));
  }
  if (!result.written.empty())
    out += fmt::format("  written to {}\n", printable(result.written.string()));
  return out;
}

}  // namespace hone::cli
