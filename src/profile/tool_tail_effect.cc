// The last wave of blocks leaves most SMs idle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "tail-effect";
constexpr double least_loss = 0.1;  // of the time, if all blocks take equally long
constexpr double seen_loss =
    0.04;  // of the SMs' time that was really idle: below it the blocks even out

std::optional<core::Advice> look(const Facts& facts) {
  const double waves = *facts.get(tag::waves);
  if (waves <= 1) return std::nullopt;
  const double loss = 1 - waves / std::ceil(waves);
  const auto mean = facts.get(tag::sm_active_mean), most = facts.get(tag::sm_active_max);
  const double idle = mean && most && *most > 0 ? 1 - *mean / *most : loss / 2;
  if (loss < least_loss || idle < seen_loss) return std::nullopt;
  const double blocks = blocks_of(facts), a_wave = blocks / waves;
  auto advice = advise(facts, name, "The last wave of blocks is nearly empty");
  advice.evidence = fmt::format(
      "{:.0f} blocks are {:.2f} waves of {:.0f}: if all take equally long, {} of the time is lost "
      "in the last one (looked at from {}); SMs were idle for {} of the launch (from {}).",
      blocks, waves, a_wave, percent(loss), percent(least_loss), percent(idle), percent(seen_loss));
  advice.cause =
      fmt::format("The grid of {:.0f} blocks is not a multiple of the {:.0f} that run at once.",
                  blocks, a_wave);
  advice.recommendation = fmt::format(
      "Choose the tile{} so that the grid is just below a multiple of {:.0f}, make blocks smaller, "
      "or launch {:.0f} blocks that fetch their tiles in a loop (a persistent kernel).",
      tunables_text(facts).empty() ? "" : " (" + tunables_text(facts) + ")", a_wave, a_wave);
  return worth(
      std::move(advice), gain_if(facts, 1 - std::min(idle, loss), 1 - std::max(idle, loss)),
      "Waves times their length: at the high end the time falls from the whole number of waves to "
      "the fraction that has work; at the low end by the idle time of the SMs that was seen.");
}

}  // namespace

Tool builtin::tail_effect() {
  return {name,
          "A last wave of blocks that leaves most SMs idle.",
          {},
          Hardware::nvidia,
          false,
          {tag::waves},
          "more than one wave, at least 10 % lost if blocks take equally long, and SMs idle for at "
          "least 4 %",
          look};
}

}  // namespace hone::profile
