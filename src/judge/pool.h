#pragma once
// Secret inputs with the expected values for them, which the judge holds. Made once per case, used
// by every candidate, drawn anew after a while. Candidates' processes never see these buffers: a
// call works on copies. Owned by Inputs, on the judge's thread.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/buffers.h"
#include "judge/guards.h"
#include "judge/secrets.h"
#include "judge/truth.h"

namespace hone::judge {

struct TaskShapes {
  std::vector<core::ResolvedBuffer> inputs, outputs;
};
TaskShapes task_shapes(
    const core::Task& task,
    const core::Case& which);  // throws Error; a loaded task's shapes have values
device::DrawRequest draw_request(const core::Input& input, const core::Case& which,
                                 core::Variant variant);

// Draws one input, of a kind that is not the problem's own.
void draw_tensor(const core::Input& input, const core::Case& which, core::Variant variant,
                 device::TensorOps& ops, std::uint64_t seed, const device::Span& to);

bool takes(const core::Input& input, core::Variant variant);  // plain is taken by all
// Draws all inputs of a variant, in each of these sets; those that only the problem can draw, it
// draws.
void draw_inputs(const core::Task& task, const core::Case& which, core::Variant variant,
                 device::TensorOps& ops, Truth& truth, Secrets& secrets, const InputSets& sets);
// Draws one of them anew.
void draw_input(const core::Task& task, const core::Case& which, std::size_t index,
                device::TensorOps& ops, Truth& truth, Secrets& secrets,
                const std::vector<Guarded>& inputs);

// One more draw of the inputs that the problem draws, to take elements from; null where it draws
// none.
std::unique_ptr<BufferSet> other_draw(const core::Task& task, const core::Case& which,
                                      core::Variant variant, device::TensorOps& ops, Truth& truth,
                                      Secrets& secrets);
// Replaces `count` elements of an input (0: a few), as the variants in turn have them; returns how
// many. Those that the problem draws are taken from `other`; none of an input that it draws as a
// whole, since its elements depend on each other.
std::uint64_t change_elements(const core::Task& task, const core::Case& which, std::size_t index,
                              std::uint64_t count, const Guarded& buffer, const BufferSet* other,
                              std::span<const core::Variant> values, device::TensorOps& ops,
                              Secrets& secrets);
bool has_elements_to_change(const core::Input& input);

struct Entry {
  core::Variant variant = core::Variant::plain;
  std::shared_ptr<BufferSet> inputs;
  std::unique_ptr<BufferSet> expected;  // none: results are not compared
  std::vector<double> scales;           // per output: rms of the expected values
  std::vector<double> honest_rms;  // per output: what a single-precision reference makes of these
                                   // inputs; 0: not applicable
  // Per output: torch's errors on these inputs, where there are classes of precision. Without TF32
  // only for inputs that are no variant.
  std::vector<ErrorPair> tf32, fp32;
  std::unique_ptr<BufferSet>
      eager;  // torch's results at its own settings, for draws of the problem's own
  // Why the problem's own check refuses outputs for these inputs; empty where there is none to be
  // asked.
  std::function<std::optional<std::string>(const std::vector<Guarded>& outputs)> official;
};

// What an honest kernel's error is, once measured for a case and variant. Not secret, so it is also
// kept on disk by the pool's owner.
using HonestErrors = std::map<std::string, std::vector<double>>;

class Pool {
 public:
  Pool(const core::Task& task, const core::Case& which, device::TensorOps& ops, Truth& truth,
       Secrets& secrets, const GuardSet& guards, HonestErrors& honest);

  // At least `count` plain entries; every second one is the one before it with a few elements
  // changed.
  std::vector<Entry*> plain(std::size_t count);
  // One that no candidate has seen; not kept. `like`: that entry with a few elements changed.
  std::unique_ptr<Entry> fresh(const Entry* like = nullptr) {
    return make(core::Variant::plain, like);
  }
  // The same without expected values, several of them.
  std::vector<std::unique_ptr<Entry>> unchecked(std::size_t count);
  // One of those with its expected values; the inputs are shared.
  std::unique_ptr<Entry> with_expected(const Entry& unchecked);
  double seconds_per_entry() const { return seconds_per_entry_; }  // of the last that was made
  void drop_last() { plain_.pop_back(); }  // plain entry; it is drawn anew when it is asked for
  // The variants that any input of the task takes, and the entry of one of them. It is kept for the
  // next candidate where `keep` says that there is room for it; else it lives until another is
  // asked for.
  std::vector<core::Variant> variants() const;
  Entry& variant(core::Variant which, bool keep);
  bool has(core::Variant which) const { return variants_.contains(which); }  // kept from before
  std::size_t drawn() const { return plain_.size(); }
  static std::uint64_t entry_bytes(const core::Task& task, const core::Case& which);

 private:
  std::unique_ptr<Entry> make(core::Variant variant, const Entry* like);
  void compute_expected(Entry& entry, bool own_draw);
  void draw(core::Variant variant, const InputSets& sets);
  void draw_like(const Entry& like, const std::vector<Guarded>& inputs);
  void learn_errors(Entry& entry, bool own_draw);

  const core::Task& task_;
  const core::Case& case_;
  device::TensorOps& ops_;
  Truth& truth_;
  Secrets& secrets_;
  const GuardSet& guards_;
  HonestErrors& honest_;
  std::vector<std::unique_ptr<Entry>> plain_;
  std::map<core::Variant, std::unique_ptr<Entry>> variants_;
  std::unique_ptr<Entry> passing_;
  double seconds_per_entry_ = 0;
};

}  // namespace hone::judge
