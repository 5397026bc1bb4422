#include "core/evaluation.h"

#include "core/candidate.h"

namespace hone::core {
namespace {

constexpr std::string_view outcome_names[] = {
    "accepted", "build_failed", "launch_failed", "wrong",    "timed_out",
    "crashed",  "cheating",     "below_floor",   "rejected", "undecided"};

}  // namespace

std::string_view name_of(Outcome outcome) {
  return outcome_names[static_cast<std::size_t>(outcome)];
}

std::optional<Outcome> outcome_from(std::string_view name) {
  for (std::size_t i = 0; i < std::size(outcome_names); ++i)
    if (outcome_names[i] == name) return static_cast<Outcome>(i);
  return std::nullopt;
}

Outcome outcome_of(const Evaluation& evaluation, const CaseResult& result) {
  if (evaluation.outcome == Outcome::accepted) return Outcome::accepted;
  bool names_a_case = false;
  for (const Evidence& one : evaluation.evidence) {
    if (!one.convicts || one.case_name.empty()) continue;
    if (one.case_name == result.name) return evaluation.outcome;
    names_a_case = true;
  }
  // What names no case came up in the last one that was begun.
  const bool is_last = !evaluation.cases.empty() && evaluation.cases.back().name == result.name;
  return is_last && !names_a_case ? evaluation.outcome : Outcome::accepted;
}

std::string_view name_of(Depth depth) { return depth == Depth::screen ? "screen" : "certify"; }

std::optional<Depth> depth_from(std::string_view name) {
  if (name == "screen") return Depth::screen;
  if (name == "certify") return Depth::certify;
  return std::nullopt;
}

std::string_view name_of(Language language) {
  switch (language) {
    case Language::cuda:
      return "cuda";
    case Language::opencl:
      return "opencl";
    case Language::fake:
      return "fake";
    case Language::python:
      return "python";
    default:
      return "external";
  }
}

std::optional<Language> language_from(std::string_view name) {
  for (const auto language :
       {Language::cuda, Language::opencl, Language::fake, Language::external, Language::python})
    if (name_of(language) == name) return language;
  return std::nullopt;
}

}  // namespace hone::core
