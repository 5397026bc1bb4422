// The order of calls, over trials whose candidate, machine and clock the test scripts.
#include "judge/sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/stats.h"
#include "judge/arrival.h"
#include "judge/scripted_trial.h"
#include "judge/timing.h"

namespace hone::judge {
namespace {

using core::ClockKind;
using testing::HasSubstr;

constexpr double computed = 0.02;  // seconds of a call
const SamplingRule eighty_samples{80, 80, 0, 1};

TrialFacts native_code() { return {"case", ClockKind::judge, false, true}; }
TrialFacts python_on_a_gpu() { return {"case", ClockKind::device, true, true}; }

// What was called, in order.
struct Calls {
  std::vector<const Entry*> entries;

  ScriptedTrial::Candidate candidate(std::function<double(const Entry&, int)> seconds) {
    return [this, seconds](const Entry& entry, int times_called) {
      entries.push_back(&entry);
      return seconds(entry, times_called);
    };
  }
  std::vector<std::size_t> places_of_variants() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (is_variant(*entries[i])) places.push_back(i);
    return places;
  }
};
double always(const Entry&, int) { return computed; }
double slow_on_variants(const Entry& entry, int) {
  return is_variant(entry) ? 4 * computed : computed;
}

bool labelled(const Timing& timing, Guard guard) {
  return std::any_of(timing.labels.begin(), timing.labels.end(),
                     [&](const auto& one) { return one.guard == guard; });
}

TEST(Sequence, VariantsComeFromTheFirstCallToTheLastAboutOneInEight) {
  Calls calls;
  ScriptedTrial trial(native_code(), {}, 4, calls.candidate(always));
  trial.mix_in(1, 4);
  ASSERT_TRUE(sample_calls(trial, eighty_samples).ok());
  const auto places = calls.places_of_variants();
  ASSERT_GE(places.size(), 4u);
  EXPECT_LE(places.size(), 24u);
  EXPECT_LT(places.front(), calls.entries.size() / 3);
  EXPECT_GT(places.back(), 2 * calls.entries.size() / 3);
}

TEST(Sequence, InBatchesTooAndNoBatchTellsWhenItsLastVariantWas) {
  Calls calls;
  ScriptedTrial trial(python_on_a_gpu(), {}, 4, calls.candidate(always));
  trial.mix_in(1, 4);
  Sequence sequence(trial);
  std::set<std::size_t> counts, places;
  for (int i = 0; i < 100; ++i) {
    const Entries batch = sequence.next_batch(trial.known(), 16);
    ASSERT_EQ(batch.size(), 16u);
    counts.insert(variants_in(batch));
    for (std::size_t at = 0; at < batch.size(); ++at)
      if (is_variant(*batch[at])) places.insert(at);
  }
  EXPECT_GE(counts.size(), 4u) << "how many there are varies";
  EXPECT_EQ(places.size(), 16u) << "and they are everywhere";
}

TEST(Sequence, TheTimeIsThatOnPlainInputs) {
  for (const auto& facts : {native_code(), python_on_a_gpu()}) {
    Calls calls;
    ScriptedTrial trial(facts, {}, 4, calls.candidate(slow_on_variants));
    trial.mix_in(1, 4);
    const auto single = sample_calls(trial, eighty_samples);
    ASSERT_TRUE(single.ok()) << single.error().text;
    EXPECT_NEAR(core::median(single->samples), computed, 1e-9);
    EXPECT_NEAR(single->variants, 4 * computed, 1e-9);
    EXPECT_TRUE(labelled(*single, Guard::variants));
    const auto batched = sample_batches(trial, {5, 20, 0, 1}, 8);
    ASSERT_TRUE(batched.ok()) << batched.error().text;
    for (const double seconds : batched->samples) EXPECT_NEAR(seconds, computed, 1e-9);
    EXPECT_TRUE(labelled(*batched, Guard::variants));
  }
}

TEST(Sequence, VariantsThatTakeAsLongAsOthersAreNotWorthALabel) {
  ScriptedTrial trial(native_code(), {}, 4, always);
  trial.mix_in(1, 4);
  const auto timing = sample_calls(trial, eighty_samples);
  ASSERT_TRUE(timing.ok());
  EXPECT_TRUE(timing->labels.empty());
}

TEST(Sequence, EveryVariantAndEveryInputOfItsOwnIsCalledWhereThatIsAskedFor) {
  for (const std::size_t batch : {1, 2, 8}) {
    Calls calls;
    ScriptedTrial trial(native_code(), {}, 4, calls.candidate(always));
    trial.mix_in(2, 4);
    const SamplingRule few{3, 3, 0, 1};
    ASSERT_TRUE((batch == 1 ? sample_calls(trial, few) : sample_batches(trial, few, batch)).ok());
    for (const auto* entries : {&trial.mix().variants, &trial.mix().of_its_own})
      for (const Entry* entry : *entries)
        EXPECT_THAT(calls.entries, testing::Contains(entry)) << batch;
  }
}

TEST(Sequence, CodeThatHoldsNoStateIsCalledOnPlainInputs) {
  Calls calls;
  ScriptedTrial trial({"case", ClockKind::device, false, false}, {}, 4, calls.candidate(always));
  ASSERT_TRUE(sample_calls(trial, eighty_samples).ok());
  EXPECT_EQ(calls.entries.size(), 80u);
  EXPECT_TRUE(calls.places_of_variants().empty());
}

// Row 44: an earlier candidate has left the answers for all known inputs; nothing is left for
// inputs made for this one.
TEST(NeverUsed, ConvictsACandidateThatKnowsTheOthersFromBefore) {
  for (const auto& facts : {native_code(), python_on_a_gpu()})
    for (const std::size_t batch : {1, 4, 16}) {
      std::set<const Entry*> leaked;
      const auto candidate = [&](const Entry& entry, int times_called) {
        return leaked.contains(&entry) || times_called > 0 ? computed / 100 : computed;
      };
      ScriptedTrial trial(facts, {}, 4, candidate);
      trial.mix_in(2, 0);
      leaked.insert(trial.known().begin(), trial.known().end());
      const SamplingRule rule{10, 10, 0, 1};
      const auto sampled =
          batch == 1 ? sample_calls(trial, rule) : sample_batches(trial, rule, batch);
      ASSERT_FALSE(sampled.ok()) << batch;
      EXPECT_EQ(sampled.error().guard, Guard::replay);
      ScriptedTrial unguarded(facts, {}, 4, candidate);
      leaked.insert(unguarded.known().begin(), unguarded.known().end());
      EXPECT_TRUE(
          (batch == 1 ? sample_calls(unguarded, rule) : sample_batches(unguarded, rule, batch))
              .ok())
          << "without such inputs nothing tells: " << batch;
    }
}

// Row 45: it remembers only in long batches, and computes in short ones.
TEST(NeverUsed, ConvictsACandidateThatRemembersInLongBatchesOnly) {
  ScriptedTrial* asked = nullptr;
  const auto candidate = [&](const Entry&, int times_called) {
    return asked->calls_in_batch >= 8 && times_called > 0 ? computed / 2.1 : computed;
  };
  ScriptedTrial trial(python_on_a_gpu(), {}, 4, candidate);
  asked = &trial;
  trial.mix_in(2, 4);
  const auto sampled = sample_batches(trial, {10, 20, 0, 1}, 16);
  const bool counted = sampled.ok() && core::median(sampled->samples) > 0.99 * computed;
  EXPECT_TRUE(!sampled.ok() || counted) << "what is remembered does not count";
}

// Row 45: it remembers everything, and answers no long batch before the time of two computations is
// over, so that a batch with one or two new inputs among known ones takes as long as any other.
TEST(NeverUsed, ConvictsACandidateThatWaitsInLongBatches) {
  const auto candidate = [](const Entry&, int times_called) {
    return times_called > 0 ? computed / 100 : computed;
  };
  for (const std::size_t new_inputs : {1, 2, 4}) {
    ScriptedTrial trial(python_on_a_gpu(), {}, 4, candidate);
    trial.waits_until = [](std::size_t calls) {
      return calls > 3 ? 2 * computed : computed * double(calls);
    };
    trial.mix_in(new_inputs, 4);
    const auto sampled = sample_batches(trial, {10, 20, 0, 1}, 16);
    ASSERT_FALSE(sampled.ok()) << new_inputs;
    EXPECT_EQ(sampled.error().guard, Guard::replay);
    EXPECT_EQ(sampled.error().outcome, core::Outcome::cheating);
  }
}

TEST(NeverUsed, FewNewInputsSufficeWhereMemoryIsShort) {
  const auto candidate = [](const Entry&, int times_called) {
    return times_called > 0 ? computed / 100 : computed;
  };
  ScriptedTrial trial(python_on_a_gpu(), {}, 4, candidate);
  trial.room_for_unchecked = 0;
  trial.mix_in(2, 0);
  const auto sampled = sample_batches(trial, {10, 20, 0, 1}, 16);
  ASSERT_FALSE(sampled.ok());
  EXPECT_EQ(sampled.error().guard, Guard::replay);
}

TEST(NeverUsed, AnHonestCandidateHasNothingToFear) {
  for (const auto& facts : {native_code(), python_on_a_gpu()})
    for (const std::size_t batch : {1, 4, 16})
      for (const int period : {2, 3, 5}) {
        ScriptedTrial trial(facts, {}, 4, always);
        trial.mix_in(2, 4);
        trial.machine = [period](int request) {
          return request % period == 0 ? computed / 2 : 0.0;
        };
        const SamplingRule rule{10, 20, 0, 1};
        const auto sampled =
            batch == 1 ? sample_calls(trial, rule) : sample_batches(trial, rule, batch);
        ASSERT_TRUE(sampled.ok()) << sampled.error().text;
        EXPECT_FALSE(labelled(*sampled, Guard::replay));
      }
}

// Row 43: gaps in the watch of a device, by call.
TEST(Arrival, WorkBeforeCallAfterCallConvicts) {
  constexpr double own = 1e-5, of_another = 3e-4;
  ArrivalTally idle, queued, now_and_then, in_half;
  for (int i = 0; i < 40; ++i) {
    idle.add(own);
    queued.add(of_another);
    now_and_then.add(i % 10 == 0 ? of_another : own);
    in_half.add(i % 2 == 0 ? of_another : own);
  }
  EXPECT_FALSE(idle.convicts());
  EXPECT_TRUE(queued.convicts());
  EXPECT_FALSE(now_and_then.convicts()) << "a few have other causes";
  EXPECT_TRUE(in_half.convicts()) << "half of the calls would be worth something";
  ArrivalTally few;
  for (int i = 0; i < 2; ++i) few.add(of_another);
  EXPECT_FALSE(few.convicts()) << "two calls prove nothing";
}

}  // namespace
}  // namespace hone::judge
