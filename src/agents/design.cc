#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agents/answers.h"
#include "agents/json_reply.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

using nlohmann::json;

// Ten avenues and five experiments are asked for. Fewer than these are too few to choose from; more
// do no harm, up to a point.
constexpr std::size_t fewest_avenues = 5, most_avenues = 40, fewest_experiments = 3,
                      most_experiments = 20;
constexpr std::size_t longest_id = 40;                 // of an advice that was not given, in a note
constexpr double most_gain = 100, least_gain = -1000;  // percent of the basis's time

// [min, max], {"min": …, "max": …}, or one number for both.
std::optional<std::pair<double, double>> range_in(const json& value) {
  std::optional<double> low, high;
  if (value.is_array() && value.size() == 2) {
    low = number_in(value[0]), high = number_in(value[1]);
  } else if (value.is_object()) {
    const auto *from = field(value, {"min", "low", "minimum"}),
               *to = field(value, {"max", "high", "maximum"});
    if (from != nullptr && to != nullptr) low = number_in(*from), high = number_in(*to);
  } else {
    low = high = number_in(value);
  }
  if (!low || !high) return std::nullopt;
  return std::minmax(*low, *high);
}

// A list of ids, or one of them; whatever is none of those shown is dropped, and said.
std::vector<std::string> cited_in(const json& value, const std::vector<std::string>& shown,
                                  const std::string& which, std::vector<std::string>& notes) {
  std::vector<std::string> cited;
  const auto take = [&](const json& one) {
    const std::string text = text_in(one);
    if (text.empty()) return;
    const auto known = std::find_if(shown.begin(), shown.end(), [&](const std::string& id) {
      return lower(id) == lower(trimmed(text));
    });
    if (known == shown.end())
      notes.push_back(
          fmt::format("{} cites the advice \"{}\", which was not given: it is left out.", which,
                      in_one_line(text, longest_id)));
    else if (std::find(cited.begin(), cited.end(), *known) == cited.end())
      cited.push_back(*known);
  };
  if (value.is_array())
    for (const auto& one : value) take(one);
  else
    take(value);
  return cited;
}

// What is wrong with the experiment, "" if nothing is; `which` opens the sentence.
std::string read_experiment(const json& value, const std::string& which, Probes probes,
                            Experiment& experiment) {
  if (!value.is_object()) return which + " is not a JSON object.";
  const auto text = [&](const char* name) {
    const auto* found = field(value, {name});
    return found == nullptr ? std::string() : text_in(*found);
  };
  experiment.description = text("description");
  if (experiment.description.empty()) return which + " has no \"description\".";
  experiment.rubric = text("rubric");
  if (experiment.rubric.empty())
    return which + " has no \"rubric\": the steps to take and how to see that they were taken.";
  const auto* gain = field(value, {"performance", "performance_gain", "gain"});
  const auto range = gain == nullptr ? std::nullopt : range_in(*gain);
  if (!range) return which + " has no \"performance\": [min, max], two numbers in percent.";
  if (range->second > most_gain || range->first < least_gain)
    return fmt::format(
        "{}: \"performance\" is the part of the basis's time that is saved, in percent, so at most "
        "100 (twice as fast is 50, ten times as fast is 90); you wrote [{:g}, {:g}].",
        which, range->first, range->second);
  std::tie(experiment.gain_low, experiment.gain_high) = *range;
  const auto* innovation = field(value, {"innovation"});
  const auto number = innovation == nullptr ? std::nullopt : number_in(*innovation);
  if (!number) return which + " has no \"innovation\": a number from 0 to 100.";
  experiment.innovation = std::clamp(*number, 0.0, 100.0);
  const auto kind = lower(text("kind"));
  if (!kind.empty() && kind != "kernel" && kind != "probe")
    return fmt::format("{}: \"kind\" is \"kernel\" or \"probe\", not \"{}\".", which,
                       in_one_line(kind, 40));
  if (kind == "probe" && probes == Probes::no)
    return which +
           ": there are no probes here, because nothing could run them; \"kind\" is \"kernel\".";
  experiment.kind = kind == "probe" ? Experiment::Kind::probe : Experiment::Kind::kernel;
  return "";
}

}  // namespace

base::Result<Design> parse_design(const llm::Reply& reply, const std::vector<std::string>& advice,
                                  Probes probes) {
  const auto object = object_in(reply, {"experiments", "avenues"});
  if (!object) return base::Failure{object.error()};
  Design design;
  std::string complaints;
  if (const auto* avenues = field(*object, {"avenues"}); avenues != nullptr && avenues->is_array())
    for (const auto& avenue : *avenues)
      if (auto text = text_in(avenue); !text.empty() && design.avenues.size() < most_avenues)
        design.avenues.push_back(std::move(text));
  if (design.avenues.size() < fewest_avenues)
    complaints +=
        fmt::format("\"avenues\" has {} usable entries; list 10 different ones, each a sentence.\n",
                    design.avenues.size());
  const auto* experiments = field(*object, {"experiments"});
  const auto count = experiments != nullptr && experiments->is_array() ? experiments->size() : 0;
  if (count < fewest_experiments)
    complaints += fmt::format("\"experiments\" has {} entries; write 5.\n", count);
  for (std::size_t i = 0; i < std::min(count, most_experiments); ++i) {
    Experiment experiment;
    const std::string which = fmt::format("Experiment {}", i + 1);
    if (const auto wrong = read_experiment((*experiments)[i], which, probes, experiment);
        !wrong.empty()) {
      complaints += wrong + "\n";
      continue;
    }
    if (const auto* cited = field((*experiments)[i], {"advice"}))
      experiment.advice = cited_in(*cited, advice, which, design.notes);
    design.experiments.push_back(std::move(experiment));
  }
  if (!complaints.empty()) return base::Failure{std::string(trimmed(complaints))};
  return design;
}

Experiment recorded_experiment(const std::string& text) {
  Experiment experiment;
  const auto object = json::parse(text, nullptr, false);
  const auto text_of = [&](const char* name) {
    const auto* found = field(object, {name});
    return found == nullptr ? std::string() : text_in(*found);
  };
  experiment.kind = text_of("kind") == "probe" ? Experiment::Kind::probe : Experiment::Kind::kernel;
  experiment.description = text_of("description");
  experiment.rubric = text_of("rubric");
  if (const auto* gain = field(object, {"performance"}))
    if (const auto range = range_in(*gain))
      std::tie(experiment.gain_low, experiment.gain_high) = *range;
  if (const auto* innovation = field(object, {"innovation"}))
    experiment.innovation = number_in(*innovation).value_or(0);
  if (const auto* cited = field(object, {"advice"}); cited != nullptr && cited->is_array())
    for (const auto& one : *cited)
      if (auto id = text_in(one); !id.empty()) experiment.advice.push_back(std::move(id));
  return experiment;
}

}  // namespace hone::agents
