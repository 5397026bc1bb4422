#include "cli/tune_report.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/words.h"
#include "cli/report.h"
#include "core/device_json.h"
#include "core/evaluation_json.h"
#include "core/json.h"
#include "judge/finding.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;
namespace {

using nlohmann::json;

// Times as ratios read the other way round: a time of 0.5 is twice as fast.
struct Speedup {
  double middle, low, high;
};
Speedup speedup(const store::ComparisonRecord& compared) {
  return {1 / compared.ratio, 1 / compared.interval.high, 1 / compared.interval.low};
}

std::string in_words(const store::ComparisonRecord& compared) {
  const Speedup s = speedup(compared);
  return fmt::format("{} ({} as fast; 99 %: {} to {})", core::sentence(compared.word, "it", "the default"),
                     format_ratio(s.middle), format_ratio(s.low), format_ratio(s.high));
}

std::string latest_of(const core::Evaluation& latest) {
  if (latest.geomean) return format_seconds(*latest.geomean);
  return judge::was_stopped_early(latest) ? "given up" : std::string(core::name_of(latest.outcome));
}

json comparison_json(const store::ComparisonRecord& record) {
  json cases = json::array();
  for (const auto& c : record.cases)
    cases.push_back({{"name", c.name},
                     {"ratio", c.ratio},
                     {"interval", {c.interval.low, c.interval.high}},
                     {"rounds", c.block_ratios.size()}});
  return {{"id", record.id},         {"a", record.a.point},
          {"b", record.b.point},     {"word", core::name_of(record.word)},
          {"ratio", record.ratio},   {"interval", {record.interval.low, record.interval.high}},
          {"margin", record.margin}, {"stopped_by", record.stopped_by},
          {"cases", cases}};
}

}  // namespace

std::string status_line(const run::TuneStatus& status) {
  std::string line = fmt::format("{}", status.done);
  if (status.total) line += fmt::format("/{}", *status.total);
  line += fmt::format(" points{}", status.allowed > 0 && (!status.total || status.allowed < *status.total)
                                       ? fmt::format(" ({} allowed)", status.allowed)
                                       : "");
  if (status.failed > 0) line += fmt::format(", {} failed", status.failed);
  if (status.undecided > 0) line += fmt::format(", {} undecided", status.undecided);
  if (status.stopped_early > 0) line += fmt::format(", {} given up", status.stopped_early);
  if (status.best_seconds) {
    line += fmt::format("; best {}", format_seconds(*status.best_seconds));
    if (status.default_seconds && *status.best_seconds < *status.default_seconds)
      line += fmt::format(" ({} the default)", format_ratio(*status.default_seconds / *status.best_seconds));
    line += " " + format_point(status.best);
  }
  return line + fmt::format("; latest {} {}", latest_of(status.latest), format_point(status.latest.key.point));
}

std::string time_left(const run::TuneStatus& status, double seconds, double most_seconds) {
  constexpr std::size_t fewest = 2;
  const std::size_t measured = status.done - std::min(status.done, status.known);
  std::size_t last = status.total.value_or(0);
  if (status.allowed > 0 && (last == 0 || status.allowed < last)) last = status.allowed;
  if (measured < fewest || last == 0 || status.done >= last) return "";
  double left = seconds / static_cast<double>(measured) * static_cast<double>(last - status.done);
  if (most_seconds > 0) left = std::min(left, std::max(0.0, most_seconds - seconds));
  constexpr double minute = 60;
  return left >= 1.5 * minute ? fmt::format("about {:.0f} min left", left / minute)
                              : fmt::format("about {:.0f} s left", std::max(1.0, left));
}

std::string tune_report(const run::TuneResult& result, const core::Candidate& candidate, const core::DeviceInfo& info,
                        const Screen& screen) {
  const auto& status = result.status;
  std::string out = paint(result.conclusion, result.written.empty() ? Colour::doubtful : Colour::good, screen) + "\n";
  out += fmt::format("  run {} of {} on {} {}: {}\n", result.run, printable(candidate.name), info.id,
                     printable(info.name), result.strategy);
  out += fmt::format("  {} tried, {} failed{}, {} stopped early{}; {}\n",
                     base::counted(static_cast<std::int64_t>(status.done), "point"), status.failed,
                     status.undecided > 0 ? fmt::format(", {} undecided", status.undecided) : "", status.stopped_early,
                     status.known > 0 ? fmt::format(", {} known from before", status.known) : "", result.stopped);
  if (status.done > 0 && status.known == status.done)
    out += "  every point is from the record of this run, nothing was tried anew: --fresh begins a new run\n";
  if (status.default_seconds)
    out += fmt::format("  default {}: {} when screened\n", format_point(core::default_point(candidate.plan)),
                       format_seconds(*status.default_seconds));
  for (const auto& final : result.finals)
    out += fmt::format("  {}: {}\n", format_point(final.b.point), in_words(final));
  if (result.certified) {
    const auto& evaluation = result.certified->evaluation;
    out += fmt::format("  {} in a fresh process: {}", format_point(evaluation.key.point),
                       verdict_text(evaluation, screen));
    if (result.compared) out += fmt::format("; {}", in_words(*result.compared));
    out += "\n" + (evaluation.outcome == core::Outcome::accepted ? case_table(evaluation, screen)
                                                                 : evidence_text(evaluation.evidence, screen));
  }
  if (!result.written.empty()) out += fmt::format("  written to {}\n", printable(result.written.string()));
  return out;
}

std::string tune_json(const run::TuneResult& result, const core::Task& task, const core::Candidate& candidate,
                      const core::DeviceInfo& info) {
  const auto& status = result.status;
  json finals = json::array();
  for (const auto& final : result.finals) finals.push_back(comparison_json(final));
  const auto or_null = [](const auto& value) { return value ? json(*value) : json(nullptr); };
  return core::json_text(
      {{"run", result.run},
       {"task", task.name},
       {"candidate", candidate.name},
       {"device", to_json(info)},
       {"strategy", result.strategy},
       {"stopped", result.stopped},
       {"interrupted", result.interrupted},
       {"conclusion", result.conclusion},
       {"points",
        {{"done", status.done},
         {"failed", status.failed},
         {"undecided", status.undecided},
         {"given_up", status.stopped_early},
         {"known", status.known},
         {"total", or_null(status.total)}}},
       {"default", {{"point", core::default_point(candidate.plan)}, {"screened_s", or_null(status.default_seconds)}}},
       {"finals", finals},
       {"winner", or_null(result.winner)},
       {"certified", result.certified ? to_json(result.certified->evaluation) : json(nullptr)},
       {"compared", result.compared ? comparison_json(*result.compared) : json(nullptr)},
       {"written", result.written.empty() ? json(nullptr) : json(result.written.string())}});
}

}  // namespace hone::cli
