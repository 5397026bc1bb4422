// Matrix products on the ordinary pipes, where shapes and precision allow the tensor cores.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/instructions.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "tensor-idle";
constexpr double least_of_call = 0.3;  // the launch that does the products is not a small one
// What a first version by mma.sync reaches of the measured rate, and a good one.
constexpr double modest_rate = 0.15, good_rate = 0.8;
constexpr double splits = 3;  // products of halves that together keep single precision

double elements_of(const core::ResolvedBuffer& buffer) {
  double elements = 1;
  for (const auto dim : buffer.dims) elements *= static_cast<double>(dim);
  return elements;
}

// For y = a b the operations are 2 m n k, and the elements of the three multiply to (m n k)². A
// batch of b has b times that.
bool looks_like_a_product(const Facts& facts) {
  std::vector<const core::ResolvedBuffer*> matrices;
  for (const auto& buffer : facts.plan.buffers)
    if (buffer.role != core::ResolvedBuffer::Role::scratch && buffer.dims.size() >= 2)
      matrices.push_back(&buffer);
  const double flops = facts.roofline.flops;
  for (std::size_t i = 0; i < matrices.size(); ++i)
    for (std::size_t j = i + 1; j < matrices.size(); ++j)
      for (std::size_t k = j + 1; k < matrices.size(); ++k) {
        const double product =
            elements_of(*matrices[i]) * elements_of(*matrices[j]) * elements_of(*matrices[k]);
        const double batch = 4 * product / (flops * flops);
        if (batch > 0.5 && batch < static_cast<double>(matrices[i]->dims.front()) + 1) return true;
      }
  return false;
}

// The kind whose operations take longest on the tensor cores, and how long; single precision by
// splitting.
struct Products {
  std::string kind;
  double seconds = 0;
  bool split = false;
};
std::optional<Products> products_of(const Facts& facts) {
  std::optional<Products> longest;
  const auto& rates = facts.ceilings.flops;
  for (const auto& [kind, flops] : facts.roofline.flops_by_kind) {
    const bool single = kind == "f32";
    if ((kind != "f16" && kind != "bf16" && kind != "tf32" && kind != "i8" && !single) ||
        (single && !looks_like_a_product(facts)))
      continue;
    const auto rate = rates.find(single ? "bf16" : kind);
    if (rate == rates.end() || rate->second <= 0) continue;
    const double seconds = flops * (single ? splits : 1) / rate->second;
    if (!longest || seconds > longest->seconds) longest = Products{kind, seconds, single};
  }
  return longest;
}

std::optional<core::Advice> look(const Facts& facts) {
  const auto mix = loop_mix(facts);
  const double tensor = *facts.get(tag::sass_hmma) + facts.get(tag::sass_hgmma).value_or(0) +
                        facts.get(tag::sass_utcmma).value_or(0);
  const double seconds = launch_seconds(facts);
  if (tensor > 0 || facts.share < least_of_call || mix.f32 <= 0 || seconds <= 0)
    return std::nullopt;
  const auto products = products_of(facts);
  if (!products || facts.roofline.flops / std::max(facts.roofline.bytes, 1.0) < 4)
    return std::nullopt;  // nothing is reused
  const double memory = facts.roofline.bytes / std::max(core::memory_ceiling(facts.ceilings), 1.0);
  const auto after = [&](double rate) {
    return std::min(1.0, std::max(products->seconds / rate, memory) / seconds);
  };
  const auto place = where(facts, {"math_pipe_throttle", "selected", "wait", "short_scoreboard"},
                           {"fmaf", "__hfma2", "+="});
  auto advice = advise(facts, name, "Tensor cores are idle", place);
  advice.evidence = fmt::format(
      "The task has {:.3g} {} operations, and the code has no tensor-core instruction; at their "
      "measured rate the products{} take {}, the launch takes {}.",
      facts.roofline.flops_by_kind.at(products->kind), products->kind,
      products->split ? " (three of them on bf16 or TF32 parts, which keeps single precision)" : "",
      seconds_text(products->seconds), seconds_text(seconds));
  advice.cause =
      "The products are done by multiply-adds on the ordinary pipes, at a fraction of the tensor "
      "cores' rate.";
  advice.recommendation = fmt::format(
      "Do them by {}{}, with tiles of the operands in shared memory; they are {}.",
      architecture(facts.device) == 90 ? "`wgmma` (or, simpler, `mma.sync`)" : "`mma.sync`",
      products->split ? " on operands split into two parts each (high and low), adding the three "
                        "larger products in single precision"
                      : "",
      place.text);
  return worth(std::move(advice), gain_if(facts, after(modest_rate), after(good_rate)),
               fmt::format("The products at {} (low) to {} (high) of the measured tensor rate, or "
                           "the task's bytes at the memory's ceiling where that takes longer.",
                           percent(modest_rate), percent(good_rate)));
}

}  // namespace

Tool builtin::tensor_idle() {
  return {name,
          "Matrix products that do not use the tensor cores.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::nvidia,
          false,
          {tag::sass_hmma, tag::sass_instructions},
          "work in f16, bf16, tf32 or i8 (or f32 whose shapes are a matrix product), at least 4 "
          "operations a byte, at least 30 % of the call, and no tensor-core instruction",
          look};
}

}  // namespace hone::profile
