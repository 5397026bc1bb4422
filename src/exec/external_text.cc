// Bodies of external jobs and results, and what an evaluator may answer.
#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "exec/external_executor.h"
#include "exec/external_requests.h"

namespace hone::exec {
namespace {

using base::Failure;
using base::Fields;

constexpr std::size_t longest_id = 512, longest_failure = 64u << 10;
constexpr int most_parallel = 64;

// The times of a case; of one time the whole interval.
void describe_case(Fields& f, ExternalCase& one) {
  f("name", one.name)("seconds", one.seconds);
  if (f.reading()) one.low = one.high = one.seconds;
  f.optional("seconds_low", one.low);
  f.optional("seconds_high", one.high);
}

void describe_cases(Fields& f, ExternalAnswer& answer) {
  f.list("cases", answer.cases, [&](ExternalCase& one) { describe_case(f, one); });
}

// Reads an object; what is wrong becomes a sentence. "": nothing is.
std::string problem_in(const std::string& text, const base::Description& description) {
  if (!base::is_json_object(text)) return "it is no JSON object";
  try {
    base::read_json(text, description);
    return "";
  } catch (const base::Error& error) {
    return error.what();
  }
}

// The cases that are wanted, each once and in that order; or what is wrong.
base::Result<std::vector<ExternalCase>> in_order(const std::vector<ExternalCase>& cases,
                                                 const std::vector<std::string>& wanted) {
  std::vector<ExternalCase> sorted;
  for (const auto& name : wanted) {
    const auto is_it = [&](const ExternalCase& which) { return which.name == name; };
    if (std::count_if(cases.begin(), cases.end(), is_it) != 1)
      return Failure{"it does not have case " + name + " once"};
    sorted.push_back(*std::find_if(cases.begin(), cases.end(), is_it));
  }
  if (sorted.size() != cases.size())
    return Failure{std::string("it has cases that the task does not have")};
  return sorted;
}

base::Result<ExternalAnswer> answer_from(const std::string& text,
                                         const std::vector<std::string>* wanted) {
  ExternalAnswer answer;
  std::optional<std::string> failure;
  const std::string problem = problem_in(text, [&](Fields& f) {
    f.sparse("failure", failure);
    if (!failure) describe_cases(f, answer);
  });
  if (!problem.empty()) return Failure{problem};
  if (failure) {
    answer.failure = failure->substr(0, longest_failure);
    if (answer.failure.empty()) answer.failure = "the evaluator refused it without a word";
    return answer;
  }
  for (const auto& which : answer.cases)
    if (!(which.seconds > 0 && std::isfinite(which.high) && which.low > 0 &&
          which.low <= which.seconds && which.seconds <= which.high))
      return Failure{"case " + which.name + ": its times make no sense"};
  if (wanted == nullptr) return answer;
  auto sorted = in_order(answer.cases, *wanted);
  if (!sorted) return Failure{sorted.error()};
  answer.cases = *std::move(sorted);
  return answer;
}

void describe_job(Fields& f, ExternalJob& job) {
  f("task", job.task)("extension", job.extension)("source", job.source)("cases", job.cases);
}

}  // namespace

std::string to_text(const ExternalJob& job) {
  ExternalJob written = job;
  return base::json_line([&](Fields& f) { describe_job(f, written); });
}

base::Result<ExternalJob> external_job_from(const std::string& text) {
  ExternalJob job;
  const std::string problem = problem_in(text, [&](Fields& f) { describe_job(f, job); });
  if (!problem.empty()) return Failure{problem};
  return job;
}

std::string to_text(const ExternalAnswer& answer) {
  ExternalAnswer written = answer;
  return base::json_line([&](Fields& f) {
    if (!answer.broken.empty())
      f("broken", answer.broken);
    else if (!answer.failure.empty())
      f("failure", answer.failure);
    else
      describe_cases(f, written);
  });
}

base::Result<ExternalAnswer> external_answer_from(const std::string& text) {
  std::optional<std::string> broken;
  const std::string problem = problem_in(text, [&](Fields& f) { f.sparse("broken", broken); });
  if (!problem.empty()) return Failure{problem};
  if (broken) return ExternalAnswer{{}, "", *broken};
  return answer_from(text, nullptr);
}

// ---- the protocol

std::string submit_request(const std::string& name, const std::string& task,
                           const std::string& file, const std::vector<std::string>& cases) {
  return base::json_line([&](Fields& f) {
    f("protocol", external_protocol)("name", name)("task", task)("file", file)("cases", cases);
  });
}

std::string id_request(const std::string& id) {
  return base::json_line([&](Fields& f) { f("protocol", external_protocol)("id", id); });
}

std::string describe_request() {
  return base::json_line([&](Fields& f) { f("protocol", external_protocol); });
}

base::Result<int> parse_description(const std::string& text) {
  const std::string own = std::to_string(external_protocol);
  base::RawJson protocol{own};
  int parallel = 1;
  const std::string problem = problem_in(
      text, [&](Fields& f) { f.optional("protocol", protocol).optional("parallel", parallel); });
  if (!problem.empty()) return Failure{problem};
  if (protocol.text != own)
    return Failure{"the evaluator speaks protocol " + protocol.text + ", and this hone speaks " +
                   own};
  if (parallel < 1) return Failure{std::string("\"parallel\" is at least 1")};
  return std::min(parallel, most_parallel);
}

base::Result<std::string> parse_id(const std::string& text) {
  base::RawJson id;
  const std::string problem = problem_in(text, [&](Fields& f) { f("id", id); });
  if (!problem.empty()) return Failure{problem};
  const auto name = base::from_json<std::string>(id.text);
  const bool whole = id.text.find_first_not_of("-0123456789") == std::string::npos;
  const std::string found = name ? *name : whole ? id.text : "";
  if (found.empty() || found.size() > longest_id)
    return Failure{std::string("there is no \"id\" in it")};
  return found;
}

base::Result<ExternalState> parse_state(const std::string& text) {
  ExternalState state;
  std::string word;
  std::optional<double> retry_after;
  const std::string problem = problem_in(text, [&](Fields& f) {
    f("state", word);
    f.sparse("retry_after", retry_after);
  });
  if (!problem.empty()) return Failure{problem};
  if (word == "done" || word == "failed")
    state.kind = ExternalState::ended;
  else if (word == "unknown")
    state.kind = ExternalState::unknown;
  else if (word != "queued" && word != "running")
    return Failure{"\"state\" is queued, running, done, failed or unknown, and not '" + word + "'"};
  if (retry_after && *retry_after >= 0 && std::isfinite(*retry_after))
    state.retry_after = retry_after;
  return state;
}

base::Result<ExternalAnswer> parse_result(const std::string& text,
                                          const std::vector<std::string>& cases) {
  return answer_from(text, &cases);
}

}  // namespace hone::exec
