#include "profile/instructions.h"

#include "profile/tags.h"

namespace hone::profile {

namespace {

InstructionMix mix_of(const std::map<std::string, double>& counts) {
  InstructionMix mix;
  for (const auto& [kind, count] : counts) mix.total += count;
  const auto of = [&](const char* kind) {
    const auto found = counts.find(kind);
    return found == counts.end() ? 0.0 : found->second;
  };
  mix.integer = of("integer") + of("address");
  mix.overhead = mix.integer + of("move") + of("convert") + of("predicate") + of("branch");
  mix.special = of("special");
  mix.f32 = of("f32") + of("f16");
  mix.f64 = of("f64");
  mix.tensor = of("tensor");
  mix.load_global = of("load_global");
  mix.store_global = of("store_global");
  mix.load_shared = of("load_shared");
  mix.store_shared = of("store_shared");
  mix.convert = of("convert");
  mix.barrier = of("barrier");
  return mix;
}

}  // namespace

InstructionMix code_mix(const Facts& facts) {
  return mix_of(facts.metrics.under(tag::sass_mix, facts.launch));
}

InstructionMix loop_mix(const Facts& facts) {
  auto mix = mix_of(facts.metrics.under(tag::sass_loop_mix, facts.launch));
  mix.in_loops = mix.total > 0;
  return mix.in_loops ? mix : code_mix(facts);
}

}  // namespace hone::profile
