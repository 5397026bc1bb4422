#include "mcp/calls.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/fields.h"
#include "mcp/apart.h"

namespace hone::mcp {
namespace {

using base::ExitCode;

constexpr int moment_threads = 3;
// One builds and prepares while another has the device; the device itself has a lease.
constexpr int judging_threads = 2;
constexpr std::size_t most_waiting = 64;  // in each lane
constexpr std::size_t most_runs = 4;      // at work at once
constexpr std::size_t longest_text = 200'000, most_notes = 20;

std::string cut(std::string text) {
  if (text.size() <= longest_text) return text;
  text.resize(longest_text);
  return base::valid_utf8(text) + "\n[cut here: the whole is in the archive, see `show`]\n";
}

base::Description content(const std::string& text, bool is_error, const std::string& json) {
  return [=](base::Fields& f) {
    f.list("content", std::vector{text},
           [&](const std::string& one) { f("type", "text")("text", base::valid_utf8(one)); });
    if (!json.empty()) f("structuredContent", base::RawJson{json});
    f("isError", is_error);
  };
}

double usd_wanted(const std::string& arguments) {
  double usd = 0;
  base::read_json(arguments, [&](base::Fields& f) { f.optional("max_usd", usd); });
  return usd;
}

class HereSink : public app::Sink {
 public:
  HereSink(Request& request) : request_(request) {}
  void say(const std::string& sentence) override { request_.tell({sentence, {}, {}}); }
  void step(const app::Step& step) override { request_.tell(step); }
  const std::atomic<bool>& cancelled() const override { return request_.cancelled(); }

 private:
  Request& request_;
};

}  // namespace

base::Description failure(const std::string& text) { return content("hone: " + text, true, ""); }

Calls::Calls(const Place& place, int max_evals, double max_minutes)
    : place_(place),
      budget_(max_evals, max_minutes, place.max_usd),
      moments_(moment_threads, most_waiting),
      judgements_(judging_threads, most_waiting) {}

Calls::~Calls() {
  ending_ = true;
  for (auto& run : runs_) run.thread.join();
}

void Calls::start(std::shared_ptr<Request> request, const Tool& tool, std::string arguments) {
  if (tool.runs == Tool::Runs::background)
    return start_background(std::move(request), tool, std::move(arguments));
  Lane& lane = tool.evals_wanted ? judgements_ : moments_;
  const auto job = [this, request, &tool, arguments = std::move(arguments)] {
    run_tool(*request, tool, arguments);
  };
  if (!lane.add(job))
    request->answer(failure(fmt::format(
        "{} calls wait already: wait for their answers before you call more", most_waiting)));
}

void Calls::start(std::shared_ptr<Request> request, std::function<void(Request&)> job) {
  if (!moments_.add([request, job = std::move(job)] { job(*request); }))
    request->refuse(
        {code::internal, fmt::format("{} requests wait already", most_waiting), {}, {}});
}

void Calls::run_tool(Request& request, const Tool& tool, const std::string& arguments) {
  if (ending_ || request.cancelled()) return;
  try {
    const Answer answer = answer_of(request, tool, arguments);
    request.answer(content(cut(answer.text), false, answer.json));
  } catch (const base::Error& error) {
    request.answer(failure(error.what()));
  } catch (const std::exception& error) {
    request.answer(failure(std::string("this is a mistake in hone itself, please report it: ") +
                           error.what()));
  }
}

Answer Calls::answer_of(Request& request, const Tool& tool, const std::string& arguments) {
  if (tool.runs != Tool::Runs::here) return apart(request, tool, arguments, nullptr);
  HereSink sink(request);
  Call call{place_, sink};
  call.stop_run = [this](const std::string& run) { return stop_run(run); };
  call.status = [this] { return status(); };
  return tool.run(arguments, call);
}

Answer Calls::apart(Request& request, const Tool& tool, const std::string& arguments,
                    Background* background) {
  const bool counted = !tool.reads_only;
  const int wanted = tool.evals_wanted ? tool.evals_wanted(arguments) : 0;
  const int booked = counted ? budget_.book(wanted) : 0;
  Place place = place_;
  try {
    if (background != nullptr) place.max_usd = budget_.book_usd(usd_wanted(arguments));
  } catch (const base::Error&) {
    budget_.settle(booked, 0);
    throw;
  }
  std::string notes;
  std::size_t noted = 0;
  bool minutes_left = true;
  ApartWatcher watcher;
  watcher.step = [&](const app::Step& step) { request.tell(step); };
  watcher.say = [&](const std::string& text) {
    request.tell({text, {}, {}});
    if (!tool.finishes && noted++ < most_notes) notes += "note: " + text + "\n";
  };
  watcher.begun = [&](const std::string& run) {
    if (background == nullptr) return;
    {
      const std::lock_guard lock(mutex_);
      background->run = run;
    }
    const std::string json =
        base::json_line([&](base::Fields& f) { f("run", run)("state", "running"); });
    request.answer(
        content("run " + run + " has begun; watch_run says how far it is\n", false, json));
  };
  watcher.to_end = [&](double seconds) {
    request.heartbeat();
    if (counted) minutes_left = budget_.spend(seconds) && minutes_left;
    const bool stopped = background != nullptr && background->stop;
    if (ending_) return End::now;
    return stopped || request.cancelled() || !minutes_left ? End::soon : End::no;
  };
  try {
    Answer answer = call_apart(tool, {place, arguments, booked}, watcher);
    budget_.settle(booked, answer.evals);
    if (background != nullptr) budget_.settle_usd(place.max_usd, answer.usd);
    answer.text = notes + answer.text;
    return answer;
  } catch (const base::Error& error) {
    // What could not be used was not judged; what was interrupted may have been.
    const bool judged = error.code() == ExitCode::interrupted || error.code() == ExitCode::internal;
    budget_.settle(booked, judged ? booked : 0);
    if (background != nullptr) budget_.settle_usd(place.max_usd, judged ? place.max_usd : 0);
    if (!minutes_left)
      base::fail(ExitCode::interrupted,
                 "the call was ended, because the {:g} minutes of this server are used up",
                 budget_.max_minutes());
    throw;
  }
}

void Calls::start_background(std::shared_ptr<Request> request, const Tool& tool,
                             std::string arguments) {
  forget_ended_runs();
  const std::lock_guard lock(mutex_);
  if (runs_.size() >= most_runs)
    return request->answer(failure(
        fmt::format("{} runs are at work already: stop one, or wait for its end", most_runs)));
  Background& run = runs_.emplace_back();
  run.thread = std::thread([this, request, &tool, &run, arguments = std::move(arguments)] {
    try {
      const Answer answer = apart(*request, tool, arguments, &run);
      const std::lock_guard lock_here(mutex_);
      // One that ended before it could say that it has begun.
      if (run.run.empty()) request->answer(content(answer.text, false, answer.json));
    } catch (const std::exception& error) {
      const std::lock_guard lock_here(mutex_);
      if (run.run.empty()) request->answer(failure(error.what()));
    }
    run.over = true;
  });
}

void Calls::forget_ended_runs() {
  const std::lock_guard lock(mutex_);
  for (auto run = runs_.begin(); run != runs_.end();) {
    if (!run->over) {
      ++run;
      continue;
    }
    run->thread.join();
    run = runs_.erase(run);
  }
}

bool Calls::stop_run(const std::string& run) {
  const std::lock_guard lock(mutex_);
  for (auto& one : runs_)
    if (!run.empty() && one.run == run && !one.over) {
      one.stop = true;
      return true;
    }
  return false;
}

ServerStatus Calls::status() {
  ServerStatus status{place_.folder.string(), place_.common.device, budget_.evals(),
                      budget_.max_evals(),    budget_.minutes(),    budget_.max_minutes(),
                      budget_.usd(),          budget_.max_usd()};
  status.calls = static_cast<int>(moments_.size() + judgements_.size()) - 1;  // without this one
  const std::lock_guard lock(mutex_);
  for (const auto& run : runs_)
    if (!run.over && !run.run.empty()) status.runs.push_back(run.run);
  return status;
}

}  // namespace hone::mcp
