#include "search/own_experiments.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::search {

using core::Experiment;
using core::Node;

namespace {

constexpr std::size_t most_steps = 4;          // of a node's history, the newest
constexpr std::size_t longest_step = 600;      // bytes of a description
constexpr double bold = 60, questioning = 50;  // innovation of a combination, and of a probe

std::string shortened(const std::string& text) {
  return text.size() <= longest_step ? text : text.substr(0, longest_step) + " …";
}

// The experiments by which a node came to be, newest first.
std::string steps_of(const core::Tree& tree, core::NodeId number) {
  std::string text;
  std::size_t steps = 0;
  for (const Node* at = tree.node(number); at != nullptr && steps < most_steps;
       at = tree.node(at->basis))
    if (const core::Intent* intent = tree.intent(at->intent)) {
      text += fmt::format("\n- {:05}: {}", at->number, shortened(intent->experiment.description));
      ++steps;
    }
  return text.empty() ? " it was written from nothing." : text;
}

}  // namespace

Experiment general_experiment() {
  return {.description =
              "Make the basis faster by the change you expect most of, given its distance from the "
              "ceiling.",
          .rubric = "Whatever is faster and right."};
}

Experiment combination_of(const core::Tree& tree, core::NodeId basis, core::NodeId reference,
                          const std::string& places, double gain) {
  return {.kind = Experiment::Kind::combination,
          .description = fmt::format(
              "Unite what made the basis {:05} fast with what made the reference {:05} fast, in "
              "one kernel. {}\n\nHow the basis came to be, the newest step first:{}\n\nHow the "
              "reference came to be:{}",
              basis, reference, places, steps_of(tree, basis), steps_of(tree, reference)),
          .rubric =
              "Name in the report what each of the two kernels does that the other does not. The "
              "source has the decisive change of the reference and keeps all of the basis's; where "
              "both cannot be had at once, take the faster one for each case and say so.",
          .gain_low = 0,
          .gain_high = std::max(0.0, gain),
          .innovation = bold};
}

Experiment probe_between(const Experiment& one, const Experiment& other) {
  return {.kind = Experiment::Kind::probe,
          .description = fmt::format(
              "Two designs contradict each other. One expects {:g} to {:g} % of \"{}\", the other "
              "{:g} to {:g} % of \"{}\". Measure the quantity on which they differ, by the "
              "smallest program that shows it: which of the two holds on this device?",
              one.gain_low, one.gain_high, shortened(one.description), other.gain_low,
              other.gain_high, shortened(other.description)),
          .rubric = "Each number decides between the two predictions, and its label says how.",
          .gain_low = 0,
          .gain_high = 0,
          .innovation = questioning};
}

}  // namespace hone::search
