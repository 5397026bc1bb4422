#include "run/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/files.h"

namespace hone::run {
namespace {

std::atomic<bool> noted = false;

[[noreturn]] void leave() {
  base::remove_temporary_folders();
  ::_exit(static_cast<int>(base::ExitCode::interrupted));
}

sigset_t held_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaddset(&signals, number);
  }
  return signals;
}

}  // namespace

void hold_signals() {
  const sigset_t signals = held_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void finish_when_interrupted() {
  std::thread([signals = held_signals()] {
    constexpr std::string_view text =
        "\nhone: stopping after what is being measured; press Ctrl-C again to end at once\n";
    for (int number = 0; ::sigwait(&signals, &number) == 0;) {
      if (noted.exchange(true)) leave();
      if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
        continue;  // standard error is closed
    }
  }).detach();
}

void leave_when_interrupted() {
  std::thread([signals = held_signals()] {
    int number = 0;
    if (::sigwait(&signals, &number) != 0) return;
    // On a terminal the cursor stands behind what is being done, and behind the ^C.
    const char* begin = ::isatty(STDERR_FILENO) != 0 ? "\n" : "";
    std::fprintf(stderr, "%shone: interrupted; nothing that was not yet reported is recorded\n",
                 begin);
    leave();
  }).detach();
}

const std::atomic<bool>& Interrupt::flag() const { return noted; }

}  // namespace hone::run
