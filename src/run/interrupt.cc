#include "run/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <initializer_list>
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

void wait_for(sigset_t signals) {
  constexpr std::string_view words = "\nhone: ends after what it is measuring; once more ends it at once\n";
  for (int number = 0; ::sigwait(&signals, &number) == 0;) {
    if (noted.exchange(true)) leave();
    if (::write(STDERR_FILENO, words.data(), words.size()) < 0) continue;  // nobody listens
  }
}

// Blocks the signals here and in all threads to come, less those that whoever started us wants ignored (nohup).
sigset_t block(std::initializer_list<int> numbers) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : numbers) {
    struct sigaction before {};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaddset(&signals, number);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

}  // namespace

Interrupt::Interrupt() { std::thread(wait_for, block({SIGINT, SIGTERM})).detach(); }

void leave_when_interrupted() {
  std::thread([signals = block({SIGINT, SIGTERM, SIGHUP})] {
    int number = 0;
    if (::sigwait(&signals, &number) != 0) return;
    std::fputs("hone: interrupted; nothing that was not yet reported is recorded\n", stderr);
    leave();
  }).detach();
}

bool Interrupt::requested() const { return noted; }
const std::atomic<bool>& Interrupt::flag() const { return noted; }

}  // namespace hone::run
