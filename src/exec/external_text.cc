// Bodies of external jobs and results, and what an evaluator may answer. JSON stops here.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "exec/external_executor.h"
#include "exec/external_requests.h"

namespace hone::exec {
namespace {

using base::Failure;
using nlohmann::json;

constexpr std::size_t longest_id = 512, longest_failure = 64u << 10;
constexpr int most_parallel = 64;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Parses an object and converts it; what is wrong becomes a sentence.
template <typename T, typename Convert>
base::Result<T> convert(const std::string& text, Convert what) {
  try {
    const json value = json::parse(text);
    if (!value.is_object()) return Failure{std::string("it is no JSON object")};
    return what(value);
  } catch (const json::exception& error) {
    return Failure{std::string(error.what())};
  }
}

base::Result<ExternalAnswer> answer_from(const json& value,
                                         const std::vector<std::string>* wanted) {
  ExternalAnswer answer;
  if (value.contains("failure")) {
    answer.failure = value.at("failure").get<std::string>().substr(0, longest_failure);
    if (answer.failure.empty()) answer.failure = "the evaluator refused it without a word";
    return answer;
  }
  for (const auto& one : value.at("cases")) {
    ExternalCase which;
    which.name = one.at("name");
    which.seconds = one.at("seconds");
    which.low = one.value("seconds_low", which.seconds);
    which.high = one.value("seconds_high", which.seconds);
    if (!(which.seconds > 0 && std::isfinite(which.high) && which.low > 0 &&
          which.low <= which.seconds && which.seconds <= which.high))
      return Failure{"case " + which.name + ": its times make no sense"};
    answer.cases.push_back(which);
  }
  if (wanted == nullptr) return answer;
  std::vector<ExternalCase> in_order;
  for (const auto& name : *wanted) {
    const auto is_it = [&](const ExternalCase& which) { return which.name == name; };
    if (std::count_if(answer.cases.begin(), answer.cases.end(), is_it) != 1)
      return Failure{"it does not have case " + name + " once"};
    in_order.push_back(*std::find_if(answer.cases.begin(), answer.cases.end(), is_it));
  }
  if (in_order.size() != answer.cases.size())
    return Failure{std::string("it has cases that the task does not have")};
  answer.cases = std::move(in_order);
  return answer;
}

}  // namespace

std::string to_text(const ExternalJob& job) {
  return dump({{"task", job.task},
               {"extension", job.extension},
               {"source", job.source},
               {"cases", job.cases}});
}

base::Result<ExternalJob> external_job_from(const std::string& text) {
  return convert<ExternalJob>(text, [](const json& v) {
    return ExternalJob{v.at("task"), v.at("extension"), v.at("source"),
                       v.at("cases").get<std::vector<std::string>>()};
  });
}

std::string to_text(const ExternalAnswer& answer) {
  json value = json::object();
  if (!answer.broken.empty()) {
    value["broken"] = answer.broken;
  } else if (!answer.failure.empty()) {
    value["failure"] = answer.failure;
  } else {
    value["cases"] = json::array();
    for (const auto& one : answer.cases)
      value["cases"].push_back({{"name", one.name},
                                {"seconds", one.seconds},
                                {"seconds_low", one.low},
                                {"seconds_high", one.high}});
  }
  return dump(value);
}

base::Result<ExternalAnswer> external_answer_from(const std::string& text) {
  return convert<ExternalAnswer>(text, [](const json& v) -> base::Result<ExternalAnswer> {
    if (v.contains("broken")) return ExternalAnswer{{}, "", v.at("broken").get<std::string>()};
    return answer_from(v, nullptr);
  });
}

// ---- the protocol

std::string submit_request(const std::string& name, const std::string& task,
                           const std::string& file, const std::vector<std::string>& cases) {
  return dump({{"protocol", external_protocol},
               {"name", name},
               {"task", task},
               {"file", file},
               {"cases", cases}});
}

std::string id_request(const std::string& id) {
  return dump({{"protocol", external_protocol}, {"id", id}});
}
std::string describe_request() { return dump({{"protocol", external_protocol}}); }

base::Result<int> parse_description(const std::string& text) {
  return convert<int>(text, [](const json& v) -> base::Result<int> {
    if (v.value("protocol", external_protocol) != external_protocol)
      return Failure{"the evaluator speaks protocol " + v.at("protocol").dump() +
                     ", and this hone speaks 1"};
    const int parallel = v.value("parallel", 1);
    if (parallel < 1) return Failure{std::string("\"parallel\" is at least 1")};
    return std::min(parallel, most_parallel);
  });
}

base::Result<std::string> parse_id(const std::string& text) {
  return convert<std::string>(text, [](const json& v) -> base::Result<std::string> {
    const json& id = v.at("id");
    std::string found = id.is_string()           ? id.get<std::string>()
                        : id.is_number_integer() ? id.dump()
                                                 : "";
    if (found.empty() || found.size() > longest_id)
      return Failure{std::string("there is no \"id\" in it")};
    return found;
  });
}

base::Result<ExternalState> parse_state(const std::string& text) {
  return convert<ExternalState>(text, [](const json& v) -> base::Result<ExternalState> {
    ExternalState state;
    const std::string word = v.at("state");
    if (word == "done" || word == "failed")
      state.kind = ExternalState::ended;
    else if (word == "unknown")
      state.kind = ExternalState::unknown;
    else if (word != "queued" && word != "running")
      return Failure{"\"state\" is queued, running, done, failed or unknown, and not '" + word +
                     "'"};
    if (v.contains("retry_after")) {
      const double seconds = v.at("retry_after");
      if (seconds >= 0 && std::isfinite(seconds)) state.retry_after = seconds;
    }
    return state;
  });
}

base::Result<ExternalAnswer> parse_result(const std::string& text,
                                          const std::vector<std::string>& cases) {
  return convert<ExternalAnswer>(text, [&](const json& v) { return answer_from(v, &cases); });
}

}  // namespace hone::exec
