#pragma once
// What experiments on a kernel would come to, so that strategies can be tried without models and
// devices. A landscape is a set of changes, each with what it does to the speed; a kernel is the
// set of changes that it has and the design that it follows. Designers think of changes and predict
// badly, writers fail, measurements are noisy, at the rates of recorded runs. All of it follows
// from a seed: two strategies that do the same thing in a landscape see the same result.
//
// Landscapes are models, kept simple enough to be read: they say how a strategy behaves where gains
// lie in a certain way, not how fast a real kernel becomes. docs/search.md describes each.
// Plain data and pure functions; any thread.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::search {

inline constexpr std::size_t timed_cases = 2;
using CaseSpeeds = std::array<double, timed_cases>;  // logarithms of the speedup over the seed

inline constexpr int any_design = -1;

struct Change {
  CaseSpeeds gain{};       // added to the logarithms of the speed
  int from = any_design;   // the design that a kernel must follow
  int to = any_design;     // that it follows afterwards; any_design: the same
  double weight = 1;       // how readily designers think of it
  double innovation = 50;  // as designers say
  int place = 0;           // of the kernel: which advice it rests on
  // Percent, as a recorded designer predicted it; nothing: the landscape's noise decides.
  std::optional<std::array<double, 2>> predicted;
};

struct Kernel {
  std::uint64_t changes = 0;  // a bit for each
  int design = 0;             // 0: the seed's
  double head_start = 0;      // of a first attempt: logarithm of the speed of its design
  bool has(std::size_t change) const { return (changes >> change & 1) != 0; }
};

struct Landscape {
  std::string name;
  std::uint64_t seed = 0;
  std::vector<Change> changes;     // 64 at most
  double ceiling = 1;              // logarithm of the largest speedup
  bool soft_ceiling = true;        // gains shrink on the way to it; else they end there
  double failure = 0, repair = 1;  // part of the first answers that fail; of repairs that succeed
  double measurement_noise = 0;    // of a screened time: standard deviation of its logarithm
  double comparison_noise = 0;     // of a ratio side by side
  double prediction_noise = 0, prediction_bias = 0;  // percent points
  double rare = 0;  // part of the designs that have the change `needle`
  std::optional<std::size_t> needle;
  std::vector<int> first_designs;    // that first attempts follow, drawn evenly
  std::vector<double> first_speeds;  // of recorded first attempts; empty: they have some changes
  double first_gains = 0, first_losses = 0;  // part of the changes that a first attempt has
};

// smooth: many small gains and losses. deceptive: the best first step ends in a poor local
// optimum, good designs begin slower. needle: one rare large gain. noisy: half of all answers
// fail, and neither predictions nor times can be trusted.
inline constexpr std::string_view landscape_names[] = {"smooth", "deceptive", "needle", "noisy"};
// Throws Error (usage) for a name that is none of these.
Landscape make_landscape(std::string_view name, std::uint64_t seed);

CaseSpeeds speeds_in(const Landscape& landscape, const Kernel& kernel);
double speed_in(const Landscape& landscape, const Kernel& kernel);  // mean of the logarithms
bool can_change(const Landscape& landscape, const Kernel& kernel, std::size_t change);
Kernel changed(const Landscape& landscape, const Kernel& kernel, std::size_t change);

// What the run that asks knows of a change: whether it was tried on this kernel, and whether it
// gained or lost anywhere.
struct Known {
  bool tried_here = false, gained = false, lost = false;
};
// One of the experiments of a design.
struct Offer {
  std::size_t change = 0;
  double low = 0, high = 0;  // percent, as predicted
};
// The design with this number in its run. A needle comes with the number of the design, whatever
// kernel it is about, so that chance favours no strategy.
std::vector<Offer> design(const Landscape& landscape, const Kernel& kernel,
                          const std::vector<Known>& known, int number);

// What a writer makes of it; nothing: it fails. `key` is the basis, so that the same experiment on
// the same basis comes to the same thing.
std::optional<Kernel> write_change(const Landscape& landscape, const Kernel& kernel,
                                   std::uint64_t key, std::size_t change, int attempt);
std::optional<Kernel> write_union(const Landscape& landscape, const Kernel& basis,
                                  const Kernel& reference, std::uint64_t key, int attempt);
std::optional<Kernel> write_first(const Landscape& landscape, int index, int attempt);

// Evenly in [0, 1), and with the standard normal distribution, by a seed and what is asked for.
double uniform(std::uint64_t seed, std::uint64_t what, std::uint64_t which = 0);
double normal(std::uint64_t seed, std::uint64_t what, std::uint64_t which = 0);
std::uint64_t mixed(std::uint64_t a, std::uint64_t b);

}  // namespace hone::search
