#pragma once
// The tags of metrics that src/profile measures and its tools read: one vocabulary for collectors,
// tools and the archive. Fractions are 0..1. "Per launch" metrics carry the index of their
// [[launch]] in Metric::launch (the first of its repetitions was looked at); others are of the
// whole call. A collector that could not measure something emits the tag without a value and with
// the reason; tags that do not apply to a device are not emitted.
#include <string_view>

namespace hone::profile::tag {

// ---- time: of the call as a whole, without any profiler
inline constexpr std::string_view time_call = "time.call";              // s, median device span
inline constexpr std::string_view time_wall = "time.wall";              // s, median host wall
inline constexpr std::string_view time_first_call = "time.first_call";  // s, compiling included
inline constexpr std::string_view time_of_ceiling =
    "time.ceiling_fraction";  // of the ceiling that binds
// ---- errors against the truth, as the judge measured them
inline constexpr std::string_view error_max = "error.max";
inline constexpr std::string_view error_rms = "error.rms";
inline constexpr std::string_view error_honest = "error.honest_rms";  // of an honest computation
// ---- call: of a candidate without a plan, per kernel in the order of first appearance
// (recorded_call.h)
inline constexpr std::string_view call_kernel = "call.kernel.";  // + NAME: s, all of its runs
inline constexpr std::string_view call_library =
    "call.library";  // 1: torch's or a vendor's, by its name
// ---- build: per launch, from the compiler's log and the loaded function
inline constexpr std::string_view registers = "build.registers";        // a thread
inline constexpr std::string_view spill_stores = "build.spill_stores";  // bytes a thread
inline constexpr std::string_view spill_loads = "build.spill_loads";    // bytes a thread
inline constexpr std::string_view stack = "build.stack";                // bytes a thread
inline constexpr std::string_view shared_static = "build.shared";       // bytes a block
inline constexpr std::string_view constant = "build.constant";          // bytes
// ---- launch geometry: per launch, from the resolved plan
inline constexpr std::string_view blocks = "launch.blocks";
inline constexpr std::string_view threads = "launch.threads";        // a block
inline constexpr std::string_view shared_dynamic = "launch.shared";  // bytes a block
inline constexpr std::string_view cluster = "launch.cluster";        // blocks a cluster; 1: none
inline constexpr std::string_view repeats = "launch.repeats";  // times the launch runs in a call
// ---- sass: per launch, static counts over the kernel's code: how often an instruction stands
// there, not how often it runs.
inline constexpr std::string_view sass_instructions = "sass.instructions";
inline constexpr std::string_view sass_unknown = "sass.unknown";  // opcodes that are in no class
// sass.mix.CLASS and sass.loop_mix.CLASS (innermost loops only), CLASS one of: f32 f64 f16 tensor
// integer address special convert move uniform load_global store_global load_shared store_shared
// load_local store_local load_constant atomic copy_async copy_bulk barrier fence branch predicate
// shuffle other. An address is LEA and 64-bit sums; what the uniform datapath computes is uniform,
// and comparisons are predicate, integers or not.
inline constexpr std::string_view sass_mix = "sass.mix.";
inline constexpr std::string_view sass_loop_mix = "sass.loop_mix.";
// sass.load_global.BITS, sass.store_global.BITS, sass.load_shared.BITS, sass.store_shared.BITS:
// instructions that move 8, 16, 32, 64, 128 bits a thread
inline constexpr std::string_view sass_load_global = "sass.load_global.";
inline constexpr std::string_view sass_store_global = "sass.store_global.";
inline constexpr std::string_view sass_load_shared = "sass.load_shared.";
inline constexpr std::string_view sass_store_shared = "sass.store_shared.";
inline constexpr std::string_view sass_hmma = "sass.tensor.hmma";  // mma.sync: HMMA, IMMA, DMMA
inline constexpr std::string_view sass_hgmma =
    "sass.tensor.hgmma";  // wgmma: HGMMA, IGMMA, QGMMA, BGMMA
inline constexpr std::string_view sass_utcmma = "sass.tensor.utcmma";     // tcgen05
inline constexpr std::string_view sass_ldgsts = "sass.copy.ldgsts";       // cp.async
inline constexpr std::string_view sass_bulk = "sass.copy.bulk";           // cp.async.bulk
inline constexpr std::string_view sass_bulk_tensor = "sass.copy.tensor";  // cp.async.bulk.tensor
inline constexpr std::string_view sass_bar = "sass.barrier.block";        // BAR.SYNC and kin
inline constexpr std::string_view sass_cluster_bar = "sass.barrier.cluster";
inline constexpr std::string_view sass_mbarrier =
    "sass.barrier.mbarrier";  // SYNCS and kin: arrivals and waits
inline constexpr std::string_view sass_membar = "sass.fence.membar";   // MEMBAR of any scope
inline constexpr std::string_view sass_membar_gpu = "sass.fence.gpu";  // at GPU or system scope
inline constexpr std::string_view sass_errbar = "sass.fence.errbar";
inline constexpr std::string_view sass_loops = "sass.loops";
inline constexpr std::string_view sass_predicated = "sass.predicated";  // fraction of instructions
inline constexpr std::string_view sass_f64 = "sass.mix.f64";
// arithmetic on integers and addresses for each access to global or shared memory, in innermost
// loops where there are any
inline constexpr std::string_view sass_address_per_access = "sass.address_per_access";
// ---- kernel: per launch, by Nsight Compute
inline constexpr std::string_view kernel_seconds = "kernel.seconds";  // under the profiler's clocks
inline constexpr std::string_view kernel_cycles = "kernel.cycles";    // elapsed, SM clock
inline constexpr std::string_view sm_clock = "kernel.sm_clock";       // Hz
inline constexpr std::string_view compute_fraction =
    "kernel.compute";  // SM throughput, of its peak
inline constexpr std::string_view memory_fraction =
    "kernel.memory";  // the busiest memory unit, of its peak
inline constexpr std::string_view dram_fraction = "kernel.dram";         // of peak
inline constexpr std::string_view dram_read = "kernel.dram.read";        // bytes
inline constexpr std::string_view dram_written = "kernel.dram.written";  // bytes
inline constexpr std::string_view l2_fraction = "kernel.l2";
inline constexpr std::string_view l2_hit = "kernel.l2.hit";
inline constexpr std::string_view l1_fraction = "kernel.l1";
inline constexpr std::string_view l1_hit = "kernel.l1.hit";
inline constexpr std::string_view issue_fraction = "kernel.issue";  // issue slots used
// kernel.pipe.NAME: fraction of peak, NAME one of tensor fma alu fp64 xu lsu uniform. fma also runs
// products of integers (IMAD), alu also comparisons of floats: neither is "the integers".
inline constexpr std::string_view pipe = "kernel.pipe.";
inline constexpr std::string_view pipe_tensor = "kernel.pipe.tensor";
inline constexpr std::string_view pipe_fp64 = "kernel.pipe.fp64";
inline constexpr std::string_view occupancy = "kernel.occupancy";  // achieved warps of the most
inline constexpr std::string_view occupancy_theory =
    "kernel.occupancy.theory";  // that resources allow
// blocks an SM could hold by each resource: kernel.limit.registers, .shared, .warps, .blocks,
// .barriers
inline constexpr std::string_view limit = "kernel.limit.";
inline constexpr std::string_view warps_active = "kernel.warps.active";  // a scheduler
inline constexpr std::string_view warps_eligible =
    "kernel.warps.eligible";                               // a scheduler and cycle
inline constexpr std::string_view waves = "kernel.waves";  // full waves of blocks
inline constexpr std::string_view stall_cycles =
    "kernel.warp_cycles";  // between two issues of a warp
// kernel.stall.REASON: fraction of warp cycles between issues: long_scoreboard short_scoreboard
// barrier membar mio_throttle lg_throttle math_pipe_throttle wait not_selected selected
// branch_resolving dispatch drain imc_miss no_instruction sleeping tex_throttle gmma misc
inline constexpr std::string_view stall = "kernel.stall.";
inline constexpr std::string_view load_sectors = "kernel.global.load.sectors";  // sectors a request
inline constexpr std::string_view load_sectors_ideal =
    "kernel.global.load.ideal";  // that the access widths need
inline constexpr std::string_view store_sectors = "kernel.global.store.sectors";
inline constexpr std::string_view store_sectors_ideal = "kernel.global.store.ideal";
inline constexpr std::string_view load_requests =
    "kernel.global.load.requests";  // warp instructions
inline constexpr std::string_view store_requests = "kernel.global.store.requests";
inline constexpr std::string_view shared_load_ways =
    "kernel.shared.load.ways";  // wavefronts over ideal ones
inline constexpr std::string_view shared_store_ways = "kernel.shared.store.ways";
inline constexpr std::string_view shared_wavefronts = "kernel.shared.wavefronts";  // all
inline constexpr std::string_view shared_excess =
    "kernel.shared.excess";                                            // of them, by bank conflicts
inline constexpr std::string_view local_loads = "kernel.local.loads";  // warp instructions
inline constexpr std::string_view local_stores = "kernel.local.stores";
inline constexpr std::string_view local_bytes =
    "kernel.local.bytes";                                      // through L1, by spills and stack
inline constexpr std::string_view atomics = "kernel.atomics";  // warp instructions, global
inline constexpr std::string_view atomics_shared = "kernel.atomics.shared";
inline constexpr std::string_view active_threads =
    "kernel.threads.active";  // a warp instruction, of 32
inline constexpr std::string_view unpredicated_threads =
    "kernel.threads.on";  // not predicated off, of 32
inline constexpr std::string_view instructions =
    "kernel.instructions";  // warp instructions executed
inline constexpr std::string_view sm_active_mean =
    "kernel.sm.active_mean";  // cycles an SM was active, mean
inline constexpr std::string_view sm_active_max = "kernel.sm.active_max";
inline constexpr std::string_view sm_active_min = "kernel.sm.active_min";
// ---- line: per source line (Metric::line), by sampling
inline constexpr std::string_view line_samples = "line.samples";  // count
inline constexpr std::string_view line_stall = "line.stall.";     // + REASON: count
// part of the instructions of a CPU's inner loops that came from the line, by the model of
// cpu.loop.*; not sampled
inline constexpr std::string_view line_code = "line.code";
// 32-byte sectors that the line's accesses to global memory touch, and those that they would touch
// at best; likewise wavefronts of shared memory
inline constexpr std::string_view line_sectors = "line.global.sectors";
inline constexpr std::string_view line_sectors_ideal = "line.global.ideal";
inline constexpr std::string_view line_wavefronts = "line.shared.wavefronts";
inline constexpr std::string_view line_wavefronts_ideal = "line.shared.ideal";
// ---- system: of the whole call, by CUPTI's activity records
inline constexpr std::string_view system_launches = "system.launches";
inline constexpr std::string_view system_span =
    "system.span";  // s, first kernel's start to the last's end
inline constexpr std::string_view system_kernels = "system.kernels";  // s, in kernels (union)
inline constexpr std::string_view system_gaps = "system.gaps";        // s, between kernels
inline constexpr std::string_view system_launch_cost =
    "system.launch_cost";  // s of host time a launch call, median
inline constexpr std::string_view system_wall = "system.wall";  // s, host wall of the call
inline constexpr std::string_view system_overlap =
    "system.overlap";  // fraction of kernel time with two at once
inline constexpr std::string_view system_copies = "system.copies";  // s, in copies and fills
inline constexpr std::string_view system_syncs = "system.syncs";    // count
inline constexpr std::string_view system_launch_seconds =
    "system.kernel_seconds";  // per launch: s, its kernels' own
// ---- device: what explaining needs to know of it, kept with the profile so that it can be
// explained again elsewhere
inline constexpr std::string_view device_is_cpu = "device.is_cpu";
inline constexpr std::string_view device_architecture = "device.architecture";  // 90 for "sm_90a"
inline constexpr std::string_view device_sms = "device.sms";
inline constexpr std::string_view device_warp = "device.warp";
inline constexpr std::string_view device_shared = "device.shared";  // bytes a block may have
inline constexpr std::string_view device_l2 = "device.l2";          // bytes
inline constexpr std::string_view device_threads = "device.threads";
inline constexpr std::string_view device_memory = "device.memory";  // bytes
inline constexpr std::string_view device_pins =
    "device.pins";  // bytes a second by the memory's pins
inline constexpr std::string_view ceiling_read = "ceiling.read";  // bytes a second, measured
inline constexpr std::string_view ceiling_write = "ceiling.write";
inline constexpr std::string_view ceiling_copy = "ceiling.copy";
inline constexpr std::string_view ceiling_groups =
    "ceiling.groups";  // empty work-groups a second, on a CPU
inline constexpr std::string_view ceiling_calls =
    "ceiling.calls";  // calls of an empty kernel a second, on a CPU
inline constexpr std::string_view ceiling_flops =
    "ceiling.flops.";  // + KIND: operations a second, measured
// ---- energy: of the whole call, by NVML
inline constexpr std::string_view energy_call = "energy.call";     // J
inline constexpr std::string_view energy_low = "energy.call.low";  // J, 95 %
inline constexpr std::string_view energy_high = "energy.call.high";
inline constexpr std::string_view power = "energy.power";              // W, average under load
inline constexpr std::string_view power_limit = "energy.power_limit";  // W, enforced
inline constexpr std::string_view clock_load = "energy.sm_clock";      // Hz, average under load
inline constexpr std::string_view clock_most =
    "energy.sm_clock_most";  // Hz, the most the device may run at
inline constexpr std::string_view power_idle = "energy.idle_power";  // W, before and after
inline constexpr std::string_view throttled =
    "energy.throttled";  // fraction of readings limited by power or heat
// ---- cpu: OpenCL on a CPU, per launch
inline constexpr std::string_view cpu_vector_bits =
    "cpu.vector_bits";  // of the machine's registers
inline constexpr std::string_view cpu_vector_code =
    "cpu.vector_code";  // fraction of float arithmetic that is on vectors, from the compiled code
inline constexpr std::string_view cpu_vector_width =
    "cpu.vector_width";  // widest vector in that arithmetic, bits
inline constexpr std::string_view cpu_gathers =
    "cpu.gathers";  // gathers and scatters in the compiled code
inline constexpr std::string_view cpu_math_calls =
    "cpu.math_calls";  // calls of the math library in loops
// Of the innermost loops with arithmetic, without remainders (cpu_loops.h), weighed by a model of
// how often each runs.
inline constexpr std::string_view cpu_loop_bits =
    "cpu.loop.vector_bits";  // that an arithmetic instruction works on
inline constexpr std::string_view cpu_loop_loads =
    "cpu.loop.loads";  // for an arithmetic instruction
inline constexpr std::string_view cpu_loop_cycles =
    "cpu.loop.cycles";  // for an arithmetic instruction, by the model
inline constexpr std::string_view cpu_loop_chain =
    "cpu.loop.chain";  // those cycles over what they were if no value waited for the one before it
inline constexpr std::string_view cpu_loop_gathers = "cpu.loop.gathers";  // and scatters
inline constexpr std::string_view cpu_loop_strided =
    "cpu.loop.strided";  // part of the accesses: single numbers, a line of the caches or more apart
                         // from turn to turn
inline constexpr std::string_view cpu_loop_math =
    "cpu.loop.math";  // part of the instructions in the math library
inline constexpr std::string_view cpu_source_vectors =
    "cpu.source.vectors";  // uses of vector types in the source
inline constexpr std::string_view cpu_local_bytes = "cpu.local_bytes";        // __local a group
inline constexpr std::string_view cpu_barriers = "cpu.barriers";              // in the source
inline constexpr std::string_view cpu_units = "cpu.units";                    // compute units
inline constexpr std::string_view cpu_launch_seconds = "cpu.kernel_seconds";  // s, the launch alone

}  // namespace hone::profile::tag
