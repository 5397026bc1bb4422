#include "run/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>
#include <thread>

#include "base/error.h"

namespace hone::run {
namespace {

std::atomic<bool> noted = false;

void wait_for(sigset_t signals) {
  constexpr std::string_view words = "\nhone: ends after what it is measuring; once more ends it at once\n";
  for (int number = 0; ::sigwait(&signals, &number) == 0;) {
    if (noted.exchange(true)) ::_exit(static_cast<int>(base::ExitCode::interrupted));
    if (::write(STDERR_FILENO, words.data(), words.size()) < 0) continue;  // nobody listens
  }
}

}  // namespace

Interrupt::Interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(wait_for, signals).detach();
}

bool Interrupt::requested() const { return noted; }

}  // namespace hone::run
