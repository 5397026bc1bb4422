#include "exec/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "base/command.h"
#include "base/error.h"

namespace hone::exec {
namespace {

using base::Failure;

constexpr auto longest_command = std::chrono::seconds(100);  // a busy slurmctld answers late
constexpr std::size_t most_output = 16u << 20;
constexpr int most_workers = 1000;

std::string trimmed(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.pop_back();
  return text;
}

// Keys of models are of no use to workers, and batch systems keep the environment of their jobs.
std::vector<std::pair<std::string, std::string>> without_keys() {
  std::vector<std::pair<std::string, std::string>> hidden;
  for (char** row = environ; *row != nullptr; ++row) {
    const std::string name = std::string(*row).substr(0, std::string(*row).find('='));
    for (const char* end : {"_KEY", "_TOKEN", "_SECRET", "_PASSWORD"})
      if (name.ends_with(end)) hidden.emplace_back(name, "");
  }
  return hidden;
}

// Standard output, or what the command said on standard error.
base::Result<std::string> run(std::vector<std::string> words, const std::string& input,
                              const std::atomic<bool>& cancelled) {
  const std::string program = words.front();
  base::Command command;
  command.words = std::move(words);
  command.input = input;
  command.limit = longest_command;
  command.most_output = most_output;
  command.environment = without_keys();
  const auto end = base::run_command(command, cancelled);
  using Why = base::CommandEnd::Why;
  if (end.why == Why::exited && end.code == 0) return end.output;
  const std::string said = trimmed(end.error_tail);
  if (end.why == Why::exited && !said.empty())
    return Failure{said.starts_with(program) ? said : fmt::format("{}: {}", program, said)};
  if (end.why == Why::exited)
    return Failure{fmt::format("{} ended with code {}", program, end.code)};
  if (end.why == Why::signalled)
    return Failure{fmt::format("signal {} ended {}", end.code, program)};
  if (end.why == Why::timed_out)
    return Failure{fmt::format("{} did not answer for {} s", program, longest_command.count())};
  return Failure{fmt::format("{} was not waited for", program)};
}

template <typename Number>
bool read_number(const std::string& text, Number low, Number high, Number& into) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  Number value{};
  if (!(in >> value) || !in.eof() || !(value >= low && value <= high)) return false;
  into = value;
  return true;
}

// "": it was taken, or is for sbatch.
std::string take(const std::string& key, const std::string& value, SlurmOptions& options) {
  constexpr double day = 86400;
  const auto wrong = [&] { return fmt::format("{}={}: that is no such number", key, value); };
  if (key == "spool")
    options.spool = value;
  else if (key == "device")
    options.device = value;
  else if (key == "hone")
    options.hone = value;
  else if (key == "min")
    return read_number(value, 0, most_workers, options.min) ? "" : wrong();
  else if (key == "max")
    return read_number(value, 1, most_workers, options.max) ? "" : wrong();
  else if (key == "idle")
    return read_number(value, 0.0, day, options.idle_seconds) ? "" : wrong();
  else if (key == "poll")
    return read_number(value, 0.1, day, options.poll_seconds) ? "" : wrong();
  else if (key == "lost-after")
    return read_number(value, 0.5, 3600.0, options.lost_after) ? "" : wrong();
  else if (key == "array" || key == "job-name" || key == "output" || key == "partition")
    return fmt::format("{}: Hone sets that itself", key);
  else
    options.sbatch.push_back(value.empty() ? "--" + key : fmt::format("--{}={}", key, value));
  return "";
}

}  // namespace

base::Result<SlurmOptions> slurm_options_from(const std::string& text) {
  SlurmOptions options;
  std::istringstream parts(text);
  std::getline(parts, options.partition, ',');
  if (options.partition.empty()) return Failure{std::string("it names no partition")};
  bool max_given = false;
  for (std::string part; std::getline(parts, part, ',');) {
    const auto sign = part.find('=');
    const std::string key = part.substr(0, sign),
                      value = sign == std::string::npos ? "" : part.substr(sign + 1);
    if (key.empty()) return Failure{fmt::format("'{}' is no KEY=VALUE", part)};
    if (std::string wrong = take(key, value, options); !wrong.empty()) return Failure{wrong};
    max_given = max_given || key == "max";
  }
  if (!max_given && options.max < options.min) options.max = options.min;
  if (options.min > options.max)
    return Failure{fmt::format("min={} is more than max={}", options.min, options.max)};
  return options;
}

std::vector<SlurmTask> tasks_from(const std::string& squeue_output) {
  std::vector<SlurmTask> tasks;
  std::istringstream lines(squeue_output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    SlurmTask task;
    if (words >> task.id >> task.state) tasks.push_back(std::move(task));
  }
  return tasks;
}

base::Result<std::string> Slurm::submit(const SlurmOptions& options,
                                        const std::filesystem::path& logs,
                                        const std::string& script, int tasks) const {
  std::vector<std::string> words = {"sbatch", "--parsable"};
  words.insert(words.end(), options.sbatch.begin(), options.sbatch.end());
  // What ended is submitted anew, so that one way of starting workers serves all cases.
  words.insert(words.end(), {"--partition=" + options.partition, "--job-name=" + job_name_,
                             fmt::format("--array=1-{}", tasks), "--no-requeue",
                             "--output=" + (logs / "%A_%a.log").string()});
  auto answer = run(std::move(words), script, cancelled_);
  if (!answer) return answer;
  return trimmed(*answer);
}

base::Result<std::vector<SlurmTask>> Slurm::tasks() const {
  const auto answer = run({"squeue", "--array", "--noheader", "--name=" + job_name_,
                           fmt::format("--user={}", ::getuid()), "--format=%i %t"},
                          "", cancelled_);
  if (!answer) return Failure{answer.error()};
  return tasks_from(*answer);
}

base::Result<bool> Slurm::cancel(const std::vector<std::string>& tasks) const {
  if (tasks.empty()) return true;
  std::vector<std::string> words = {"scancel"};
  words.insert(words.end(), tasks.begin(), tasks.end());
  const auto answer = run(std::move(words), "", cancelled_);
  if (!answer) return Failure{answer.error()};
  return true;
}

base::Result<bool> Slurm::cancel_all() const {
  const std::atomic<bool> never{false};  // the run may be ending because it was cancelled
  const auto answer =
      run({"scancel", "--name=" + job_name_, fmt::format("--user={}", ::getuid())}, "", never);
  if (!answer) return Failure{answer.error()};
  return true;
}

std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace hone::exec
