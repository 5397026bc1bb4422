// Jobs and results as text: see run/job.h. JSON stops here.
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "core/device_json.h"
#include "core/evaluation_json.h"
#include "core/json.h"
#include "core/profile_json.h"
#include "run/job.h"
#include "store/comparison_json.h"
#include "task/candidate_loader.h"

namespace hone::run {
namespace {

using core::json_line;
using core::number;
using core::number_from;
using nlohmann::json;

json source_json(const core::Candidate& candidate) {
  return {{"source", candidate.source},
          {"language", core::name_of(candidate.language)},
          {"name", candidate.name}};
}

core::Language language_in(const json& value) {
  const auto word = value.at("language").get<std::string>();
  return core::known(core::language_from(word), word, "language");
}

core::Outcome outcome_in(const json& value) {
  const auto word = value.at("outcome").get<std::string>();
  return core::known(core::outcome_from(word), word, "outcome");
}

core::Candidate candidate_in(const json& value) {
  const std::string name = value.at("name");
  auto candidate = task::candidate_from(value.at("source"), language_in(value), name);
  if (!candidate)
    base::fail(base::ExitCode::bad_input, "its candidate cannot be read: {}",
               base::render(candidate.error(), value.at("source").get<std::string>()));
  return *std::move(candidate);
}

json probe_json(const judge::ProbeResult& probe) {
  json list = json::array();
  for (const auto& one : probe.numbers) list.push_back({one.label, number(one.value)});
  return {{"numbers", list}, {"seconds", number(probe.seconds)}};
}

judge::ProbeResult probe_from(const json& v) {
  judge::ProbeResult probe;
  for (const auto& one : v.at("numbers"))
    probe.numbers.push_back({one.at(0), number_from(one.at(1))});
  probe.seconds = number_from(v.at("seconds"));
  return probe;
}

// Parses and converts; whatever is wrong becomes a sentence.
template <typename T, typename Convert>
base::Result<T> read_text(const std::string& text, const char* what, Convert convert) {
  const auto failure = [&](const std::string& why) {
    return base::Failure{fmt::format("this is no {} of a format this hone knows: {}", what, why)};
  };
  try {
    const json value = json::parse(text);
    if (value.at("format") != job_format)
      return failure(fmt::format("its format is {}, and this hone knows {}",
                                 value.at("format").dump(), job_format));
    return convert(value);
  } catch (const json::exception& error) {
    return failure(error.what());
  } catch (const base::Error& error) {
    return failure(error.what());
  }
}

}  // namespace

std::string to_text(const Job& job) {
  json value = {{"format", job_format},
                {"name", job.name},
                {"task_folder", job.task_folder.string()},
                {"task", job.task},
                {"language", core::name_of(language_of(job))},
                {"depth", core::name_of(job.depth)},
                {"case", job.case_name},
                {"fresh", job.fresh},
                {"call_seconds", number(job.call_seconds)}};
  if (job.candidate) {
    value["candidate"] = source_json(*job.candidate);
    value["point"] = job.point;
  }
  if (job.compare_with) {
    value["compare_with"] = source_json(*job.compare_with);
    value["compare_point"] = job.compare_point;
    value["compare_under"] = number(job.compare_under);
    value["certify_if_faster"] = job.certify_if_faster;
    value["rivals"] = job.rivals;
  }
  if (job.seed) value["seed"] = source_json(*job.seed);
  if (job.probe) value["probe"] = *job.probe;
  if (job.profile)
    value["profile"] = {
        {"evaluation", job.profile->evaluation ? core::to_json(*job.profile->evaluation) : json()},
        {"under", job.profile->under}};
  return json_line(value);
}

base::Result<Job> job_from(const std::string& text) {
  return read_text<Job>(text, "job", [](const json& v) {
    Job job;
    job.name = v.at("name");
    job.task_folder = v.at("task_folder").get<std::string>();
    job.task = v.at("task");
    const auto depth = v.at("depth").get<std::string>();
    job.depth = core::known(core::depth_from(depth), depth, "depth");
    job.case_name = v.at("case");
    job.fresh = v.at("fresh");
    job.call_seconds = number_from(v.at("call_seconds"));
    job.probe_language = language_in(v);
    if (v.contains("candidate")) {
      job.candidate = candidate_in(v.at("candidate"));
      job.point = v.at("point").get<core::Point>();
    }
    if (v.contains("compare_with")) {
      job.compare_with = candidate_in(v.at("compare_with"));
      job.compare_point = v.at("compare_point").get<core::Point>();
      job.compare_under = number_from(v.at("compare_under"));
      job.certify_if_faster = v.at("certify_if_faster");
      job.rivals = v.value("rivals", "");
    }
    if (v.contains("seed")) job.seed = candidate_in(v.at("seed"));
    if (v.contains("probe")) job.probe = v.at("probe").get<std::string>();
    if (v.contains("profile")) {
      job.profile.emplace();
      job.profile->under = v.at("profile").value("under", 0.0);
      if (const json& known = v.at("profile").at("evaluation"); !known.is_null())
        job.profile->evaluation = core::evaluation_from(known);
    }
    return job;
  });
}

std::string to_text(const JobResult& result) {
  json value = {{"format", job_format},
                {"name", result.name},
                {"content", result.content},
                {"device", core::to_json(result.device)},
                {"ceilings", core::to_json(result.ceilings)},
                {"seconds", number(result.seconds)}};
  if (result.evaluation) value["evaluation"] = core::to_json(*result.evaluation);
  if (result.comparison) value["comparison"] = store::to_json(*result.comparison);
  if (result.certified) value["certified"] = core::to_json(*result.certified);
  if (result.certified_afresh) value["certified_afresh"] = true;
  if (result.beside_seed) value["beside_seed"] = store::to_json(*result.beside_seed);
  if (!result.not_compared.empty()) value["not_compared"] = result.not_compared;
  if (result.profile) value["profile"] = core::to_json(*result.profile);
  if (!result.not_profiled.empty()) value["not_profiled"] = result.not_profiled;
  if (result.probe) value["probe"] = probe_json(*result.probe);
  if (result.probe_failure)
    value["probe_failure"] = {{"outcome", core::name_of(result.probe_failure->outcome)},
                              {"text", result.probe_failure->text}};
  if (!result.error.empty()) value["error"] = result.error;
  return json_line(value);
}

base::Result<JobResult> result_from(const std::string& text) {
  return read_text<JobResult>(text, "result", [](const json& v) {
    JobResult result;
    result.name = v.at("name");
    result.content = v.value("content", "");
    result.device = core::device_from(v.at("device"));
    result.ceilings = core::ceilings_from(v.at("ceilings"));
    result.seconds = number_from(v.at("seconds"));
    if (v.contains("evaluation")) result.evaluation = core::evaluation_from(v.at("evaluation"));
    if (v.contains("comparison")) result.comparison = store::comparison_from(v.at("comparison"));
    if (v.contains("certified")) result.certified = core::evaluation_from(v.at("certified"));
    result.certified_afresh = v.value("certified_afresh", false);
    if (v.contains("beside_seed")) result.beside_seed = store::comparison_from(v.at("beside_seed"));
    result.not_compared = v.value("not_compared", "");
    if (v.contains("profile")) result.profile = core::profile_from(v.at("profile"));
    result.not_profiled = v.value("not_profiled", "");
    if (v.contains("probe")) result.probe = probe_from(v.at("probe"));
    if (v.contains("probe_failure")) {
      const json& failure = v.at("probe_failure");
      result.probe_failure = {outcome_in(failure), failure.at("text")};
    }
    result.error = v.value("error", "");
    return result;
  });
}

}  // namespace hone::run
