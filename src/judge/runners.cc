#include "judge/runners.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "judge/since.h"

namespace hone::judge {

// Looked for once, and only where a candidate or a reference in Python needs one.
const runner::Python& Runners::python() {
  if (!python_) python_ = runner::find_python();
  return *python_;
}

runner::RunnerOptions Runners::options_for(bool python, const char* role) {
  auto options = python ? runner::python_options(info_, unsafe_, {this->python(), role})
                        : runner::runner_options(info_, unsafe_);
  // Without the guard, for the self-test: its specimens must then come through.
  if (!guards_.on(Guard::limits)) {
    constexpr std::uint64_t none = ~std::uint64_t{0};
    options.sandbox.memory_bytes = options.sandbox.file_bytes = none;
    options.sandbox.processes = 1 << 20;
    options.sandbox.network = true;
  }
  if (!guards_.on(Guard::scratch_folder)) {
    if (!shared_scratch_) shared_scratch_ = std::make_unique<base::TemporaryFolder>("hone-shared");
    // The sandbox runs as another user.
    std::filesystem::permissions(shared_scratch_->path(), std::filesystem::perms::all);
    options.sandbox.shared_folder = shared_scratch_->path();
  }
  return options;
}

void Runners::start(int count, bool python) {
  auto& spares = python ? python_spares_ : spares_;
  while (static_cast<int>(spares.size()) < count)
    spares.push_back(std::make_unique<runner::Runner>(info_, options_for(python)));
}

void Runners::start_first(bool python) {
  if ((python ? python_spares_ : spares_).empty()) start(std::max(1, spare_), python);
}

std::unique_ptr<runner::Runner> Runners::take(bool python) {
  start(1, python);
  auto& spares = python ? python_spares_ : spares_;
  auto runner = std::move(spares.front());
  spares.pop_front();
  return runner;
}

bool Runners::are_opening() const {
  const auto is_opening = [](const auto& runner) { return runner->is_opening(); };
  return std::any_of(spares_.begin(), spares_.end(), is_opening) ||
         std::any_of(python_spares_.begin(), python_spares_.end(), is_opening);
}

// One that cannot open it says so when it is used.
void Runners::wait_until_open() const {
  constexpr std::chrono::seconds longest(30);
  constexpr std::chrono::milliseconds pause(1);
  for (const auto start = Clock::now(); are_opening() && Clock::now() - start < longest;)
    std::this_thread::sleep_for(pause);
}

std::unique_ptr<runner::Runner> Runners::start_idle_python() {
  return std::make_unique<runner::Runner>(info_, options_for(true, "idle"));
}

std::unique_ptr<runner::Runner> Runners::start_library() {
  auto options = runner::python_options(info_, unsafe_, {python(), "library"});
  options.freeze = runner::runner_options(info_, unsafe_).freeze;
  return std::make_unique<runner::Runner>(info_, options);
}

// Ending a process with memory on a device takes time that the next candidate need not wait for.
void Runners::end_in_background(std::unique_ptr<runner::Runner> runner) {
  std::erase_if(ending_, [](const auto& one) {
    return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  ending_.push_back(
      std::async(std::launch::async, [ended = std::move(runner)]() mutable { ended.reset(); }));
}

void Runners::wait_for_ending() {
  for (auto& one : ending_) one.get();
  ending_.clear();
}

}  // namespace hone::judge
