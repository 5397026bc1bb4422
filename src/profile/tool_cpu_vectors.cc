// Arithmetic on a CPU that is done one number at a time.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "cpu-no-vectors";
constexpr double least_vectors = 0.5;  // of the arithmetic
constexpr double near_ceiling = 0.7;   // of the roofline: nothing is left to gain
constexpr double bits_of_float = 32;

std::optional<core::Advice> look(const Facts& facts) {
  const double on_vectors = *facts.get(tag::cpu_vector_code), lanes = *facts.get(tag::cpu_vector_bits) / bits_of_float;
  const double width = facts.get(tag::cpu_vector_width).value_or(0);
  if (on_vectors >= least_vectors || lanes < 2 || floor_fraction(facts) >= near_ceiling) return std::nullopt;
  const auto place = where_written(facts, {"for", "fma", "mad", "+="});
  auto advice = advise(facts, name, "Arithmetic is done one number at a time", place);
  advice.evidence = fmt::format(
      "{} of the floating-point instructions are on vectors (looked at below {}), the widest of {:.0f} bits, where the "
      "machine has {:.0f}; "
      "the call reaches {} of the {} ceiling; the source has {:.0f} vector types.",
      percent(on_vectors), percent(least_vectors), width, lanes * bits_of_float, percent(floor_fraction(facts)),
      facts.roofline.ceiling.empty() ? "unknown" : facts.roofline.ceiling,
      facts.get(tag::cpu_source_vectors).value_or(0));
  advice.cause = "The compiler could not turn neighbouring work-items or iterations into vectors.";
  advice.recommendation = fmt::format(
      "Write the vectors: `float{:.0f}` with `vload{:.0f}` along the contiguous dimension, several accumulators of "
      "that type, and no "
      "branch inside the loop; it is {}.",
      std::min(16.0, lanes), std::min(16.0, lanes), place.text);
  const double scalar = 1 - on_vectors;
  const auto after = [&](double by) { return on_vectors + scalar / by; };
  return worth(std::move(advice), gain_if(facts, after(std::max(1.5, lanes / 4)), after(lanes)),
               fmt::format("By Amdahl's law the scalar part ({}) shrinks by the {:.0f} lanes at the high end, by a "
                           "quarter of them (memory, "
                           "tails) at the low end; never below the roofline.",
                           percent(scalar), lanes));
}

}  // namespace

Tool builtin::cpu_vectors() {
  return {name,
          "Arithmetic on a CPU that does not use its vectors.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::cpu,
          false,
          {tag::cpu_vector_code, tag::cpu_vector_bits},
          "less than 50 % of the floating-point instructions on vectors, and less than 70 % of the roofline reached",
          look};
}

}  // namespace hone::profile
