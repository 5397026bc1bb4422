#pragma once
// The order of the timed calls of one case. A candidate that can remember could tell phases of
// judging apart if variants came first and timed inputs later; so plain inputs, inputs that were
// made for it alone and variants come in one random order, inside batches too. What precedes them,
// the first call and the few that tell how long a batch should be, is on known inputs. A candidate
// that holds no state is called on plain inputs only. On the judge's thread, over one trial.
//
// The words for inputs:
//   plain        as the task draws them; all but variants
//   known        plain, called again and again, by every candidate of this judge
//   of its own   plain, made for this candidate alone, and called again and again as well: every
//                second one is drawn as a whole, the others are known ones with a few elements
//                changed (is_drawn_whole). The guard over them is called never-used
//   unchecked    plain, drawn as a whole and called once; the expected values are not known then,
//                and only some are compared with them afterwards
//   unseen       of which this candidate has met none before: what a guard draws on suspicion
//   variant      of another distribution, where the task allows it
#include <cstddef>
#include <set>
#include <vector>

#include "judge/trial.h"

namespace hone::judge {

// About one call in so many is on a variant, and one in so many on an input of the candidate's own.
constexpr std::uint64_t one_variant_in = 8, one_of_its_own_in = 4;

class Sequence {
 public:
  explicit Sequence(Trial& trial) : trial_(trial), unchecked_(trial.mix().unchecked) {}

  // The input of the next single call. Known inputs that were not called yet come before those that
  // were: that tells which calls met new contents.
  const Entry* next();
  // The inputs of the next batch: `plain` at random, and the others at random places. How many
  // variants there are is random as well, so that after the last one nothing tells that it was the
  // last.
  Entries next_batch(const Entries& plain, std::size_t count);
  // A batch of inputs that are called for the first time, once each, in random order: those that
  // were made for the candidate alone, which come in other batches from then on, and others. Where
  // these are too few, `plain` ones as in any other batch.
  Entries batch_of_new(const Entries& of_its_own, const Entries& others, const Entries& plain,
                       std::size_t count);
  // A batch of variants only, all of them in turn.
  Entries batch_of_variants(std::size_t count);
  // What must be called alone and was not, in random order: inputs made for the candidate, and
  // variants where all are asked for.
  Entries left_over();
  // Whether the entry is called for the first time; notes that it is.
  bool is_first_call(const Entry* entry) { return called_.insert(entry).second; }

 private:
  const Entry* any_of(const Entries& entries) {
    return entries[trial_.random_below(entries.size())];
  }
  void shuffle(Entries& entries);

  Trial& trial_;
  std::set<const Entry*> called_;
  Entries unchecked_;           // of the mix, that were not called yet
  Entries introduced_;          // inputs made for the candidate alone that were in a batch
  std::size_t next_known_ = 1;  // the verifying call has shown the first
  std::size_t next_variant_ = 0;
};

inline bool is_variant(const Entry& entry) { return entry.variant != core::Variant::plain; }
std::size_t variants_in(const Entries& entries);

}  // namespace hone::judge
