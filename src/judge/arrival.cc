#include "judge/arrival.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "judge/device_state.h"
#include "judge/since.h"

namespace hone::judge {

using core::Outcome;

namespace {

constexpr int helper_process = 46, queued_work = 43;  // rows of docs/trust.md
constexpr std::uint64_t probe_bytes = 4096;           // of a result: reading all of it takes longer than a call
// On an H200 a probe takes 10 to 170 µs on an idle device, and 1.3 to 2.4 ms beside a kernel of another process,
// however small that is; one probe in five is quick there.
constexpr double slice = 6e-4;
// One call in so many has its inputs preceded by two sets of others, so that work cannot wait for the second change.
constexpr std::uint64_t two_decoys_in = 4;

Finding cheating(int row, std::string text) {
  Finding finding = conviction(Outcome::cheating, Guard::arrival, std::move(text));
  finding.row = row;
  return finding;
}

}  // namespace

double settle_seconds(device::Workbench& bench, device::Span result) {
  result.bytes = std::min(result.bytes, probe_bytes);
  const auto start = Clock::now();
  bench.fingerprint(result, 0);
  return since(start);
}

bool is_idle(const std::function<double()>& probe) {
  constexpr int needed = 5, most_probes = 40;
  for (int probes = 0, quick = 0; probes < most_probes; ++probes) {
    quick = probe() < slice ? quick + 1 : 0;
    if (quick == needed) return true;
  }
  return false;
}

void ArrivalTally::add(double probe_seconds) {
  ++calls_;
  if (probe_seconds >= slice) ++busy_;
}

bool ArrivalTally::convicts() const {
  constexpr int fewest_calls = 8;
  return calls_ >= fewest_calls && 2 * busy_ >= calls_;
}

Arrival::Arrival(const core::Task& task, device::Workbench& bench, Secrets& secrets, const GuardSet& guards,
                 const core::DeviceInfo& info)
    : task_(task), bench_(bench), secrets_(secrets), guards_(guards), info_(info), device_(core::capabilities(info)) {}

bool Arrival::can_wait(const Bound& bound) const { return bound.hostile && device_.queues_work; }

bool Arrival::device_is_idle(const Job& job) {
  return is_idle([&] { return settle_seconds(bench_, job.working->all().back().data); });
}

Finding Arrival::busy(const std::string& when) const {
  if (!device_state(info_).other_users.empty())
    return conviction(
        Outcome::undecided, Guard::arrival,
        fmt::format("the device was at work {}, and other programs use it: end them, and try again", when));
  return cheating(queued_work, fmt::format("the device was at work {}, although the call before was finished: work "
                                           "was queued that waits for the inputs",
                                           when));
}

MaybeFinding Arrival::before_inputs(const Bound& bound, const std::vector<Job>& jobs) {
  if (!guards_.on(Guard::arrival)) return std::nullopt;
  // The runner is stopped, so that none can be started from now on.
  if ((device_.native_code || bound.hostile) && guards_.on(Guard::strangers))
    if (const auto others = bound.runner->other_processes(); !others.empty())
      return cheating(helper_process, fmt::format("besides the runner, {} alive in its sandbox when its inputs were "
                                                  "about to come",
                                                  base::counted(static_cast<std::int64_t>(others.size()), "process")));
  if (!can_wait(bound)) return std::nullopt;
  if (!device_is_idle(jobs.front())) return busy("before the inputs came");
  // What waits without working, for a word in memory to change, is set off by other inputs than the call's.
  const int decoys = secrets_.below(two_decoys_in) == 0 ? 2 : 1;
  for (int i = 0; i < decoys; ++i) {
    for (const Job& job : jobs) lay_out_decoy(job, i == 0);
    bench_.finish();
    if (!device_is_idle(jobs.front())) return busy("when other inputs had come");
  }
  return std::nullopt;
}

MaybeFinding Arrival::after_inputs(const Bound& bound, const std::vector<Job>& jobs) {
  if (!guards_.on(Guard::arrival) || !can_wait(bound)) return std::nullopt;
  tally_.add(settle_seconds(bench_, jobs.front().working->all().back().data));
  if (!tally_.convicts()) return std::nullopt;
  return busy(fmt::format("in {} of {} calls when their inputs had come and they had not begun", tally_.busy(),
                          tally_.calls()));
}

// The first is another input of the task, where there is one; a second has random bytes.
void Arrival::lay_out_decoy(const Job& job, bool first) {
  auto& buffers = job.working->all();
  for (std::size_t i = 0; i < task_.inputs.size(); ++i)
    if (first && job.decoy != nullptr)
      bench_.copy(job.decoy->inputs->all()[i].data, buffers[i].data);
    else
      bench_.poison(buffers[i].data, buffers[i].shape.dtype, secrets_.seed());
}

}  // namespace hone::judge
