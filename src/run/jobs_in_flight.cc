#include "run/jobs_in_flight.h"

#include <algorithm>

namespace hone::run {

JobCallback JobsInFlight::callback() {
  return [this](JobDone done) {
    events_.post([this, done = std::move(done)]() mutable { take(std::move(done)); });
  };
}

void JobsInFlight::submit(Job job, std::function<void(JobDone)> then) {
  then_[job.name] = std::move(then);
  judges_->submit(std::move(job));
}

void JobsInFlight::take(JobDone done) {
  if (!judges_->away()) return finish(std::move(done));
  trip_.push_back(std::move(done));
  if (trip_.size() < then_.size()) return;
  std::vector<JobDone> whole = std::move(trip_);
  trip_.clear();
  std::sort(whole.begin(), whole.end(),
            [](const JobDone& a, const JobDone& b) { return a.name < b.name; });
  for (auto& one : whole) finish(std::move(one));
}

void JobsInFlight::finish(JobDone done) {
  const auto found = then_.find(done.name);
  if (found == then_.end()) return;
  const auto then = std::move(found->second);
  then_.erase(found);
  if (done.state == JobDone::State::away) away_.push_back(done.name);
  then(std::move(done));
}

}  // namespace hone::run
