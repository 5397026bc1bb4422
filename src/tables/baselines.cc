#include "tables/baselines.h"

#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/fd.h"
#include "base/files.h"
#include "base/hash.h"

namespace hone::tables {
namespace {

using nlohmann::json;

json time_json(const BaselineTime& time) {
  if (time.median <= 0) return {{"missing", time.missing}};
  json out = {{"median_s", time.median},     {"interval_s", {time.low, time.high}},
              {"wall_s", time.wall},         {"samples", time.samples},
              {"error_max", time.error_max}, {"error_rms", time.error_rms}};
  if (time.batch_seconds > 0)
    out.update({{"in_a_row_s", time.batch_seconds}, {"calls_in_a_row", time.batch_calls}});
  if (time.ceiling_fraction)
    out.update({{"ceiling_fraction", *time.ceiling_fraction},
                {"ceiling_s", *time.ceiling_fraction * time.median},
                {"ceiling", time.ceiling}});
  return out;
}

BaselineTime time_from(const json& value) {
  BaselineTime time;
  time.missing = value.value("missing", "");
  time.median = value.value("median_s", 0.0);
  if (const auto interval = value.find("interval_s"); interval != value.end()) {
    time.low = interval->at(0);
    time.high = interval->at(1);
  }
  time.wall = value.value("wall_s", 0.0);
  time.samples = value.value("samples", 0);
  time.error_max = value.value("error_max", 0.0);
  time.error_rms = value.value("error_rms", 0.0);
  if (value.contains("ceiling_fraction"))
    time.ceiling_fraction = value.at("ceiling_fraction").get<double>();
  time.ceiling = value.value("ceiling", "");
  time.batch_seconds = value.value("in_a_row_s", 0.0);
  time.batch_calls = value.value("calls_in_a_row", 0);
  return time;
}

BaselineLine line_from(const json& value) {
  BaselineLine line;
  line.problem = value.at("problem");
  line.reference = value.value("reference", "");
  line.class_name = value.at("class");
  line.device = value.value("device", "");
  line.device_name = value.value("device_name", "");
  line.driver = value.value("driver", "");
  line.python = value.value("python", "");
  line.torch = value.value("torch", "");
  line.when = value.value("when", "");
  line.failed = value.value("failed", "");
  line.transient = value.value("passing", false);
  line.weak = value.value("weak", std::vector<std::string>{});
  if (value.contains("eager")) line.eager = time_from(value.at("eager"));
  if (value.contains("compile")) line.compiled = time_from(value.at("compile"));
  return line;
}

}  // namespace

std::optional<Best> best_of(const BaselineLine& line, bool python) {
  const bool eager = line.eager.median > 0,
             compiled = line.compiled.median > 0 && line.class_name != "protocol";
  if (!eager && !compiled) return std::nullopt;
  const bool batched = python && (!eager || line.eager.batch_seconds > 0) &&
                       (!compiled || line.compiled.batch_seconds > 0);
  const auto seconds = [&](const BaselineTime& time) {
    return batched ? time.batch_seconds : time.median;
  };
  if (compiled && (!eager || seconds(line.compiled) < seconds(line.eager)))
    return Best{"compile", seconds(line.compiled), batched};
  return Best{"eager", seconds(line.eager), batched};
}

std::string reference_hash(const core::Task& task) {
  return source_hash(task.reference_py.value_or(""));
}

std::string source_hash(const std::string& reference_py) {
  return base::Hasher().add(reference_py).hex().substr(0, 32);
}

json to_json(const BaselineLine& line) {
  json out = {{"problem", line.problem},
              {"reference", line.reference},
              {"class", line.class_name},
              {"device", line.device},
              {"device_name", line.device_name},
              {"driver", line.driver},
              {"python", line.python},
              {"torch", line.torch},
              {"when", line.when}};
  if (!line.weak.empty()) out["weak"] = line.weak;
  if (!line.failed.empty()) {
    out["failed"] = line.failed;
    if (line.transient) out["passing"] = true;
    return out;
  }
  out["eager"] = time_json(line.eager);
  if (line.compiled.median > 0 || !line.compiled.missing.empty())
    out["compile"] = time_json(line.compiled);
  if (const auto best = best_of(line))
    out["best"] = {{"mode", best->mode}, {"median_s", best->seconds}};
  return out;
}

std::vector<BaselineLine> read_baselines(const std::filesystem::path& file) {
  std::vector<BaselineLine> lines;
  std::error_code ec;
  if (!std::filesystem::is_regular_file(file, ec)) return lines;
  std::istringstream text(base::read_file(file));
  for (std::string one; std::getline(text, one);) {
    const auto value = json::parse(one, nullptr, false);
    if (!value.is_object()) continue;  // its writer was killed in the middle
    try {
      lines.push_back(line_from(value));
    } catch (const json::exception&) {
      base::fail(base::ExitCode::bad_input, "{}: this is no line of baselines: {}", file.string(),
                 one.substr(0, 200));
    }
  }
  return lines;
}

void append_baseline(const std::filesystem::path& file, const BaselineLine& line) {
  if (file.has_parent_path()) base::make_folder(file.parent_path());
  const base::Fd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd)
    base::fail(base::ExitCode::environment, "{} cannot be written: {}", file.string(),
               base::errno_text());
  std::string text = to_json(line).dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  // A line whose writer was killed in the middle is ended first.
  char last = '\n';
  if (const off_t size = ::lseek(fd.get(), 0, SEEK_END);
      size > 0 && ::pread(fd.get(), &last, 1, size - 1) == 1)
    if (last != '\n') text.insert(0, "\n");
  const ssize_t written =
      ::write(fd.get(), text.data(), text.size());  // one call: lines of two writers do not mix
  if (written != static_cast<ssize_t>(text.size()) || ::fsync(fd.get()) != 0)
    base::fail(base::ExitCode::environment, "{} cannot be written: {}", file.string(),
               base::errno_text());
}

std::filesystem::path home_baselines() { return base::home_folder() / "baselines.jsonl"; }

const BaselineLine* find_baseline(const std::vector<BaselineLine>& lines,
                                  const std::string& reference, const std::string& device,
                                  const std::string& class_name) {
  const BaselineLine* found = nullptr;
  for (const auto& line : lines)
    if (line.reference == reference && line.device == device && line.class_name == class_name &&
        (line.failed.empty() || found == nullptr || !found->failed.empty()))
      found = &line;
  return found;
}

}  // namespace hone::tables
