#include "profile/program_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/source_lines.h"

namespace hone::profile {
namespace {

using nlohmann::json;

constexpr std::size_t most_advice = 16, longest_text = 4000, longest_complaint = 300,
                      longest_quote = 60;

// Thrown and caught in this file.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};
template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw Refused(fmt::format(format, std::forward<Args>(args)...));
}

std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() > longest_quote ? text.substr(0, longest_quote) + "..." : text;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// Never in the middle of a character.
std::string cut(const std::string& text, std::size_t length) {
  if (text.size() <= length) return text;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  return text.substr(0, length);
}

const json& part(const json& advice, const char* key) {
  const auto found = advice.find(key);
  if (found == advice.end()) refuse("an advice has no '{}'", key);
  return *found;
}

std::string text_of(const json& advice, const char* key) {
  const json& value = part(advice, key);
  if (!value.is_string()) refuse("'{}' is not a text but {}", key, shown(value));
  if (is_blank(value.get<std::string>())) refuse("'{}' is empty", key);
  return cut(value.get<std::string>(), longest_text);
}

core::Severity severity_of(const json& advice) {
  const auto severity = core::severity_from(text_of(advice, "severity"));
  if (!severity)
    refuse("a severity is one of critical, major, minor, note, not {}",
           shown(advice.at("severity")));
  return *severity;
}

core::Interval gain_of(const json& advice) {
  const json& value = part(advice, "gain");
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number())
    refuse("a gain is two numbers, [low, high], not {}", shown(value));
  const core::Interval gain{value[0].get<double>(), value[1].get<double>()};
  if (!(gain.low >= 0 && gain.low <= gain.high && gain.high <= 100))
    refuse("a gain is [low, high] with 0 <= low <= high <= 100, not {}", shown(value));
  return gain;
}

// A whole number from `least` to `most`; 2.7, 1e3 and true are none.
std::optional<int> whole(const json& value, int least, int most) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most))
    return std::nullopt;
  const auto number = value.get<std::int64_t>();
  return number >= least && number <= most ? std::optional(static_cast<int>(number)) : std::nullopt;
}

std::optional<int> launch_of(const json& advice, const Facts& facts) {
  const auto value = advice.find("launch");
  if (value == advice.end() || value->is_null()) return std::nullopt;
  for (const auto& launch : facts.plan.launches)
    if (whole(*value, launch.plan_index, launch.plan_index)) return launch.plan_index;
  refuse("it names launch {}, and the plan has no such launch", shown(*value));
}

int lines_in(std::string_view source) {
  const auto ends = std::count(source.begin(), source.end(), '\n');
  return static_cast<int>(ends) + (!source.empty() && source.back() != '\n' ? 1 : 0);
}

std::vector<int> lines_of(const json& advice, const Facts& facts) {
  std::vector<int> lines;
  const auto value = advice.find("lines");
  if (value == advice.end() || value->is_null()) return lines;
  if (!value->is_array()) refuse("'lines' is not a list but {}", shown(*value));
  const int last =
      facts.candidate == nullptr ? 0 : lines_in(core::counted_text(facts.candidate->source));
  for (const json& one : *value) {
    const auto line = whole(one, 1, last);
    if (!line) refuse("it names line {}, and the source has lines 1 to {}", shown(one), last);
    if (std::find(lines.begin(), lines.end(), *line) != lines.end()) continue;
    if (lines.size() == most_advice_lines)
      refuse("an advice names more than {} lines", most_advice_lines);
    lines.push_back(*line);
  }
  return lines;
}

core::Advice advice_from(const json& value, const Facts& facts, const std::string& tool) {
  if (!value.is_object()) refuse("an advice is an object, not {}", shown(value));
  core::Advice advice;
  advice.tool = tool;
  advice.severity = severity_of(value);
  advice.title = text_of(value, "title");
  advice.evidence = text_of(value, "evidence");
  advice.cause = text_of(value, "cause");
  advice.recommendation = text_of(value, "recommendation");
  advice.model = text_of(value, "model");
  advice.gain = gain_of(value);
  advice.launch = launch_of(value, facts);
  advice.lines = lines_of(value, facts);
  return advice;
}

std::vector<core::Advice> all_of(const json& answer, const Facts& facts, const std::string& tool) {
  const auto list = answer.find("advice");
  if (list == answer.end() || !list->is_array())
    refuse("it has no list 'advice', and no 'left_out'");
  if (list->size() > most_advice) refuse("it gives more than {} pieces of advice", most_advice);
  std::vector<core::Advice> all;
  for (const json& one : *list) all.push_back(advice_from(one, facts, tool));
  return all;
}

}  // namespace

base::Result<std::vector<core::Advice>> read_answer(const std::string& text, const Facts& facts,
                                                    const std::string& tool) {
  if (is_blank(text)) return base::Failure{std::string("it answered nothing")};
  const json answer = json::parse(text, nullptr, false);
  if (answer.is_discarded()) return base::Failure{"its answer is not JSON: " + shown(json(text))};
  if (!answer.is_object()) return base::Failure{"its answer is not an object but " + shown(answer)};
  try {
    if (answer.contains("left_out"))
      return base::Failure{cut(text_of(answer, "left_out"), longest_complaint)};
    return all_of(answer, facts, tool);
  } catch (const Refused& refused) {
    return base::Failure{fmt::format("its answer makes no sense: {}", refused.what())};
  }
}

}  // namespace hone::profile
