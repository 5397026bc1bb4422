#pragma once
// A trial for tests: the candidate is a function that says how long a call takes, the machine is a
// schedule of delays, and the clock is theirs. Nothing is run, so what a guard that goes by the
// clock sees is exactly what the test says.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/python/batch.h"
#include "judge/trial.h"

namespace hone::judge {

class ScriptedTrial final : public Trial {
 public:
  // Seconds of one call on an input; `times_called` counts the calls on it before this one.
  using Candidate = std::function<double(const Entry& entry, int times_called)>;
  // Seconds that the machine adds to the n-th request: other programs, a process that has to be
  // woken up.
  using Machine = std::function<double(int request)>;

  ScriptedTrial(TrialFacts facts, GuardSet guards, std::size_t inputs, Candidate candidate)
      : ScriptedTrial(std::make_unique<GuardSet>(guards), std::move(facts), inputs,
                      std::move(candidate)) {}

  Machine machine = [](int) { return 0.0; };
  // Seconds before which the candidate does not answer a batch of so many calls.
  std::function<double(std::size_t calls)> waits_until = [](std::size_t) { return 0.0; };
  double clock_factor = 1;  // the device's events say this part of the time
  std::size_t room = 100;   // unseen inputs that fit in memory
  std::size_t room_for_unchecked = 100;
  double batch_overhead = 0;  // seconds of every request, however many calls it has
  int calls = 0, requests = 0;
  std::size_t calls_in_batch = 1;  // of the request that is being made

  // Inputs made for the candidate alone, and variants, all of which are to be called.
  void mix_in(std::size_t of_its_own, std::size_t variants) {
    InputMix mix;
    mix.new_batches = of_its_own == 0 ? 0 : of_its_own < 4 ? 1 : 2;
    mix.every_variant = true;
    for (std::size_t i = 0; i < of_its_own + variants; ++i) {
      others_.push_back(std::make_unique<Entry>());
      if (i >= of_its_own) others_.back()->variant = core::Variant::flipped;
      (i < of_its_own ? mix.of_its_own : mix.variants).push_back(others_.back().get());
    }
    set_mix(std::move(mix));
  }

  // What single calls give, where the test says so; the n-th one.
  std::function<base::Result<CallResult, Finding>(int n, const CallOptions& options)> answers;

  base::Result<CallResult, Finding> call(const Entry& entry, const CallOptions& options) override {
    const double seconds = seconds_of(entry);
    if (!answers) return CallResult{};
    now_ += seconds;
    return answers(calls, options);
  }

  base::Result<TimedCalls, Finding> time(const Entries& entries) override {
    calls_in_batch = entries.size();
    double seconds = batch_overhead;
    for (const Entry* entry : entries) seconds += seconds_of(*entry);
    seconds = std::max(seconds, waits_until(entries.size())) + machine(requests++);
    now_ += seconds;
    const double each = seconds / static_cast<double>(entries.size());
    return TimedCalls{each, each};
  }

  base::Result<ClockPair, Finding> time_by_both_clocks(int count, double) override {
    double seconds = 0;
    for (int i = 0; i < count; ++i) seconds += seconds_of(*known().front());
    const double delay = machine(requests++);
    now_ += seconds + delay;
    return ClockPair{clock_factor * seconds, seconds + delay};
  }

  std::size_t room_for_unseen() override {
    if (room > 0) return room;
    Entries fewer = known();
    times_called_.erase(fewer.back());
    fewer.pop_back();
    set_known(std::move(fewer));
    return 1;
  }
  base::Result<UnseenInputs, Finding> draw_unseen(std::size_t count, Expected expected) override {
    UnseenInputs inputs;
    if (expected == Expected::unknown) count = std::min(count, room_for_unchecked);
    while (inputs.size() < count) inputs.push_back(std::make_unique<Entry>());
    return inputs;
  }
  void forget(const UnseenInputs& inputs) override {
    for (const auto& entry : inputs) times_called_.erase(entry.get());
  }
  void restore_known(std::size_t count) override { set_known(first_of(count)); }
  std::string overlap(double batched, double alone) override {
    return guards().on(Guard::overlap)
               ? judge::overlap(batch_limits(facts().clock), batched, alone, 0)
               : "";
  }
  double now() const override { return now_; }
  // A fixed sequence, so that a test is the same in every run.
  std::uint64_t random_below(std::uint64_t bound) override {
    constexpr std::uint64_t multiplier = 6364136223846793005u, increment = 1442695040888963407u;
    random_ = random_ * multiplier + increment;
    return bound == 0 ? 0 : (random_ >> 33) % bound;
  }

 private:
  ScriptedTrial(std::unique_ptr<GuardSet> guards, TrialFacts facts, std::size_t inputs,
                Candidate candidate)
      : Trial(std::move(facts), *guards),
        own_guards_(std::move(guards)),
        candidate_(std::move(candidate)) {
    for (std::size_t i = 0; i < inputs; ++i) own_.push_back(std::make_unique<Entry>());
    set_known(first_of(inputs));
    if (inputs > 0) times_called_[own_.front().get()] = 1;  // the verifying call
  }
  Entries first_of(std::size_t count) const {
    Entries entries;
    for (std::size_t i = 0; i < count; ++i) entries.push_back(own_[i].get());
    return entries;
  }
  double seconds_of(const Entry& entry) {
    ++calls;
    return candidate_(entry, times_called_[&entry]++);
  }

  std::unique_ptr<GuardSet> own_guards_;
  Candidate candidate_;
  std::vector<std::unique_ptr<Entry>> own_, others_;
  std::map<const Entry*, int> times_called_;
  double now_ = 0;
  std::uint64_t random_ = 1;
};

}  // namespace hone::judge
