#include "text/compare_text.h"

#include <fmt/format.h>

#include "base/words.h"
#include "judge/compare_rule.h"
#include "text/evaluation_text.h"

namespace hone::text {
namespace {

std::string claim(const std::string& b, core::Comparison word, const Screen& screen) {
  const auto strong = [&](const char* text) { return paint(text, Colour::strong, screen); };
  switch (word) {
    case core::Comparison::faster:
      return fmt::format("{} is {}", b, strong("faster"));
    case core::Comparison::slower:
      return fmt::format("{} is {}", b, strong("slower"));
    case core::Comparison::same:
      return fmt::format("{} takes {}", b, strong("the same time"));
    case core::Comparison::cannot_tell:
      break;
  }
  return fmt::format("{} whether {} is faster", strong("Cannot tell"), b);
}

// What would help: more time, an idle machine, or another margin.
std::string advice(const judge::ComparisonResult& result) {
  if (result.busy) {
    // A claim needs a difference of more than `least`. "Slower" can have one of any size; "faster"
    // has none of 100 % or more, which would be all of the other side's time.
    const double least = 100 * (result.margin + judge::margin_when_busy(result.outside_share));
    return fmt::format(
        " Other programs cost {:.0f} % of the calls' time, which could be all of one side's, so "
        "{}. Try an idle machine.",
        100 * result.outside_share,
        result.ratio_estimate < 1 && least >= 100
            ? "no difference is a claim that it is faster"
            : fmt::format("a difference under {:.0f} % is no claim", least));
  }
  if (result.seconds_needed)
    return fmt::format(" Try --max-seconds {:.0f} or an idle machine.", *result.seconds_needed);
  if (result.ratio.high - result.ratio.low <= 2 * result.margin)
    return fmt::format(
        " The difference is too near the margin of ±{:.2g} % to be told from it: --margin takes "
        "another.",
        100 * result.margin);
  return " This machine is too noisy: try an idle one.";
}

}  // namespace

std::string comparison_sentence(std::string_view a, std::string_view b, core::Comparison word) {
  switch (word) {
    case core::Comparison::faster:
      return fmt::format("{} is faster than {}", b, a);
    case core::Comparison::slower:
      return fmt::format("{} is slower than {}", b, a);
    case core::Comparison::same:
      return fmt::format("{} takes the same time as {}", b, a);
    case core::Comparison::cannot_tell:
      break;
  }
  return fmt::format(
      "cannot tell whether {} is faster than {} (an idle machine, or `hone compare` with more "
      "--max-seconds or another --margin, may tell)",
      b, a);
}

std::string comparison_text(const std::string& a, const std::string& b,
                            const judge::ComparisonResult& result, const Screen& screen) {
  std::string text = fmt::format("{}: {:.4f} of the time of {} (99 %: {:.4f} to {:.4f})",
                                 claim(b, result.word, screen), result.ratio_estimate, a,
                                 result.ratio.low, result.ratio.high);
  if (result.word == core::Comparison::cannot_tell) text += "." + advice(result);
  return text;
}

namespace {

std::string compared_report(const std::string& a, const std::string& b,
                            const judge::ComparisonResult& result, const Screen& screen) {
  constexpr auto right = Column::Align::right;
  Table table({{"case"}, {"a", right}, {"b", right}, {"b / a", right}, {"99 %", right}});
  for (const auto& c : result.cases)
    table.add({printable(c.name), format_seconds(c.median_a), format_seconds(c.median_b),
               fmt::format("{:.4f}", c.ratio_estimate),
               fmt::format("{:.4f} – {:.4f}", c.ratio.low, c.ratio.high)});
  return fmt::format("{}\n{}{} in {}. Rule: {}.\n", comparison_text(a, b, result, screen),
                     table.text(screen), base::counted(result.rounds, "round"),
                     format_seconds(result.seconds), judge::describe(result.rule));
}

}  // namespace

std::string comparison_report(const std::string& a, const std::string& b,
                              const judge::ComparisonResult& result, const core::DeviceInfo& device,
                              const Screen& screen) {
  if (result.compared) return compared_report(a, b, result, screen);
  std::string text = result.refusal.empty() ? "" : printable(result.refusal) + "\n";
  for (const auto& [name, side] : {std::pair{&a, &result.a}, std::pair{&b, &result.b}})
    if (side->outcome != core::Outcome::accepted && judge::was_judged(*side))
      text += fmt::format("{}: {}", *name, evaluation_report(*side, device, screen));
  return text;
}

}  // namespace hone::text
