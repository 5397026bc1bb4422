#include "search/stop_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "search/generations.h"
#include "search/speeds.h"

namespace hone::search {
namespace {

using core::Node;
using core::Tree;

// The window is --stop-after-flat times --width candidates (15 by default), more where much is left
// and fewer where little is. Half of the time left is the middle: a kernel at 47 % of its ceilings
// gets the 15, one at 10 % gets 27, one at 80 % gets 8.
constexpr double weight_of_what_is_left = 2;
constexpr double least_weight = 0.5, most_weight = 2;
// The window shrinks where a candidate has become dearer than those before, and grows where it has
// become cheaper, up to these factors.
constexpr double least_price = 0.5, most_price = 2;
// The window is flat if it brought less than this part of what is left: a twentieth of 90 % is
// 4.5 % in 27 candidates, of 16 % it is 0.8 % in eight.
constexpr double worth_of_what_is_left = 0.05;
// Where no ceiling is known, what is left is not either: half is assumed.
constexpr double unknown_left = 0.5;
// A case that is faster than its ceiling beats a measurement that was not meant for it.
constexpr double beaten = 1.05;

bool came_to_something(const Node& node) {
  return !core::is_given(node.place.origin) &&
         (node.verdict.has_value() || node.state == Node::State::unusable);
}

void read_distance(StopFigures& figures, const core::Verdict& verdict, double reachable) {
  double log_left = 0;
  int timed = 0;
  for (const auto& c : verdict.cases) {
    if (!c.timed) continue;
    ++timed;
    if (!c.ceiling_fraction || c.other_units || *c.ceiling_fraction > beaten ||
        *c.ceiling_fraction <= 0)
      return;
    figures.reached = std::min(figures.reached.value_or(1), *c.ceiling_fraction);
    log_left += std::log(std::min(1.0, *c.ceiling_fraction / reachable));
  }
  if (timed > 0) figures.left = 1 - std::exp(log_left / timed);
}

double cost_of(const Node& node, bool in_dollars) {
  return in_dollars ? node.cost.usd
                    : static_cast<double>(node.cost.tokens_in + node.cost.tokens_out);
}

// Of a candidate of the window over one before it, in dollars, or in tokens where those are not
// known.
double price_of(const std::vector<const Node*>& judged, std::size_t window) {
  const std::size_t before = judged.size() - window;
  for (const bool in_dollars : {true, false}) {
    double earlier = 0, lately = 0;
    for (std::size_t i = 0; i < judged.size(); ++i)
      (i < before ? earlier : lately) += cost_of(*judged[i], in_dollars);
    if (before > 0 && window > 0 && earlier > 0 && lately > 0)
      return (lately / static_cast<double>(window)) / (earlier / static_cast<double>(before));
  }
  return 1;
}

int size_of(const StrategySettings& settings, double left, double price) {
  const double weight = std::clamp(weight_of_what_is_left * left, least_weight, most_weight);
  const double wanted = settings.stop_after_flat * std::max(1, settings.width) * weight /
                        std::clamp(price, least_price, most_price);
  return std::max(1, static_cast<int>(std::ceil(wanted)));
}

}  // namespace

StopFigures stop_figures(const Tree& tree, const StrategySettings& settings) {
  StopFigures figures;
  const Node* incumbent = core::incumbent_of(tree);
  if (incumbent == nullptr || !incumbent->verdict) return figures;
  figures.incumbent = incumbent->number;
  const double reachable = settings.stop_at_ceiling > 0 ? settings.stop_at_ceiling : 1;
  read_distance(figures, *incumbent->verdict, reachable);
  std::vector<const Node*> judged;
  for (const Node& node : tree.nodes)
    if (came_to_something(node)) judged.push_back(&node);
  figures.judged = static_cast<int>(judged.size());
  if (settings.stop_after_flat <= 0) return figures;
  const double left = figures.left.value_or(unknown_left);
  const auto bounded = [&](int size) {
    return std::min(judged.size(), static_cast<std::size_t>(size));
  };
  figures.price = price_of(judged, bounded(size_of(settings, left, 1)));
  figures.window = size_of(settings, left, figures.price);
  const std::size_t seen = bounded(figures.window);
  for (std::size_t i = judged.size() - seen; i < judged.size(); ++i) {
    figures.usd += judged[i]->cost.usd;
    figures.tokens += judged[i]->cost.tokens_in + judged[i]->cost.tokens_out;
  }
  if (seen == 0) return figures;
  const core::NodeId first = judged[judged.size() - seen]->number;
  const Speeds speeds = speeds_of(tree);
  const Node* before = nullptr;
  for (const auto& promotion : tree.promotions)
    if (promotion.node < first) before = tree.node(promotion.node);
  if (before != nullptr && speeds.of(before->number) && speeds.of(incumbent->number))
    figures.gained = 1 - std::exp(*speeds.of(before->number) - *speeds.of(incumbent->number));
  return figures;
}

std::string nothing_left(const Tree& tree, const StrategySettings& settings) {
  const Node* incumbent = core::incumbent_of(tree);
  if (incumbent == nullptr || !incumbent->verdict) return "";
  if (settings.stop_at_ceiling > 0 &&
      core::reached_ceiling(*incumbent->verdict, settings.stop_at_ceiling))
    return fmt::format("the incumbent reached {:.0f} % of the measured ceiling",
                       100 * settings.stop_at_ceiling);
  const StopFigures figures = stop_figures(tree, settings);
  const double left = figures.left.value_or(unknown_left);
  if (figures.window == 0 || figures.judged < figures.window ||
      figures.gained >= worth_of_what_is_left * left)
    return "";
  std::string distance = "how far its ceiling is, is not known";
  if (figures.left)
    distance = fmt::format(
        "it stands at {:.0f} % of the ceiling of its farthest case, and {:.0f} % of its time is "
        "above what can be reached",
        100 * *figures.reached, 100 * *figures.left);
  std::string cost;
  if (figures.usd > 0)
    cost = fmt::format(" and cost {:.2f} dollars", figures.usd);
  else if (figures.tokens > 0)
    cost = fmt::format(" and cost {} tokens", figures.tokens);
  if (!cost.empty() && figures.judged > figures.window)
    cost += fmt::format(", {:.1f} times as much each as those before", figures.price);
  return fmt::format(
      "nothing is left that is worth its price: {:05} is the incumbent, {}; the last {} candidates "
      "brought {:.1f} %{}",
      incumbent->number, distance, figures.window, 100 * figures.gained, cost);
}

}  // namespace hone::search
