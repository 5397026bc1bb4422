// Registers that do not fit are kept in local memory, which is ordinary memory behind L1. A few
// spilled bytes outside the loops cost nothing; what counts is the traffic.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "register-spill";
// Of the memory instructions: below it the spilled values are touched too rarely to matter.
constexpr double least_of_accesses = 0.05;
// Without counters only spills inside loops are taken for traffic.
constexpr double least_in_loops = 1;

std::string limit_of(const Facts& facts) {
  const double threads = threads_of(facts);
  const auto registers = facts.get(tag::registers);
  if (!registers || threads <= 0) return "Give each thread fewer live values or more registers";
  const double most = std::min(255.0, registers_of_sm(facts.device) / threads);
  if (most < *registers * 1.2)
    return fmt::format(
        "{:.0f} threads a block leave at most {:.0f} registers a thread: halve the block ({}) or "
        "let each thread keep fewer values (a smaller tile of its own, a shorter unroll)",
        threads, most, block_text(facts));
  return fmt::format(
      "Allow more registers than {:.0f}: drop or lower the second argument of `__launch_bounds__` "
      "(a block of {:.0f} threads may have {:.0f} a thread), or keep fewer values alive at once (a "
      "smaller tile, a shorter unroll)",
      *registers, threads, most);
}

std::optional<core::Advice> look(const Facts& facts) {
  const double stores = facts.get(tag::spill_stores).value_or(0),
               loads = facts.get(tag::spill_loads).value_or(0);
  if (stores + loads <= 0) return std::nullopt;
  const auto place =
      where(facts, {"long_scoreboard", "lg_throttle"}, {"#pragma unroll", "__launch_bounds__"});
  auto advice = advise(facts, name, "Registers spill to local memory", place);
  advice.evidence =
      fmt::format("The compiler spills {:.0f} bytes a thread to local memory and loads {:.0f} back",
                  stores, loads);
  if (const auto registers = facts.get(tag::registers))
    advice.evidence += fmt::format(" at {:.0f} registers", *registers);
  advice.cause =
      fmt::format("The values that {} keeps alive do not fit into the registers it is allowed.",
                  kernel_name(facts));
  advice.recommendation = fmt::format("{}; the traffic shows {}.", limit_of(facts), place.text);
  const auto moved_loads = facts.get(tag::local_loads), moved_stores = facts.get(tag::local_stores);
  if (!moved_loads || !moved_stores) {
    const double in_loops = facts.get(std::string(tag::sass_loop_mix) + "load_local").value_or(0) +
                            facts.get(std::string(tag::sass_loop_mix) + "store_local").value_or(0);
    if (in_loops < least_in_loops) return std::nullopt;
    double all = 0;
    for (const auto& [kind, count] : facts.metrics.under(tag::sass_loop_mix, facts.launch))
      all += count;
    advice.evidence +=
        fmt::format("; {:.0f} of {:.0f} instructions of its innermost loops touch local memory.",
                    in_loops, all);
    const double part = all > 0 ? in_loops / all : 0;
    return worth(std::move(advice), gain_if(facts, 1, 1 - std::min(1.0, 2 * part)),
                 "At the high end a local access costs twice an average instruction of its loop, "
                 "and goes; counters were not read, so nothing is promised at the low end.");
  }
  const double local = *moved_loads + *moved_stores;
  const double global =
      facts.get(tag::load_requests).value_or(0) + facts.get(tag::store_requests).value_or(0);
  if (local <= 0) return std::nullopt;
  const double part = local / (local + global);
  const double waiting = stalls(facts, {"long_scoreboard", "lg_throttle"}) * part;
  const double issued = local / std::max(local, facts.get(tag::instructions).value_or(local));
  advice.evidence += fmt::format(
      "; {} of its accesses to memory are to local memory ({} of {} warp instructions; looked at "
      "from {}), and {} of the warps' cycles are waits for them.",
      percent(part), count_text(local), count_text(local + global), percent(least_of_accesses),
      percent(waiting));
  if (part < least_of_accesses) return std::nullopt;
  const double share = std::min(1.0, waiting + issued * facts.get(tag::issue_fraction).value_or(0));
  const double next = std::max(busiest_but_memory(facts), memory_after(facts, 1 - part));
  // Warps at a barrier wait for those that wait for spilled values.
  const double behind = std::min(1.0, share / std::max(0.1, 1 - stall(facts, "barrier")));
  return worth(std::move(advice), gain_without_stall(facts, behind, next),
               stall_model(behind, next));
}

}  // namespace

Tool builtin::register_spill() {
  return {name,
          "Registers that do not fit and are kept in local memory.",
          {},
          Hardware::nvidia,
          false,
          {tag::spill_stores, tag::spill_loads},
          "the compiler spills, and at least 5 % of the accesses to memory are to local memory "
          "(without counters: spills inside loops)",
          look};
}

}  // namespace hone::profile
