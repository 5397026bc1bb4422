#include "exec/spool_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "exec/worker_place.h"

namespace hone::exec {
namespace fs = std::filesystem;
namespace {

using Clock = SpoolWatch::Clock;

constexpr int looks_at_least = 4;  // that find no change, before something counts as lost
constexpr std::uint64_t largest_sign = 64;

Clock::duration time_since(Clock::time_point last, Clock::time_point now,
                           std::chrono::duration<double> lost_after) {
  if (last == Clock::time_point{}) return {};
  const auto most = std::chrono::duration_cast<Clock::duration>(lost_after / looks_at_least);
  return std::min(now - last, most);
}

}  // namespace

std::vector<std::string> SpoolWatch::look(Clock::time_point now) {
  const Clock::duration passed = time_since(last_, now, lost_after_);
  last_ = now;
  std::vector<std::string> found;
  std::map<std::string, Seen> seen;
  for (const std::string& worker : spool_.workers()) {
    const std::string sign = sign_of_life(spool_.path() / "workers" / worker);
    const auto before = seen_.find(worker);
    const bool same = before != seen_.end() && before->second.sign == sign;
    const Seen here{sign, same ? before->second.unchanged + passed : Clock::duration{}};
    if (here.unchanged < lost_after_) {
      seen[worker] = here;
      continue;
    }
    // One that was lost before and came back is lost under another name.
    const std::string name = fmt::format("{}.{:08x}", worker, std::random_device()());
    std::error_code ec;
    fs::rename(spool_.path() / "workers" / worker, spool_.path() / "lost" / name, ec);
    if (!ec) found.push_back(worker);
  }
  seen_ = std::move(seen);
  return_claims_of_the_lost();
  return found;
}

// Also those of a worker whose finder was itself killed in between.
void SpoolWatch::return_claims_of_the_lost() const {
  for (const std::string& worker : spool_.lost()) {
    const fs::path folder = spool_.path() / "lost" / worker;
    for (const SpoolJob& job : jobs_in(folder))
      give_back_claim(spool_, folder / file_name_of(job), job, true);
  }
}

bool LifeWatch::lost(Clock::time_point now) {
  const Clock::duration passed = time_since(last_, now, lost_after_);
  last_ = now;
  const auto text = read_untrusted(file_, largest_sign);
  const std::string sign = text ? *text : "";
  unchanged_ = sign == sign_ ? unchanged_ + passed : Clock::duration{};
  sign_ = sign;
  return unchanged_ >= lost_after_;
}

}  // namespace hone::exec
