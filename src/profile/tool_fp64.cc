// Double precision in a task that has none: a literal without `f`, or a function of the wrong type.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/instructions.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "fp64-by-accident";
constexpr double least_pipe =
    0.03;  // of the double-precision pipe; a constant folded once is nothing

bool task_has_f64(const Facts& facts) {
  if (facts.roofline.flops_by_kind.contains("f64")) return true;
  return std::any_of(
      facts.plan.buffers.begin(), facts.plan.buffers.end(),
      [](const core::ResolvedBuffer& buffer) { return buffer.dtype == core::DType::f64; });
}

// Lines with a floating literal that has no suffix, or with the word itself.
std::vector<std::string_view> literals(const Facts& facts, std::vector<std::string>& storage) {
  const std::string& source = facts.candidate->source;
  const auto digit = [&](std::size_t i) {
    return i < source.size() && std::isdigit(static_cast<unsigned char>(source[i])) != 0;
  };
  const auto name_like = [&](std::size_t i) {
    return i < source.size() &&
           (std::isalnum(static_cast<unsigned char>(source[i])) != 0 || source[i] == '_');
  };
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!digit(i) || (i > 0 && (name_like(i - 1) || source[i - 1] == '.'))) continue;
    std::size_t end = i;
    while (digit(end)) ++end;
    if (end < source.size() && source[end] == '.') {
      do ++end;
      while (digit(end));
      if (!name_like(end) && (end >= source.size() || source[end] != '.'))
        storage.push_back(source.substr(i, end - i));
    }
    i = end;
  }
  std::vector<std::string_view> words{"double"};
  words.insert(words.end(), storage.begin(), storage.end());
  return words;
}

std::optional<core::Advice> look(const Facts& facts) {
  const double code = *facts.get(tag::sass_f64);
  const auto pipe = facts.get(tag::pipe_fp64);
  if (code <= 0 || task_has_f64(facts) || (pipe && *pipe < least_pipe)) return std::nullopt;
  const auto mix = loop_mix(facts);
  if (!pipe && (!mix.in_loops || mix.f64 <= 0)) return std::nullopt;
  std::vector<std::string> storage;
  const auto place = facts.candidate != nullptr ? where_written(facts, literals(facts, storage))
                                                : where_stalled(facts, {});
  // Half the rate where double precision is meant for science, a thirty-second elsewhere at best.
  const int arch = architecture(facts.device);
  const double rate = arch == 80 || arch == 90 || arch == 100 ? 0.5 : 1.0 / 32;
  auto advice = advise(facts, name, "Double precision by accident", place);
  advice.evidence = fmt::format(
      "The code has {:.0f} double-precision instructions ({:.0f} in its inner loops), though the "
      "task has no double anywhere; the double-precision pipe is {} busy (looked at from {}).",
      code, mix.f64, pipe ? percent(*pipe) : "unknown", percent(least_pipe));
  advice.cause =
      "A literal without `f`, or a function for doubles, turns the arithmetic around it into "
      "double precision.";
  advice.recommendation =
      fmt::format("Write `1.0f` for `1.0`, `expf` for `exp`, and so on, {}.", place.text);
  const double used = pipe.value_or(0), total = std::max(1.0, mix.total);
  if (!pipe)
    return worth(std::move(advice), gain_if(facts, 1, 1 - mix.f64 / total),
                 "At the high end the double-precision instructions of the inner loops go; "
                 "counters were not read, so nothing is promised at the low end.");
  // Conversions go by the unit of special functions, at a sixteenth of the rate of arithmetic or
  // less.
  const double converting = facts.get("kernel.pipe.xu").value_or(0) * mix.convert /
                            std::max(1.0, mix.convert + mix.special);
  const double busy = std::max(used * (1 - rate), converting);
  const double waits =
      stalls(facts, {"math_pipe_throttle", "short_scoreboard", "mio_throttle", "wait"});
  // What remains: the same arithmetic in single precision, the issue slots without conversions, the
  // bytes.
  const double next =
      std::max({used * rate + facts.get("kernel.pipe.fma").value_or(0),
                facts.get(tag::issue_fraction).value_or(0) * (1 - mix.convert / total),
                memory_of_ceiling(facts).value_or(0)});
  return worth(
      std::move(advice),
      gain_if(facts, std::max(1 - busy * (1 - next), next), std::max(1 - busy - waits, next)),
      fmt::format("Single precision runs at {:.0f} times the rate and needs no conversions: the "
                  "time in that pipe ({}) or in converting ({}) goes (low), and the waits for them "
                  "({}) too (high), until what remains ({}) binds.",
                  1 / rate, percent(used), percent(converting), percent(waits), percent(next)));
}

}  // namespace

Tool builtin::fp64() {
  return {name,
          "Double precision that the task does not ask for.",
          {core::Bound::memory, core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::sass_f64},
          "double-precision instructions in a task without doubles, the pipe at least 3 % busy "
          "(without counters: in inner loops)",
          look};
}

}  // namespace hone::profile
