// Fences and releases that publish to more than the readers, or publish nothing: the warp stands
// until all its earlier accesses are seen at that scope.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "fences";
// A fence that is needed is met once a block or a tile; one in twenty of all cycles means one in
// the inner loop.
constexpr double least = 0.05;

// What the line has, and what to write instead.
struct FenceFix {
  std::string_view word, instead;
};
constexpr FenceFix forms[] = {
    {".release.cluster",
     "the release at cluster scope publishes everything written before it; where the thread has "
     "only read (a consumer that gives a slot back), nothing needs publishing: use the plain form "
     "without `.release.cluster`"},
    {".acq_rel.cluster",
     "order at cluster scope only what other blocks read: the plain form, or `.release` once after "
     "the last write"},
    {".release.gpu",
     "release at GPU scope once after the last write, by one thread behind a barrier of the block, "
     "not in each thread or step"},
    {".acq_rel.gpu",
     "order at GPU scope once after the last write, by one thread behind a barrier of the block"},
    {"__threadfence_system",
     "`__threadfence()` unless the host or another device reads it while the kernel runs"},
    {"__threadfence",
     "`__threadfence_block()` where only this block reads it; otherwise one fence by one thread "
     "behind `__syncthreads()`, after the last write"},
    {"fence.sc", "`fence.acq_rel`, which does not order reads after writes"},
    {"memory_order_seq_cst", "`memory_order_release` and `memory_order_acquire`"},
    {"membar.gl", "`membar.cta` where only this block reads it"},
};

std::optional<core::Advice> look(const Facts& facts) {
  if (!is_the_wait(facts, "membar", least)) return std::nullopt;
  std::vector<std::string_view> words;
  for (const auto& form : forms) words.push_back(form.word);
  StallReading reading{name, "membar", "for a memory barrier", least};
  reading.place = where(facts, {"membar"}, words);
  const auto word = word_in(facts, reading.place, words);
  const auto* form = std::find_if(std::begin(forms), std::end(forms),
                                  [&](const FenceFix& one) { return one.word == word; });
  reading.title = "Fences are stronger than needed";
  reading.cause =
      "Warps stand until all their earlier accesses are visible to a wider scope than is "
      "needed there.";
  reading.recommendation =
      form != std::end(forms)
          ? fmt::format("Replace `{}` {}: {}.", form->word, reading.place.text, form->instead)
          : fmt::format(
                "Weaken the fence {}: the narrowest scope that covers the readers (block, cluster, "
                "GPU), a release instead of a full fence, the plain form where nothing was "
                "written, and one thread behind a barrier instead of all.",
                reading.place.text);
  reading.also = fmt::format(
      "The code has {:.0f} MEMBAR ({:.0f} at GPU or system scope) and {:.0f} ERRBAR.",
      facts.get(tag::sass_membar).value_or(0), facts.get(tag::sass_membar_gpu).value_or(0),
      facts.get(tag::sass_errbar).value_or(0));
  auto advice = stall_advice(facts, std::move(reading));
  if (!advice || uses_wgmma(facts)) return advice;  // there other warps load while one stands
  // A warp that stands at a fence asks for nothing ahead: the waits for its loads are one by one,
  // and overlap without it.
  const double serial = stalls(facts, {"membar", "long_scoreboard"});
  const double rest = std::max(1 - serial, busiest(facts));
  gain_up_to(*advice, facts, rest,
             fmt::format("At the high end the waits for loads between the fences overlap as well "
                         "({} in all), until the busiest unit binds.",
                         percent(serial)));
  return advice;
}

}  // namespace

Tool builtin::fences() {
  return {name,
          "Memory barriers and releases that are stronger than needed.",
          {},
          Hardware::nvidia,
          false,
          {"kernel.stall.membar", tag::issue_fraction},
          "at least 5 % of the warps' cycles at memory barriers",
          look};
}

}  // namespace hone::profile
