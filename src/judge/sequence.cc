#include "judge/sequence.h"

#include <algorithm>
#include <utility>

namespace hone::judge {

std::size_t variants_in(const Entries& entries) {
  return static_cast<std::size_t>(std::count_if(
      entries.begin(), entries.end(), [](const Entry* entry) { return is_variant(*entry); }));
}

// Drawn anew for each call, so that no call announces the next one.
const Entry* Sequence::next() {
  const InputMix& mix = trial_.mix();
  if (!mix.variants.empty() && trial_.random_below(one_variant_in) == 0)
    return any_of(mix.variants);
  if (trial_.random_below(one_of_its_own_in) == 0) {
    // Which of the two kinds it is tells a candidate nothing: both are inputs like all others.
    if (!unchecked_.empty() && (mix.of_its_own.empty() || trial_.random_below(2) == 0)) {
      const Entry* entry = unchecked_.back();
      unchecked_.pop_back();
      return entry;
    }
    if (!mix.of_its_own.empty()) return any_of(mix.of_its_own);
  }
  // Each known input once, in turn, before any is drawn a second time: their first calls tell
  // whether answers are kept.
  const Entries& known = trial_.known();
  return next_known_ < known.size() ? known[next_known_++] : any_of(known);
}

Entries Sequence::next_batch(const Entries& plain, std::size_t count) {
  const Entries& variants = trial_.mix().variants;
  Entries batch;
  while (batch.size() < count) {
    if (!variants.empty() && trial_.random_below(one_variant_in) == 0)
      batch.push_back(any_of(variants));
    else if (!introduced_.empty() && trial_.random_below(one_of_its_own_in) == 0)
      batch.push_back(any_of(introduced_));
    else
      batch.push_back(any_of(plain));
  }
  // One that is all variants would have no time to count.
  if (count > 0 && variants_in(batch) == count) batch.front() = any_of(plain);
  return batch;
}

Entries Sequence::batch_of_new(const Entries& of_its_own, const Entries& others,
                               const Entries& plain, std::size_t count) {
  Entries batch = of_its_own;
  batch.insert(batch.end(), others.begin(), others.end());
  batch.resize(std::min(batch.size(), count));
  introduced_.insert(
      introduced_.end(), of_its_own.begin(),
      of_its_own.begin() + static_cast<std::ptrdiff_t>(std::min(of_its_own.size(), count)));
  const Entries rest = next_batch(plain, count - batch.size());
  batch.insert(batch.end(), rest.begin(), rest.end());
  shuffle(batch);
  return batch;
}

Entries Sequence::batch_of_variants(std::size_t count) {
  const Entries& variants = trial_.mix().variants;
  Entries batch;
  while (batch.size() < count) batch.push_back(variants[next_variant_++ % variants.size()]);
  shuffle(batch);
  return batch;
}

Entries Sequence::left_over() {
  Entries left;
  const auto add = [&](const Entries& entries) {
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(left),
                 [&](const Entry* entry) { return !called_.contains(entry); });
  };
  add(trial_.mix().of_its_own);
  add(unchecked_);
  if (trial_.mix().every_variant) add(trial_.mix().variants);
  shuffle(left);
  return left;
}

// With the judge's secret numbers.
void Sequence::shuffle(Entries& entries) {
  for (std::size_t i = entries.size(); i > 1; --i)
    std::swap(entries[i - 1], entries[trial_.random_below(i)]);
}

}  // namespace hone::judge
