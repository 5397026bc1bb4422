#include "search/strategy.h"

#include <fmt/format.h>

#include "base/error.h"
#include "search/greedy.h"
#include "search/mcts.h"
#include "search/oneshot.h"
#include "search/scientist.h"

namespace hone::search {

std::unique_ptr<Strategy> make_strategy(std::string_view name, const StrategySettings& settings) {
  if (name == "scientist") return std::make_unique<Scientist>(settings);
  if (name == "mcts") return std::make_unique<Mcts>(settings);
  if (name == "greedy") return std::make_unique<Greedy>(settings);
  if (name == "oneshot") return std::make_unique<OneShot>(settings);
  base::fail(base::ExitCode::usage, "--strategy {}: it is scientist, mcts, greedy or oneshot",
             name);
}

bool has_generations(std::string_view name) { return name != "mcts" && name != "greedy"; }

}  // namespace hone::search
