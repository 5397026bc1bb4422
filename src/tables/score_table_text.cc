// A table of scores as Markdown and as JSON: every problem and class, the fastest candidate, and a
// summary.
#include <fmt/format.h>

#include <map>

#include "base/fields.h"
#include "judge/torch/baseline.h"
#include "tables/score_table.h"
#include "text/format.h"

namespace hone::tables {
namespace {

std::string milliseconds(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.4g}", 1e3 * *seconds) : "–";
}
std::string ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "–";
}

bool measured_elsewhere(const Score& one) {
  return one.speedup() && one.device != one.baseline_device;
}

std::string list_of(const std::map<std::string, std::string>& reasons) {
  std::string text;
  for (const auto& [name, reason] : reasons)
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", text::printable(name),
                        text::printable(reason));
  return text;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string row_of(const Score& one) {
  std::string errors = "–";
  if (one.error_rms && one.eager_rms)
    errors = fmt::format("{:.1e} / {:.1e}", *one.error_rms, *one.eager_rms);
  return fmt::format("| {}{} | {} | {} | {} | {} | {}{} | {} | {} | {} | {} | {} | {} |\n",
                     text::printable(one.problem), one.weak.empty() ? "" : " \\*", one.class_name,
                     milliseconds(one.seconds), milliseconds(one.baseline), one.baseline_mode,
                     ratio(one.speedup()), measured_elsewhere(one) ? " †" : "",
                     one.ceiling_fraction ? text::format_percent(*one.ceiling_fraction) : "–",
                     errors, one.precision.empty() ? "–" : one.precision,
                     one.own_share ? text::format_percent(*one.own_share) : "–",
                     one.solved  ? one.weak.empty() ? "yes" : "yes \\*"
                     : one.tried ? "no"
                                 : "not tried",
                     one.hash.empty() ? ""
                                      : fmt::format("{} ({})", text::printable(one.candidate),
                                                    one.hash.substr(0, 10)));
}

std::string footnotes(const ScoreTable& table) {
  std::string out;
  std::map<std::string, std::string> weak;
  bool elsewhere = false, over = false;
  for (const auto& one : table.scores) {
    if (!one.weak.empty()) weak[one.problem] = joined(one.weak);
    over = over || one.ceiling_fraction.value_or(0) > 1;
    elsewhere = elsewhere || measured_elsewhere(one);
  }
  if (!weak.empty())
    out += fmt::format("\n\\* KernelBench's own check proves little there: {}.\n", list_of(weak));
  if (over)
    out +=
        "\nOver 100 % of the ceiling: it counts the operations that torch does, in the class's own "
        "precision. Leaving out what is known to be zero, or splitting numbers for faster units, "
        "does better than that.\n";
  if (elsewhere) out += "\n† torch was measured on another device of the same name.\n";
  if (!table.other_versions.empty())
    out += fmt::format(
        "\nEvaluations or baselines of other versions of these problems are left out: {}.\n",
        joined({table.other_versions.begin(), table.other_versions.end()}));
  return out;
}

std::string summaries(const ScoreTable& table, bool weak) {
  std::string out =
      "\n| class | problems | solved | of them weak | without torch's time | fast_1 | fast_1.5 | "
      "fast_2 | geomean, all | geomean, solved | median, all | median, solved |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const bool with_weak : {true, false}) {
    if (!with_weak && !weak) continue;
    for (const auto& name : judge::class_names) {
      const auto s = summarise(table.scores, name, with_weak);
      out += fmt::format(
          "| {}{} | {} | {} | {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {:.2f} | {} |\n",
          name, with_weak ? "" : ", without weak ones", s.problems, s.solved, s.weak,
          s.without_baseline, s.fast_1, s.fast_1_5, s.fast_2, s.geomean_all,
          ratio(s.geomean_solved), s.median_all, ratio(s.median_solved));
    }
  }
  return out;
}

void describe_score(base::Fields& f, const Score& one) {
  f("problem", one.problem)("class", one.class_name)("tried", one.tried)("solved", one.solved);
  f("weak", one.weak)("seconds", one.seconds)("baseline_s", one.baseline);
  f("baseline_mode", one.baseline_mode)("speedup", one.speedup());
  f("ceiling_fraction", one.ceiling_fraction)("error_rms", one.error_rms);
  f("eager_error_rms", one.eager_rms)("precision_used", one.precision);
  f("own_kernels_share", one.own_share)("device", one.device);
  f("baseline_device", one.baseline_device)("candidate", one.candidate)("hash", one.hash);
  f("point", one.point);
}

// A class of precision, with or without problems whose own check proves little.
struct SummaryOf {
  std::string class_name;
  bool with_weak = true;
};

void describe_summary(base::Fields& f, const ScoreTable& table, const SummaryOf& of) {
  const auto s = summarise(table.scores, of.class_name, of.with_weak);
  f("class", of.class_name)("with_weak", of.with_weak)("problems", s.problems)("solved", s.solved);
  f("weak", s.weak)("without_baseline", s.without_baseline)("fast_1", s.fast_1);
  f("fast_1.5", s.fast_1_5)("fast_2", s.fast_2)("geomean_all", s.geomean_all);
  f("geomean_solved", s.geomean_solved)("median_all", s.median_all);
  f("median_solved", s.median_solved);
}

}  // namespace

std::string to_markdown(const ScoreTable& table) {
  std::string out =
      "| problem | class | ms | torch ms | torch's best | × | of the ceiling | error rms, its / "
      "eager's | precision used | own kernels | solved | candidate |\n"
      "| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | --- | ---: | --- | --- |\n";
  bool weak = false;
  for (const auto& one : table.scores) {
    out += row_of(one);
    weak = weak || !one.weak.empty();
  }
  return out + footnotes(table) + summaries(table, weak) +
         "\nAn unsolved problem counts as 1 in \"all\". fast_p is the part of all problems that "
         "were solved more than p times faster. Problems solved without a time of torch's to hold "
         "them against are in no figure.\n";
}

void describe(base::Fields& f, const ScoreTable& table) {
  std::vector<SummaryOf> summaries;
  for (const bool with_weak : {true, false})
    for (const auto& name : judge::class_names) summaries.push_back({name, with_weak});
  f.list("scores", table.scores, [&](const Score& one) { describe_score(f, one); });
  f.list("summaries", summaries, [&](const SummaryOf& of) { describe_summary(f, table, of); });
  f("other_versions", table.other_versions);
}

}  // namespace hone::tables
