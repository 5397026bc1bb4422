#include "runner/runner.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "runner/contention.h"
#include "runner/messages.h"

namespace hone::runner {
namespace {

using base::Failure;
using base::Fd;
using core::Outcome;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr double open_seconds = 120;  // a cold GPU driver, a cold OpenCL compiler, a cold Python with torch
constexpr double housekeeping_seconds = 30;
constexpr double stop_allowance = 2e-4;  // idle threads take about this long to wake up and stop
constexpr double watch_interval = 0.05;  // between two looks at the worker's memory

// What a hostile process says may be of any type.
std::string text_in(const json& body, const char* key) {
  const auto found = body.find(key);
  return found != body.end() && found->is_string() ? found->get<std::string>() : "?";
}
int number_in(const json& body, const char* key) {
  const auto found = body.find(key);
  return found != body.end() && found->is_number_integer() ? found->get<int>() : -1;
}

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

struct Runner::Answer {
  json body;
  std::vector<Fd> fds;
};

RunnerOptions runner_options(const core::DeviceInfo& info, bool unsafe) {
  RunnerOptions options;
  options.freeze = info.is_cpu;
  options.sandbox.gpu = !info.is_cpu;
  // Kernels of our own that the judge has compiled already; without them every runner would compile them again.
  if (!info.is_cpu) options.sandbox.readable.push_back(base::home_folder() / "cache" / "cuda");
  if (isolation_problem().empty()) return options;
  if (info.is_cpu && !unsafe)
    base::fail(base::ExitCode::environment,
               "device code on a CPU is native code, and no sandbox can be had for it: {}. To run it all the same, say "
               "--unsafe",
               isolation_problem());
  options.sandbox.isolation = Isolation::limits;
  return options;
}

// The workers of one nursery are one user, and the kernel counts a user's processes and threads together. Who gets no
// thread any more may wait for it for ever (CUDA's driver does), so there is room for many with torch's thread for each
// core and the driver's few; and for the processes of compilers.
int processes_of_pythons() {
  constexpr int workers = 64, threads_of_cuda = 6, others = 512;
  return workers * (static_cast<int>(std::thread::hardware_concurrency()) + threads_of_cuda) + others;
}

RunnerOptions python_options(const core::DeviceInfo& info, bool unsafe, PythonWorker worker) {
  constexpr std::uint64_t gib = 1u << 30;
  if (!isolation_problem().empty() && !unsafe)
    base::fail(base::ExitCode::environment,
               "a candidate in Python is native code, and no sandbox can be had for it: {}. To run it all the same, "
               "say --unsafe",
               isolation_problem());
  RunnerOptions options;
  options.python = std::move(worker);
  options.sandbox.gpu = !info.is_cpu;
  options.sandbox.memory_bytes = 32 * gib;  // torch, a compiler, and results as large as the task's
  options.sandbox.scratch_bytes = 2 * gib;  // an extension with torch's headers, and caches
  options.sandbox.processes = processes_of_pythons();
  if (!isolation_problem().empty()) options.sandbox.isolation = Isolation::limits;
  return options;
}

Runner::Runner(const core::DeviceInfo& info, const RunnerOptions& options) : options_(options), device_(info.id) {
  process_ = options.python ? start_python(options.python->python, "worker.py", options.sandbox, {options.python->role})
                            : start_sandboxed(options.sandbox);
  json message = {{"op", "open"}, {"device", device::lasting_id(info)}};
  if (options.python) message.update({{"cpu", info.is_cpu}, {"threads", std::thread::hardware_concurrency()}});
  send_packet(process_.socket(), message.dump());
}

Runner::~Runner() = default;

std::string open_problem(const core::DeviceInfo& info, const RunnerOptions& options) {
  try {
    Runner runner(info, options);
    const auto answered = runner.drop();  // the first answer is to the opening
    return answered ? "" : answered.error().text;
  } catch (const base::Error& error) {
    return error.what();
  }
}

Fault Runner::ended() {
  const std::string log = process_.take_log();
  const auto end = process_.wait_end();
  const bool was_full = most_resident_ > options_.sandbox.memory_bytes / 2;
  const std::string memory = was_full
                                 ? fmt::format("; it had used {} MiB or more of the {} MiB of memory that it may have",
                                               most_resident_ >> 20, options_.sandbox.memory_bytes >> 20)
                                 : "";
  return {Outcome::crashed, fmt::format("the runner was {}{}{}", end.text, memory,
                                        log.empty() ? "" : "; it printed: " + valid_utf8(log.substr(0, 600)))};
}

base::Result<Runner::Answer, Fault> Runner::receive(double seconds) {
  const auto start = Clock::now();
  while (!wait_readable(process_.socket(), std::min(watch_interval, std::max(0.0, seconds - since(start))))) {
    if (since(start) >= seconds) {
      constexpr std::size_t most = 1200;  // of a traceback, whose last call is its first line
      const std::string words = options_.python ? process_.last_words() : "";
      process_.kill();
      const auto at = words.find("  File \"");
      return Failure{Fault{Outcome::timed_out,
                           fmt::format("no answer within its limit of {:.3g} s; it was killed{}", seconds,
                                       at == std::string::npos ? "" : " at\n" + valid_utf8(words.substr(at, most)))}};
    }
    const auto resident = process_.resident_bytes();
    most_resident_ = std::max(most_resident_, resident);
    if (resident > options_.sandbox.memory_bytes) {
      process_.kill();
      return Failure{
          Fault{Outcome::crashed, fmt::format("it used {} MiB of memory, more than its limit of {} MiB; it was killed",
                                              resident >> 20, options_.sandbox.memory_bytes >> 20)}};
    }
  }
  auto packet = receive_packet(process_.socket());
  if (!packet) return Failure{ended()};
  Answer answer{json::parse(packet->text, nullptr, false), std::move(packet->fds)};
  if (!answer.body.is_object()) return Failure{Fault{Outcome::crashed, "the runner's answer makes no sense"}};
  if (answer.body.contains("broken")) return Failure{Fault{Outcome::crashed, text_in(answer.body, "broken")}};
  return answer;
}

// An answer that nobody asked for is one that the worker itself did not give: native code has found the socket.
std::optional<Fault> Runner::spoke_out_of_turn() {
  pollfd wanted{process_.socket(), POLLIN, 0};
  if (::poll(&wanted, 1, 0) <= 0 || (wanted.revents & POLLHUP) != 0) return std::nullopt;  // its end is told elsewhere
  process_.kill();
  return Fault{Outcome::cheating, "the runner gave an answer that it was not asked for: the candidate forges results"};
}

base::Result<Runner::Answer, Fault> Runner::ask(const std::string& text, const std::vector<int>& fds, double seconds) {
  process_.thaw();
  if (opening_) {
    auto opened = receive(open_seconds);
    if (!opened) base::fail(base::ExitCode::environment, "a runner cannot open {}: {}", device_, opened.error().text);
    opening_ = false;
  }
  if (const auto fault = spoke_out_of_turn()) return Failure{*fault};
  if (!send_packet(process_.socket(), text, fds)) return Failure{ended()};
  return receive(seconds);
}

base::Result<std::vector<device::KernelInfo>, Fault> Runner::load(const std::string& image,
                                                                  const std::vector<std::string>& kernels,
                                                                  double seconds, const Fd* ahead) {
  const Fd file = memory_file(image, "image");
  std::vector<int> files = {file.get()};
  if (ahead != nullptr) files.push_back(ahead->get());
  auto answer = ask(json{{"op", "load"}, {"kernels", kernels}}.dump(), files, seconds);
  if (!answer) return Failure{answer.error()};
  try {
    if (answer->body.contains("error"))
      return Failure{Fault{Outcome::launch_failed, answer->body.at("error").get<std::string>()}};
    std::vector<device::KernelInfo> infos;
    for (const auto& kernel : answer->body.at("kernels")) infos.push_back(kernel_from(kernel));
    notes_ = answer->body.value("notes", std::vector<std::string>());
    return infos;
  } catch (const json::exception&) {
    return Failure{Fault{Outcome::crashed, "the runner's answer makes no sense"}};
  }
}

base::Result<int, Fault> Runner::share(const Fd& fd, std::uint64_t bytes) {
  auto answer = ask(json{{"op", "block"}, {"bytes", bytes}}.dump(), {fd.get()}, housekeeping_seconds);
  if (!answer) return Failure{answer.error()};
  return number_in(answer->body, "id");
}

base::Result<bool, Fault> Runner::drop() {
  auto answer = ask(json{{"op", "drop"}}.dump(), {}, housekeeping_seconds);
  if (!answer) return Failure{answer.error()};
  return true;
}

base::Result<int, Fault> Runner::plan(const core::ResolvedPlan& plan) {
  const Fd file = memory_file(to_json(plan).dump(), "plan");
  auto answer = ask(json{{"op", "plan"}}.dump(), {file.get()}, housekeeping_seconds);
  if (!answer) return Failure{answer.error()};
  return number_in(answer->body, "id");
}

base::Result<bool, Fault> Runner::prepare(const PrepareRequest& request, double seconds) {
  json sets = json::array();
  // A batch is the same set many times: said once, since a packet is small.
  const bool alike = std::all_of(request.sets.begin(), request.sets.end(),
                                 [&](const auto& set) { return set == request.sets.front(); });
  const std::size_t different = alike ? std::min<std::size_t>(1, request.sets.size()) : request.sets.size();
  for (const auto& set : std::span(request.sets).first(different)) {
    json bindings = json::array();
    for (const auto& binding : set) bindings.push_back({binding.block, binding.offset});
    sets.push_back(std::move(bindings));
  }
  const json message = {{"op", "prepare"},
                        {"plan", request.plan},
                        {"sets", sets},
                        {"times", alike ? request.sets.size() : 1},
                        {"fresh", request.fresh_addresses},
                        {"flush", request.flush},
                        {"private", request.private_memory},
                        {"skip", request.skip_launch},
                        {"marked", request.marked},
                        {"record", request.record}};
  auto answer = ask(message.dump(), {}, seconds);
  if (!answer) return Failure{answer.error()};
  if (answer->body.contains("error")) return Failure{Fault{Outcome::launch_failed, text_in(answer->body, "error")}};
  return true;
}

base::Result<std::vector<device::Activity>, Fault> Runner::activities() {
  constexpr std::uint64_t most_bytes = 256u << 20;
  auto answer = ask(json{{"op", "activities"}}.dump(), {}, housekeeping_seconds);
  if (!answer) return Failure{answer.error()};
  if (answer->body.contains("error")) return Failure{Fault{Outcome::launch_failed, text_in(answer->body, "error")}};
  try {
    return activities_from(json::parse(read_memory_file(answer->fds.at(0), most_bytes)));
  } catch (const std::exception&) {
    return Failure{Fault{Outcome::crashed, "the runner's answer makes no sense"}};
  }
}

std::string Runner::finish_and_log(double seconds) {
  process_.thaw();
  send_packet(process_.socket(), R"({"op":"end"})");
  std::string log = process_.take_log();
  wait_readable(process_.socket(), seconds);  // readable at the other side's end
  process_.wait_end();
  return log + process_.take_log();
}

base::Result<double, Fault> Runner::stop() {
  if (!options_.freeze) return 0.0;
  if (const auto waited = process_.freeze()) return *waited;
  process_.kill();
  return Failure{Fault{Outcome::timed_out, "it did not stop when it was told to; it was killed"}};
}

std::optional<Fault> Runner::freeze() {
  const auto stopped = stop();
  return stopped ? std::nullopt : std::optional(stopped.error());
}

base::Result<Timed, Fault> Runner::go(double seconds, bool freeze_after, bool mind_errors) {
  if (const auto fault = spoke_out_of_turn()) return Failure{*fault};
  const CallWatch watch(process_);
  // The word is put in the queue first: when the worker thaws, it is there.
  if (!send_packet(process_.socket(), R"({"op":"go"})")) return Failure{ended()};
  const auto start = Clock::now();
  process_.thaw();
  auto answer = receive(seconds);
  double judge_seconds = since(start);
  if (!answer) return Failure{answer.error()};
  if (freeze_after) {
    const auto stopped = stop();
    if (!stopped) return Failure{stopped.error()};
    if (*stopped > stop_allowance) judge_seconds += *stopped;  // whoever still works after the answer has not finished
  }
  try {
    Timed timed{report_from(answer->body), judge_seconds};
    if (!timed.report.ok && mind_errors && answer->body.contains("wrong"))
      return Failure{Fault{Outcome::wrong, timed.report.error}};
    if (!timed.report.ok && mind_errors) return Failure{Fault{Outcome::launch_failed, timed.report.error}};
    return timed;
  } catch (const json::exception&) {
    return Failure{Fault{Outcome::crashed, "the runner's answer makes no sense"}};
  }
}

}  // namespace hone::runner
