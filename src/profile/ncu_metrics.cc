#include "profile/ncu_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr double sector_bytes = 32;

// One of ncu's numbers that is a tag by itself.
struct Plain {
  std::string_view name, tag, hint;
};
constexpr Plain plain[] = {
    {"gpu__time_duration.sum", tag::kernel_seconds, "s"},
    {"gpc__cycles_elapsed.max", tag::kernel_cycles, "1"},
    {"gpc__cycles_elapsed.avg.per_second", tag::sm_clock, "Hz"},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", tag::compute_fraction, "1"},
    {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", tag::memory_fraction, "1"},
    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", tag::dram_fraction, "1"},
    {"dram__bytes_read.sum", tag::dram_read, "B"},
    {"dram__bytes_write.sum", tag::dram_written, "B"},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", tag::l2_fraction, "1"},
    {"lts__t_sector_hit_rate.pct", tag::l2_hit, "1"},
    {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", tag::l1_fraction, "1"},
    {"l1tex__t_sector_hit_rate.pct", tag::l1_hit, "1"},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", tag::issue_fraction, "1"},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", tag::pipe_tensor, "1"},
    {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", "kernel.pipe.fma", "1"},
    {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", "kernel.pipe.alu", "1"},
    {"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed", tag::pipe_fp64, "1"},
    {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", "kernel.pipe.xu", "1"},
    {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", "kernel.pipe.lsu", "1"},
    {"sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_elapsed", "kernel.pipe.uniform",
     "1"},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", tag::occupancy, "1"},
    {"sm__maximum_warps_per_active_cycle_pct", tag::occupancy_theory, "1"},
    {"launch__occupancy_limit_registers", "kernel.limit.registers", "1"},
    {"launch__occupancy_limit_shared_mem", "kernel.limit.shared", "1"},
    {"launch__occupancy_limit_warps", "kernel.limit.warps", "1"},
    {"launch__occupancy_limit_blocks", "kernel.limit.blocks", "1"},
    {"launch__occupancy_limit_barriers", "kernel.limit.barriers", "1"},
    {"launch__waves_per_multiprocessor", tag::waves, "1"},
    {"smsp__warps_active.avg.per_cycle_active", tag::warps_active, "1"},
    {"smsp__warps_eligible.avg.per_cycle_active", tag::warps_eligible, "1"},
    {"smsp__average_warp_latency_per_inst_issued.ratio", tag::stall_cycles, "1"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", tag::load_requests, "1"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", tag::store_requests, "1"},
    {"smsp__sass_inst_executed_op_local_ld.sum", tag::local_loads, "1"},
    {"smsp__sass_inst_executed_op_local_st.sum", tag::local_stores, "1"},
    {"smsp__inst_executed_op_shared_atom.sum", tag::atomics_shared, "1"},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", tag::active_threads, "1"},
    {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", tag::unpredicated_threads, "1"},
    {"smsp__inst_executed.sum", tag::instructions, "1"},
    {"sm__cycles_active.avg", tag::sm_active_mean, "1"},
    {"sm__cycles_active.max", tag::sm_active_max, "1"},
    {"sm__cycles_active.min", tag::sm_active_min, "1"},
};

// Numbers that only together make a tag.
constexpr std::string_view load_sector_sum = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                           load_request_sum = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                           load_use =
                               "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
                           store_sector_sum = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                           store_request_sum = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                           store_use =
                               "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
                           shared_load_waves =
                               "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                           shared_store_waves =
                               "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                           shared_load_conflicts =
                               "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                           shared_store_conflicts =
                               "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                           shared_waves = "memory_l1_wavefronts_shared",
                           shared_waves_ideal = "memory_l1_wavefronts_shared_ideal",
                           local_load_sectors = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
                           local_store_sectors = "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
                           atomic_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                           reduction_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum";
constexpr std::string_view combined[] = {
    load_sector_sum,        load_request_sum,    load_use,
    store_sector_sum,       store_request_sum,   store_use,
    shared_load_waves,      shared_store_waves,  shared_load_conflicts,
    shared_store_conflicts, shared_waves,        shared_waves_ideal,
    local_load_sectors,     local_store_sectors, atomic_requests,
    reduction_requests};
constexpr std::string_view combined_tags[] = {tag::load_sectors,      tag::load_sectors_ideal,
                                              tag::store_sectors,     tag::store_sectors_ideal,
                                              tag::shared_load_ways,  tag::shared_store_ways,
                                              tag::shared_wavefronts, tag::shared_excess,
                                              tag::local_bytes,       tag::atomics};

// ncu's names of stall reasons, where the tags have another.
constexpr std::string_view stall_before = "smsp__average_warps_issue_stalled_",
                           stall_behind = "_per_issue_active.ratio";
constexpr std::pair<std::string_view, std::string_view> stalls[] = {
    {"barrier", "barrier"},
    {"branch_resolving", "branch_resolving"},
    {"dispatch_stall", "dispatch"},
    {"drain", "drain"},
    {"gmma", "gmma"},
    {"imc_miss", "imc_miss"},
    {"lg_throttle", "lg_throttle"},
    {"long_scoreboard", "long_scoreboard"},
    {"math_pipe_throttle", "math_pipe_throttle"},
    {"membar", "membar"},
    {"mio_throttle", "mio_throttle"},
    {"misc", "misc"},
    {"no_instruction", "no_instruction"},
    {"not_selected", "not_selected"},
    {"selected", "selected"},
    {"short_scoreboard", "short_scoreboard"},
    {"sleeping", "sleeping"},
    {"tex_throttle", "tex_throttle"},
    {"wait", "wait"},
};
std::string stall_name(std::string_view reason) {
  return fmt::format("{}{}{}", stall_before, reason, stall_behind);
}

class Reading {
 public:
  Reading(const NcuLaunch& read, int launch, std::vector<core::Metric>& metrics)
      : read_(read), launch_(launch), metrics_(metrics) {}

  std::optional<double> of(std::string_view name) const {
    const auto found = read_.values.find(std::string(name));
    return found == read_.values.end() ? std::nullopt : std::optional(found->second);
  }
  void add(std::string_view tag, std::string_view hint, std::optional<double> value,
           std::string_view from) {
    metrics_.push_back(
        {std::string(tag),
         std::string(hint),
         value,
         value ? "" : fmt::format("Nsight Compute did not tell {} of this kernel", from),
         "",
         launch_,
         {}});
  }

 private:
  const NcuLaunch& read_;
  int launch_;
  std::vector<core::Metric>& metrics_;
};

std::optional<double> ratio(std::optional<double> over, std::optional<double> under,
                            double without) {
  if (!over || !under) return std::nullopt;
  return *under > 0 ? *over / *under : without;
}

// Sectors a request, and what they would be if every byte of each were wanted.
void add_sectors(Reading& read, std::string_view sectors, std::string_view requests,
                 std::string_view use, std::string_view tag, std::string_view ideal_tag) {
  const auto each = ratio(read.of(sectors), read.of(requests), 0);
  read.add(tag, "1", each, sectors);
  const auto bytes = read.of(use);
  read.add(
      ideal_tag, "1",
      each && bytes ? std::optional(*each * std::min(1.0, *bytes / sector_bytes)) : std::nullopt,
      use);
}

// The counter of bank conflicts also counts waiting for other users of the data banks (tensor
// cores, bulk copies). What the addresses themselves cost is known from the instrumented pass, for
// loads and stores together; no more than that is a conflict.
void add_shared(Reading& read) {
  const auto all = read.of(shared_waves), ideal = read.of(shared_waves_ideal);
  const auto excess = all && ideal ? std::optional(std::max(0.0, *all - *ideal)) : std::nullopt;
  read.add(tag::shared_wavefronts, "1", all, shared_waves);
  read.add(tag::shared_excess, "1", excess, shared_waves_ideal);
  const auto load_conflicts = read.of(shared_load_conflicts),
             store_conflicts = read.of(shared_store_conflicts);
  const double counted = load_conflicts.value_or(0) + store_conflicts.value_or(0);
  const double true_part = excess && counted > 0 ? std::min(1.0, *excess / counted) : 1.0;
  const auto ways = [&](std::optional<double> waves,
                        std::optional<double> conflicts) -> std::optional<double> {
    if (!waves || !conflicts) return std::nullopt;
    const double rest = *waves - true_part * *conflicts;
    return *waves > 0 && rest > 0 ? *waves / rest : 1.0;
  };
  read.add(tag::shared_load_ways, "1", ways(read.of(shared_load_waves), load_conflicts),
           shared_load_waves);
  read.add(tag::shared_store_ways, "1", ways(read.of(shared_store_waves), store_conflicts),
           shared_store_waves);
}

// Each reason's average warps for an issue; together they are the warp cycles between two issues.
void add_stalls(Reading& read) {
  double total = 0;
  for (const auto& [name, reason] : stalls) total += read.of(stall_name(name)).value_or(0);
  for (const auto& [name, reason] : stalls) {
    const auto warps = read.of(stall_name(name));
    read.add(fmt::format("{}{}", tag::stall, reason), "1",
             warps && total > 0 ? std::optional(*warps / total) : std::nullopt, stall_name(name));
  }
}

std::optional<double> sum(std::optional<double> a, std::optional<double> b, double scale = 1) {
  return a && b ? std::optional(scale * (*a + *b)) : std::nullopt;
}

std::vector<std::string> lines_of(const std::string& source) {
  std::vector<std::string> lines;
  std::istringstream text(source);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string without_indent(const std::string& line) {
  const auto from = line.find_first_not_of(" \t");
  return from == std::string::npos ? ""
                                   : line.substr(from, line.find_last_not_of(" \t\r") - from + 1);
}

}  // namespace

std::vector<std::string> ncu_metric_names() {
  std::vector<std::string> names;
  for (const auto& one : plain) names.emplace_back(one.name);
  for (const auto& name : combined)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  for (const auto& [name, reason] : stalls) names.push_back(stall_name(name));
  return names;
}

void add_kernel_metrics(const NcuLaunch& launch_read, int launch,
                        std::vector<core::Metric>& metrics) {
  Reading read(launch_read, launch, metrics);
  for (const auto& one : plain) read.add(one.tag, one.hint, read.of(one.name), one.name);
  add_sectors(read, load_sector_sum, load_request_sum, load_use, tag::load_sectors,
              tag::load_sectors_ideal);
  add_sectors(read, store_sector_sum, store_request_sum, store_use, tag::store_sectors,
              tag::store_sectors_ideal);
  add_shared(read);
  read.add(tag::local_bytes, "B",
           sum(read.of(local_load_sectors), read.of(local_store_sectors), sector_bytes),
           local_load_sectors);
  read.add(tag::atomics, "1", sum(read.of(atomic_requests), read.of(reduction_requests)),
           atomic_requests);
  add_stalls(read);
}

void add_missing_kernel_metrics(const std::string& why, std::optional<int> launch,
                                std::vector<core::Metric>& metrics) {
  const auto add = [&](std::string tag) {
    metrics.push_back({std::move(tag), "1", std::nullopt, why, "", launch, {}});
  };
  for (const auto& one : plain) add(std::string(one.tag));
  for (const auto& name : combined_tags) add(std::string(name));
  for (const auto& [name, reason] : stalls) add(fmt::format("{}{}", tag::stall, reason));
  // For tools that need anything under a prefix.
  for (const auto& prefix : {tag::pipe, tag::limit, tag::stall}) add(std::string(prefix));
}

std::vector<LineSamples> samples_by_line(const NcuListing& listing, const LineMap& lines,
                                         const std::string& source, int launch) {
  const auto texts = lines_of(source);
  std::map<int, LineSamples> by_line;
  for (const auto& instruction : listing.code) {
    if (instruction.samples <= 0) continue;
    const int line = lines.line_at(instruction.offset);
    auto& one = by_line[line];
    one.line = line;
    one.launch = launch;
    if (line > 0 && static_cast<std::size_t>(line) <= texts.size())
      one.text = without_indent(texts[static_cast<std::size_t>(line) - 1]);
    one.samples += instruction.samples;
    for (const auto& [reason, count] : instruction.stalls) one.stalls[reason] += count;
  }
  std::vector<LineSamples> sorted;
  for (auto& [line, one] : by_line) sorted.push_back(std::move(one));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.samples > b.samples; });
  return sorted;
}

void add_line_metrics(const NcuListing& listing, const LineMap& lines, int launch,
                      std::vector<core::Metric>& metrics) {
  std::map<int, std::map<std::string, double>> by_line;
  for (const auto& instruction : listing.code) {
    const int line = lines.line_at(instruction.offset);
    if (line <= 0) continue;
    auto& values = by_line[line];
    const auto add = [&](std::string_view name, std::optional<double> value) {
      if (value && *value > 0) values[std::string(name)] += *value;
    };
    add(tag::line_samples, instruction.samples);
    for (const auto& [reason, count] : instruction.stalls)
      add(fmt::format("{}{}", tag::line_stall, reason), count);
    add(tag::line_sectors, instruction.sectors);
    add(tag::line_sectors_ideal, instruction.sectors_ideal);
    add(tag::line_wavefronts, instruction.wavefronts);
    add(tag::line_wavefronts_ideal, instruction.wavefronts_ideal);
  }
  for (const auto& [line, values] : by_line)
    for (const auto& [name, value] : values)
      metrics.push_back({name, "1", value, "", "", launch, line});
}

std::vector<core::HotLine> hottest(const std::vector<LineSamples>& lines,
                                   const std::map<int, double>& weights, std::size_t most) {
  std::map<int, double> samples_in;  // by launch
  for (const auto& line : lines) samples_in[line.launch.value_or(0)] += line.samples;
  double total_weight = 0;
  const auto weight_of = [&](int launch) {
    const auto found = weights.find(launch);
    return found == weights.end() ? 1.0 : found->second;
  };
  for (const auto& [launch, samples] : samples_in) total_weight += weight_of(launch);
  std::map<int, core::HotLine> by_line;
  std::map<int, std::map<std::string, double>> stalls_of;
  for (const auto& line : lines) {
    const int launch = line.launch.value_or(0);
    if (samples_in[launch] <= 0 || total_weight <= 0) continue;
    const double each = weight_of(launch) / (total_weight * samples_in[launch]);
    auto& hot = by_line[line.line];
    hot.line = line.line;
    if (hot.text.empty()) hot.text = line.text;
    hot.share += each * line.samples;
    for (const auto& [reason, count] : line.stalls) stalls_of[line.line][reason] += each * count;
  }
  std::vector<core::HotLine> sorted;
  for (auto& [line, hot] : by_line) {
    for (const auto& [reason, share] : stalls_of[line])
      if (share > 0) hot.stalls.emplace_back(reason, share / hot.share);
    std::stable_sort(hot.stalls.begin(), hot.stalls.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    sorted.push_back(std::move(hot));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  if (sorted.size() > most) sorted.resize(most);
  return sorted;
}

}  // namespace hone::profile
