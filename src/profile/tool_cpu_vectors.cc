// Arithmetic on a CPU that is done one number at a time, or on vectors that are narrower than the
// machine's, in the loops where the time goes.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/cpu_reuse.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "cpu-no-vectors";
// Wider vectors than this gain little on many machines: they run at half the rate, or compilers
// avoid them.
constexpr double surely_good_bits = 256;
constexpr double least_of_width = 0.75;
constexpr double near_ceiling = 0.7;  // of the roofline: nothing is left to gain
constexpr double nearly_all = 0.99;  // of all operations in the code: what is left goes round edges
constexpr double bits_of_float = 32;
constexpr double scalar_bits = 64;  // below it most of the arithmetic is on single numbers

std::optional<core::Advice> look(const Facts& facts) {
  const double bits = *facts.get(tag::cpu_loop_bits), machine = *facts.get(tag::cpu_vector_bits);
  const double good = std::min(surely_good_bits, machine);
  if (bits <= 0 || bits >= least_of_width * good || floor_fraction(facts) >= near_ceiling)
    return std::nullopt;
  if (goes_by_rows(facts) || calls_much(facts)) return std::nullopt;
  if (facts.get(tag::cpu_vector_code).value_or(0) >= nearly_all &&
      facts.get(tag::cpu_vector_width).value_or(0) >= good)
    return std::nullopt;
  const bool scalar = bits < scalar_bits;
  const auto place = where_hot(facts, {});
  auto advice = advise(facts, name,
                       scalar ? "Arithmetic is done one number at a time"
                              : "Vectors are narrower than the machine's",
                       place);
  advice.evidence = fmt::format(
      "In the innermost loops of the compiled code an arithmetic instruction works on {:.0f} bits "
      "on average (looked at below {:.0f}), where the machine has vectors of {:.0f}; the call "
      "reaches {} of the {} ceiling.",
      bits, least_of_width * good, machine, percent(floor_fraction(facts)),
      facts.roofline.ceiling.empty() ? "unknown" : facts.roofline.ceiling);
  advice.cause = scalar ? "The compiler could not turn neighbouring work-items or iterations into "
                          "vectors: sums and maxima in order, branches and strides keep it from it."
                        : "The vectors are written narrower than the registers, or only part of "
                          "the loop is on them.";
  const double lanes = std::clamp(machine / bits_of_float, 2.0, 16.0);
  const auto tunables = tunables_text(facts);
  advice.recommendation = fmt::format(
      "Write the vectors: `float{0:.0f}` with `vload{0:.0f}` along the contiguous dimension, sums "
      "and maxima in several of that type that are joined behind the loop, and no branch inside "
      "it; the loop is {1}.{2}",
      lanes, place.text,
      tunables.empty() ? "" : " If " + tunables + " set the width, try them first.");
  return worth(std::move(advice), gain_if(facts, (1 + bits / good) / 2, bits / machine),
               fmt::format("A loop takes as many instructions fewer as its vectors get wider: from "
                           "{:.0f} to {:.0f} bits at the high end; at the low end to {:.0f}, and "
                           "only half of the time is issuing; never below the roofline.",
                           bits, machine, good));
}

}  // namespace

Tool builtin::cpu_vectors() {
  return {name,
          "Arithmetic on a CPU that does not use its vectors, or narrow ones.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::cpu,
          false,
          {tag::cpu_loop_bits, tag::cpu_vector_bits},
          "arithmetic in the innermost loops on less than 192 bits on average (96 where vectors "
          "have 128), and less than 70 % of the roofline reached",
          look};
}

}  // namespace hone::profile
