#pragma once
// What tests of clusters share: a run whose jobs go through a spool, a device that the test holds
// so that jobs stay under way for as long as it wants, and waiting for what is to be seen.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>

#include "device/fake_device.h"
#include "exec/spool.h"
#include "judge/lease.h"
#include "laboratory.h"
#include "store/research.h"

namespace hone::end_to_end {

// Until it is so. For broken code only it takes minutes.
inline bool until(const std::function<bool()>& is_so) {
  constexpr int look_again_ms = 20;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    ::poll(nullptr, 0, look_again_ms);
  }
  return true;
}

// While it lives no process judges on fake:1: those that want to wait for the lease, with their
// jobs begun.
class HeldDevice {
 public:
  explicit HeldDevice(const std::filesystem::path& leases) {
    ::setenv("HONE_LEASES", leases.c_str(), 1);  // of this process and what it starts
    lease_.emplace(device::fake_info(false), [](const std::string&) {});
  }
  void release() { lease_.reset(); }

 private:
  std::optional<judge::Lease> lease_;
};

// A process of hone in the background, with outputs of its own.
class Background {
 public:
  Background(const Hone& like, std::vector<std::string> words) {
    hone_.set("HONE_HOME", like.home());
    hone_.set("ASKED", like.folder() / "asked");
    words.insert(words.begin(), HONE_BINARY);
    pid_ = hone_.start(std::move(words));
  }
  ~Background() {
    if (pid_ > 0) ::kill(pid_, SIGKILL), finish();
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  int pid() const { return pid_; }
  void signal(int number) const { ::kill(pid_, number); }
  std::string said() const { return base::read_file(hone_.folder() / "err"); }
  bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
  }
  bool ends_within(double seconds) const {
    const base::Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    pollfd end{process.get(), POLLIN, 0};
    return ::poll(&end, 1, static_cast<int>(1000 * seconds)) == 1;
  }
  Finished finish() {
    Finished finished = hone_.finish(pid_);
    pid_ = -1;
    return finished;
  }

 private:
  Hone hone_;
  int pid_ = -1;
};

// The first process that the other one has started: of a worker, the one that does the work.
inline int child_of(int pid) {
  const std::string id = std::to_string(pid);
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  int child = 0;
  return children >> child ? child : 0;
}

struct ClusterRun {
  ClusterRun() {
    device_file = lab.hone.folder() / "device.json";
    const auto described =
        lab.hone.run({"bundle", "device", "--device", "fake:1", "-o", device_file});
    EXPECT_EQ(described.code, 0) << described.err;
  }
  std::vector<std::string> words(const std::string& executor) const {
    return {"run",
            lab.hone.folder() / "copy",
            "--device",
            device_file,
            "--seed",
            lab.hone.folder() / "seed.fake",
            "--llm",
            "exec:" + (lab.hone.folder() / "model.sh").string(),
            "--width",
            "3",
            "--attempts",
            "3",
            "--max-candidates",
            "6",
            "--executor",
            executor};
  }
  std::string id() const {
    auto archive = lab.archive();
    const auto runs = store::list_runs(archive, 1);
    return runs.empty() ? "" : runs[0].id;
  }

  Laboratory lab;
  std::string device_file;
};

// The claims of all workers, as WORKER/NAME~ATTEMPT.
inline std::vector<std::string> claims_in(const exec::Spool& spool) {
  std::vector<std::string> found;
  for (const auto& worker : spool.workers())
    for (const auto& job : spool.claims_of(worker))
      found.push_back(worker + "/" + exec::file_name_of(job));
  return found;
}

}  // namespace hone::end_to_end
