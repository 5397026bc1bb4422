#pragma once
// A kernel without any defect, for tests of tools: each gives it the one that its tool looks for.
#include "profile/tool_test_support.h"

namespace hone::profile {

// A kernel that waits: nothing is busy, and no reason stands out yet.
inline Example waiting(double seconds = 1e-3) {
  Example example;
  example.takes(seconds, 1e8);
  for (const auto* reason :
       {"long_scoreboard", "short_scoreboard", "barrier", "membar", "mio_throttle", "lg_throttle",
        "math_pipe_throttle", "wait", "not_selected", "no_instruction", "branch_resolving",
        "imc_miss", "drain"})
    example.with(std::string(tag::stall) + reason, 0.04);
  for (const auto* pipe : {"fma", "alu", "xu", "tensor", "fp64", "lsu"})
    example.with(std::string(tag::pipe) + pipe, 0.1);
  for (const auto* limit : {"registers", "shared", "warps", "blocks", "barriers"})
    example.with(std::string(tag::limit) + limit, 8);
  const std::pair<std::string_view, double> rest[] = {{tag::compute_fraction, 0.2},
                                                      {tag::memory_fraction, 0.3},
                                                      {tag::dram_fraction, 0.1},
                                                      {tag::dram_read, 7e7},
                                                      {tag::dram_written, 3e7},
                                                      {tag::kernel_seconds, seconds},
                                                      {tag::kernel_cycles, seconds * 1.8e9},
                                                      {tag::l2_fraction, 0.2},
                                                      {tag::l1_fraction, 0.3},
                                                      {tag::issue_fraction, 0.2},
                                                      {tag::occupancy, 0.9},
                                                      {tag::occupancy_theory, 1},
                                                      {tag::waves, 1},
                                                      {tag::load_requests, 1e6},
                                                      {tag::load_sectors, 4},
                                                      {tag::load_sectors_ideal, 4},
                                                      {tag::store_requests, 1e5},
                                                      {tag::store_sectors, 4},
                                                      {tag::store_sectors_ideal, 4},
                                                      {tag::local_loads, 0},
                                                      {tag::local_stores, 0},
                                                      {tag::shared_wavefronts, 1e6},
                                                      {tag::shared_excess, 0},
                                                      {tag::active_threads, 32},
                                                      {tag::atomics, 0},
                                                      {tag::instructions, 1e7},
                                                      {tag::sm_active_mean, seconds * 1.77e9},
                                                      {tag::sm_active_max, seconds * 1.79e9},
                                                      {tag::spill_stores, 0},
                                                      {tag::spill_loads, 0},
                                                      {tag::stack, 0},
                                                      {tag::registers, 64},
                                                      {tag::sass_instructions, 400},
                                                      {tag::sass_hmma, 0},
                                                      {tag::sass_hgmma, 0},
                                                      {tag::sass_address_per_access, 1.5},
                                                      {tag::sass_f64, 0},
                                                      {tag::stall_cycles, 20}};
  for (const auto& [tag, value] : rest) example.with(tag, value);
  return example;
}

}  // namespace hone::profile
