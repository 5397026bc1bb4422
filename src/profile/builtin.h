#pragma once
// The built-in tools, one file each; tools.cc is the table they stand in.
#include "profile/tool.h"

namespace hone::profile::builtin {

// ---- kinds of advice that gained most in the published results of KernelPro
Tool register_spill();
Tool local_array();
Tool occupancy();
Tool long_scoreboard();
Tool short_scoreboard();
Tool barrier_stall();
Tool mio_throttle();
Tool lg_throttle();
Tool math_pipe();
Tool wait_stall();
Tool not_selected();
Tool no_instruction();
Tool no_tiling();
Tool register_tiling();
Tool launch_chain();
Tool intermediates();
Tool tensor_idle();
Tool uncoalesced();
Tool narrow_access();
// ---- further ones on GPUs
Tool dram_saturated();
Tool excess_bytes();
Tool bank_conflicts();
Tool tail_effect();
Tool few_blocks();
Tool in_flight();
Tool fences();
Tool older_tensor_path();
Tool async_copy();
Tool divergence();
Tool atomics();
Tool special_functions();
Tool address_overhead();
Tool fp64();
Tool unbalanced();
Tool clocks();
// ---- OpenCL on a CPU
Tool cpu_vectors();
Tool cpu_work_groups();
Tool cpu_local_memory();
Tool cpu_gathers();
Tool cpu_register_reuse();
Tool cpu_chain();
Tool cpu_math_calls();
// ---- calls that were only recorded
Tool library_passes();
Tool host_time();

}  // namespace hone::profile::builtin
