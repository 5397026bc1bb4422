#pragma once
// How near its limits a launch runs, and what the device's architecture allows: what tools compute
// thresholds and gains from. Pure functions of Facts.
#include <optional>
#include <string_view>
#include <vector>

#include "profile/facts.h"

namespace hone::profile {

// ---- the device
int architecture(const core::DeviceInfo& device);        // 90 for "sm_90a"; 0: not an NVIDIA device
int warp_slots(const core::DeviceInfo& device);          // warps an SM can hold
double registers_of_sm(const core::DeviceInfo& device);  // 32-bit registers
double shared_of_sm(const core::DeviceInfo& device);     // bytes that blocks can have together
inline constexpr int schedulers = 4;  // of an SM, on every architecture since Volta

// ---- the launch that is looked at
const core::ResolvedLaunch* launch_of(
    const Facts& facts);                // the first of its repetitions; null: the whole call
double threads_of(const Facts& facts);  // a block
double blocks_of(const Facts& facts);
double launch_seconds(const Facts& facts);  // its part of the call; 0: not known
// The part of the call that is spent in kernels, 0..1; 1 where nothing is known.
double busy_fraction(const Facts& facts);
// What a launch costs even if its kernel does nothing: it is part of the kernel's own time. An
// estimate, not measured on this device.
inline constexpr double seconds_of_empty_launch = 1.5e-6;
double stall(const Facts& facts,
             std::string_view reason);  // share of warp cycles; 0: none or not measured
double stalls(const Facts& facts, const std::vector<std::string_view>& reasons);  // their sum

// ---- limits, 0..1
// Bytes through DRAM over what the measured ceiling would have moved in that time. Counters give a
// fraction of the pins' rate, which nothing reaches.
std::optional<double> memory_of_ceiling(const Facts& facts);
// Issue slots used over all of the launch's cycles. The counter is of the cycles in which an SM had
// work.
double issue_of_elapsed(const Facts& facts);
// Bytes through DRAM by all repetitions of the launch; 0: not counted.
double dram_bytes(const Facts& facts);
// The busiest unit: no change that leaves the work as it is makes the launch quicker than this
// fraction of its time.
double busiest(const Facts& facts);
// The same without the memory units, for a tool whose defect is what keeps them busy.
double busiest_but_memory(const Facts& facts);
// The busiest pipe of arithmetic: what is left when neither memory nor issuing is in the way.
double busiest_arithmetic(const Facts& facts);
// The roofline's time over the call's: nothing is quicker than that. 0: not known. A call that
// beats the roofline of its arithmetic does it on other units (products of parts on tensor cores):
// then only the bytes are a floor. Where even these are beaten, the ceiling was measured on a
// busier machine, and nothing is known.
double floor_fraction(const Facts& facts);
// 32-byte sectors that accesses to global memory touch over those they would touch at best. By the
// addresses of each instruction where lines were looked at; else by counters, which count the
// sectors of asynchronous copies and not their bytes: nothing where the code has such copies.
std::optional<double> sectors_over_ideal(const Facts& facts);
// The same of plain loads and stores alone, by counters.
std::optional<double> counted_sectors_over_ideal(const Facts& facts);
// What DRAM needs, of the launch's time, if it moves no more than `fraction` of what it did, but at
// least the task's bytes.
double memory_after(const Facts& facts, double fraction);

}  // namespace hone::profile
