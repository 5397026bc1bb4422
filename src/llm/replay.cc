#include <fmt/format.h>

#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "llm/record.h"

namespace hone::llm {
namespace {

constexpr std::size_t shown_digits = 12;  // of a hash, in messages

Fault fault(FaultKind kind, std::string text) { return Fault{kind, std::move(text), {}, Usage{}}; }

}  // namespace

void describe(base::Fields& f, Usage& usage) {
  f("in", usage.in)("out", usage.out)("cached", usage.cached);
  f.optional("written", usage.written);
}

ReplayClient::ReplayClient(std::filesystem::path file, Matching matching)
    : file_(std::move(file)), matching_(matching) {
  const std::string text = base::read_file(file_);
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (lines.eof()) break;  // without its newline: what a crash left half-written
    if (!line.empty()) recorded_.push_back(parsed(line, number));
  }
}

ReplayClient::Recorded ReplayClient::parsed(const std::string& line, int number) const {
  Recorded one;
  const auto recorded = [&](base::Fields& f) {
    f("role", one.role)("step", one.step)("prompt", one.prompt);
    f.optional("node", one.node);
    f("model", one.reply.model)("text", one.reply.text)("arguments", one.reply.arguments);
    f("stop", one.reply.stop)("seconds", one.reply.seconds);
    f.sparse("usage", one.reply.usage);
  };
  try {
    base::read_json(line, recorded);
    return one;
  } catch (const base::Error& error) {
    base::fail(base::ExitCode::bad_input, "{}:{}: not an answer as record: writes it: {}",
               file_.string(), number, error.what());
  }
}

base::Result<Reply, Fault> ReplayClient::ask(const Request& request, const Cancel& cancel) {
  if (cancel) return base::Failure{fault(FaultKind::cancelled, "the replay was stopped")};
  const std::lock_guard guard(mutex_);
  return matching_ == Matching::strict ? exactly(request) : nearest(request);
}

base::Result<Reply, Fault> ReplayClient::exactly(const Request& request) const {
  const std::string hash = hash_of(request.prompt);
  const Recorded* same_step = nullptr;
  for (const auto& one : recorded_) {
    if (one.step != request.step) continue;
    if (one.prompt == hash && one.role == request.role) return one.reply;
    same_step = &one;
  }
  if (same_step == nullptr)
    return base::Failure{
        fault(FaultKind::rejected, fmt::format("{}: the step {} (role {}) was not recorded",
                                               file_.string(), request.step, request.role))};
  if (same_step->role != request.role)
    return base::Failure{
        fault(FaultKind::rejected,
              fmt::format("{}: the role of step {} differs: {} was recorded, {} is asked",
                          file_.string(), request.step, same_step->role, request.role))};
  return base::Failure{
      fault(FaultKind::rejected,
            fmt::format("{}: the prompt of step {} differs: hash {} was recorded, {} is asked; "
                        "record the run again, or use replay: which asks for less",
                        file_.string(), request.step, same_step->prompt.substr(0, shown_digits),
                        hash.substr(0, shown_digits)))};
}

std::vector<RecordedAnswer> ReplayClient::recorded() const {
  std::vector<RecordedAnswer>
      answers;  // `recorded_` itself does not change, only what was used of it
  for (const auto& one : recorded_)
    answers.push_back({one.role, one.step, one.reply.text + one.reply.arguments, one.node});
  return answers;
}

base::Result<Reply, Fault> ReplayClient::nearest(const Request& request) {
  Recorded* found = nullptr;
  for (auto& one : recorded_)
    if (one.step == request.step && one.role == request.role && (found == nullptr || found->used))
      found = &one;
  for (std::size_t i = 0; found == nullptr && i < recorded_.size(); ++i)
    if (recorded_[i].role == request.role && !recorded_[i].used) found = &recorded_[i];
  if (found == nullptr)
    return base::Failure{fault(
        FaultKind::exhausted,
        fmt::format("{}: no more answers of role {} were recorded", file_.string(), request.role))};
  found->used = true;
  return found->reply;
}

}  // namespace hone::llm
