#include "profile/builtin.h"

namespace hone::profile {

const std::vector<Tool>& tools() {
  using namespace builtin;
  static const std::vector<Tool> table{
      register_spill(),     local_array(),      occupancy(),
      long_scoreboard(),    short_scoreboard(), barrier_stall(),
      mio_throttle(),       lg_throttle(),      math_pipe(),
      wait_stall(),         not_selected(),     no_instruction(),
      no_tiling(),          register_tiling(),  launch_chain(),
      intermediates(),      tensor_idle(),      uncoalesced(),
      narrow_access(),      dram_saturated(),   excess_bytes(),
      bank_conflicts(),     tail_effect(),      few_blocks(),
      in_flight(),          fences(),           older_tensor_path(),
      async_copy(),         divergence(),       atomics(),
      special_functions(),  address_overhead(), fp64(),
      unbalanced(),         clocks(),           cpu_vectors(),
      cpu_work_groups(),    cpu_local_memory(), cpu_gathers(),
      cpu_register_reuse(), cpu_chain(),        cpu_math_calls(),
      library_passes(),     host_time(),
  };
  return table;
}

}  // namespace hone::profile
