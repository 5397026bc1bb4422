#include "run/conclude_tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "judge/compare.h"
#include "run/record.h"
#include "run/tune_output.h"
#include "task/candidate_loader.h"
#include "task/plan_parser.h"
#include "text/compare_text.h"

namespace hone::run {
namespace {

class Conclusion {
 public:
  Conclusion(const Finals& finals, TuningJudge& judge,
             const std::map<core::Point, core::Evaluation>& evaluations, const TuneWatcher& watcher,
             TuneResult& result)
      : finals_(finals),
        judge_(judge),
        evaluations_(evaluations),
        watcher_(watcher),
        result_(result) {}

  void conclude();

 private:
  std::vector<core::Point> ranked_points();
  bool confirm(const core::Point& point);
  bool is_confirmed();
  core::Candidate tuned_candidate(const core::Point& point);
  void write(const core::Candidate& tuned);

  const Finals& finals_;
  TuningJudge& judge_;
  const std::map<core::Point, core::Evaluation>& evaluations_;
  const TuneWatcher& watcher_;
  TuneResult& result_;
};

// The points that may be the best, the best first, as far as this process can tell. Empty: none is
// better than the default.
std::vector<core::Point> Conclusion::ranked_points() {
  const auto finalists = choose_finalists(evaluations_, core::default_point(finals_.candidate.plan),
                                          core::clock_of(finals_.info));
  std::vector<core::Point> ranked;
  if (!result_.status.default_seconds) {
    for (const auto& finalist : finalists) ranked.push_back(finalist.point);
    return ranked;
  }
  for (const auto& finalist : finalists) {
    if (finals_.cancelled) return {};
    watcher_.say(fmt::format("comparing with the default: finalist {} of {}",
                             result_.finals.size() + 1, finalists.size()));
    if (auto compared = compare_with_default(finals_, judge_.get(), finalist.point))
      result_.finals.push_back(*std::move(compared));
  }
  std::stable_sort(result_.finals.begin(), result_.finals.end(),
                   [](const auto& a, const auto& b) { return a.ratio < b.ratio; });
  for (const auto& final : result_.finals)
    if (final.word == core::Comparison::faster) ranked.push_back(final.b.point);
  return ranked;
}

// The candidate with the point as its defaults, in the archive.
core::Candidate Conclusion::tuned_candidate(const core::Point& point) {
  const core::Candidate& candidate = finals_.candidate;
  const auto tuned =
      task::candidate_from(task::set_defaults(candidate.source, point), candidate.language,
                           finals_.options.out.filename().string());
  if (!tuned) base::fail(base::ExitCode::bad_input, "{}", task::render_with_sources(tuned.error()));
  record_candidate(finals_.archive, *tuned,
                   {{candidate.hash}, tuner_name, "tuning run " + finals_.run.id});
  return *tuned;
}

// Certifies the point and compares it with the default in a fresh process. False: it did not pass
// certification, and the next best point is to be tried.
bool Conclusion::confirm(const core::Point& point) {
  const core::Candidate tuned = tuned_candidate(point);
  const bool compares = result_.status.default_seconds.has_value();
  // The fresh process needs the device's memory.
  judge_.release();
  watcher_.say(compares
                   ? "certifying the winner in a fresh process, and comparing it with the default"
                   : "certifying the winner in a fresh process");
  result_.tuned = tuned;
  Confirmation confirmation = confirm_afresh(finals_, tuned, compares);
  result_.certified = std::move(confirmation.certified);
  if (finals_.cancelled) return true;
  if (result_.certified->evaluation.outcome != core::Outcome::accepted) {
    watcher_.say(fmt::format("the best point did not pass certification: {}",
                             core::name_of(result_.certified->evaluation.outcome)));
    return false;
  }
  result_.compared = std::move(confirmation.compared);
  if (compares && !is_confirmed()) return true;
  result_.winner = point;
  result_.conclusion = compares
                           ? "a faster point was found and confirmed in a fresh process"
                           : "the default was not accepted; the best point that was is certified";
  write(tuned);
  return true;
}

bool Conclusion::is_confirmed() {
  if (result_.compared && result_.compared->word == core::Comparison::faster) return true;
  result_.conclusion = fmt::format(
      "the best point's lead over the default was not confirmed in a fresh process ({}): the "
      "default stands",
      result_.compared
          ? text::comparison_sentence("the default", "the point", result_.compared->word)
          : "one of the two was not accepted");
  return false;
}

// Where an earlier result stands, the faster of the two stays there.
void Conclusion::write(const core::Candidate& tuned) {
  std::filesystem::path out = finals_.options.out;
  std::optional<core::Candidate> earlier;
  try {
    if (!finals_.options.force) earlier = earlier_result(finals_.archive, out);
  } catch (const base::Error&) {
    out = free_name_like(out);  // it was changed while this run was searching
  }
  if (earlier && earlier->hash != tuned.hash) {
    watcher_.say(fmt::format("comparing it with the earlier result in {}", out.string()));
    const auto rule = judge::compare_rule(core::clock_of(finals_.info));
    const auto compared = judge::compare(judge_.get(), *earlier, tuned, {}, {}, rule);
    if (compared.a.outcome == core::Outcome::accepted &&
        (!compared.compared || compared.word != core::Comparison::faster)) {
      result_.conclusion += fmt::format(
          "; {} has an earlier result that is no slower, and stays as it is (--force overwrites "
          "it)",
          out.string());
      return;
    }
  }
  base::write_file_atomically(out, tuned.source);
  result_.written = out;
}

void Conclusion::conclude() {
  if (!result_.status.best_seconds) {
    result_.conclusion = "no point was accepted";
    return;
  }
  const auto ranked = ranked_points();
  for (const auto& point : ranked)
    if (finals_.cancelled || confirm(point)) return;
  if (!ranked.empty()) {
    result_.conclusion = "none of the best points passed certification: the default stands";
  } else if (result_.finals.empty()) {
    result_.conclusion = result_.status.default_seconds
                             ? "no other point came near the default: it stands"
                             : "no point was accepted";
  } else {
    result_.conclusion = default_stands_text(result_.finals.front());
  }
}

}  // namespace

TuningJudge::TuningJudge(const core::Task& task, const core::DeviceInfo& info,
                         judge::JudgeOptions options)
    : task_(task), info_(info), options_(std::move(options)) {
  // On a GPU starting a runner costs more than the memory it holds.
  options_.spare_runners = core::capabilities(info).native_code ? 0 : 2;
}

judge::Judge& TuningJudge::get() {
  if (!judge_) judge_.emplace(task_, info_, options_);
  return *judge_;
}

void conclude_tuning(const Finals& finals, TuningJudge& judge,
                     const std::map<core::Point, core::Evaluation>& evaluations,
                     const TuneWatcher& watcher, TuneResult& result) {
  Conclusion(finals, judge, evaluations, watcher, result).conclude();
}

std::string default_stands_text(const store::ComparisonRecord& closest) {
  const std::string numbers =
      fmt::format("{:.4f} of its time, 99 %: {:.4f} to {:.4f}", closest.ratio, closest.interval.low,
                  closest.interval.high);
  if (closest.word == core::Comparison::cannot_tell)
    return fmt::format(
        "cannot tell whether the best other point is faster than the default ({}), which "
        "stands: tune again with --fresh when the machine is idle",
        numbers);
  return fmt::format("nothing beat the default: {} ({})",
                     text::comparison_sentence("the default", "the best other point", closest.word),
                     numbers);
}

}  // namespace hone::run
