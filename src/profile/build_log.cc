#include "profile/build_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "profile/tags.h"

namespace hone::profile {
namespace {

// The number that stands just before `words`: "12 registers" -> 12.
std::optional<double> before(std::string_view line, std::string_view words) {
  const auto at = line.find(words);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  auto begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(line.data() + begin, line.data() + at, value);
  if (error != std::errc{} || end != line.data() + at || begin == at) return std::nullopt;
  return static_cast<double>(value);
}

// All of "N bytes cmem[0], M bytes cmem[2]".
std::optional<double> constants(std::string_view line) {
  constexpr std::string_view words = " bytes cmem[";
  std::optional<double> sum;
  for (auto at = line.find(words); at != std::string_view::npos; at = line.find(words, at + 1)) {
    const auto from = line.rfind(',', at);
    if (const auto value = before(line.substr(from == std::string_view::npos ? 0 : from), words))
      sum = sum.value_or(0) + *value;
  }
  return sum;
}

std::string quoted(std::string_view line) {
  const auto open = line.find('\'');
  if (open == std::string_view::npos) return "";
  const auto close = line.find('\'', open + 1);
  return close == std::string_view::npos ? "" : std::string(line.substr(open + 1, close - open - 1));
}

// "ptxas info    : Function properties for NAME", and the figures on the line below it: NAME may be a kernel or a
// function that kernels call.
class Reader {
 public:
  void line(std::string_view text) {
    if (!text.starts_with("ptxas") && !text.starts_with("    ")) {
      properties_of_.clear();
      return;
    }
    constexpr std::string_view entry = "Compiling entry function", properties = "Function properties for ";
    if (text.find(entry) != std::string_view::npos) {
      kernel_ = quoted(text);
      if (!kernel_.empty()) reports[kernel_];
      return;
    }
    if (const auto at = text.find(properties); at != std::string_view::npos) {
      properties_of_ = text.substr(at + properties.size());
      while (!properties_of_.empty() && (properties_of_.back() == ' ' || properties_of_.back() == '\r'))
        properties_of_.pop_back();
      return;
    }
    if (text.find(" bytes stack frame") != std::string_view::npos) return memory(text);
    if (text.find(" registers") != std::string_view::npos && !kernel_.empty()) return resources(text);
  }
  std::map<std::string, PtxasReport> reports;

 private:
  void memory(std::string_view text) {
    const auto found = reports.find(properties_of_);
    properties_of_.clear();
    if (found == reports.end()) return;
    found->second.stack = before(text, " bytes stack frame");
    found->second.spill_stores = before(text, " bytes spill stores");
    found->second.spill_loads = before(text, " bytes spill loads");
  }
  void resources(std::string_view text) {
    auto& report = reports[kernel_];
    report.registers = before(text, " registers");
    report.barriers = before(text, " barriers");
    report.shared = before(text, " bytes smem").value_or(0);
    report.constant = constants(text);
    kernel_.clear();
  }
  std::string kernel_, properties_of_;
};

struct Row {
  std::string_view tag, hint;
  std::optional<double> value;
};

std::optional<double> told(std::int64_t value) {
  return value < 0 ? std::nullopt : std::optional<double>(static_cast<double>(value));
}
std::optional<double> either(std::optional<double> first, std::optional<double> second) {
  return first ? first : second;
}

// ptxas's word first; the loaded function knows registers, local and shared bytes as well.
std::vector<Row> rows_for(const PtxasReport& report, const device::KernelInfo& info) {
  return {{tag::registers, "1", either(report.registers, told(info.registers))},
          {tag::spill_stores, "B", report.spill_stores},
          {tag::spill_loads, "B", report.spill_loads},
          {tag::stack, "B", either(report.stack, told(info.local_bytes))},
          {tag::shared_static, "B", either(told(info.shared_bytes), report.shared)},
          {tag::constant, "B", either(told(info.constant_bytes), report.constant)}};
}

}  // namespace

std::map<std::string, PtxasReport> read_ptxas(std::string_view log) {
  Reader reader;
  while (!log.empty()) {
    const auto end = std::min(log.find('\n'), log.size());
    reader.line(log.substr(0, end));
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return std::move(reader.reports);
}

Collected collect_build(const std::vector<device::KernelInfo>& kernels, const core::ResolvedPlan& plan,
                        const std::string& log) {
  Collected collected;
  const auto reports = read_ptxas(log);
  std::set<int> seen;
  for (const auto& launch : plan.launches) {
    if (!seen.insert(launch.plan_index).second) continue;
    const auto report = reports.find(launch.kernel);
    const auto info =
        std::find_if(kernels.begin(), kernels.end(), [&](const auto& kernel) { return kernel.name == launch.kernel; });
    const bool spoke = report != reports.end();
    const std::string why = spoke ? fmt::format("the compiler's log does not say it of {}", launch.kernel)
                                  : fmt::format("the compiler's log has no words of ptxas on {}", launch.kernel);
    for (const auto& row :
         rows_for(spoke ? report->second : PtxasReport{}, info == kernels.end() ? device::KernelInfo{} : *info))
      collected.metrics.push_back(
          {std::string(row.tag), std::string(row.hint), row.value, row.value ? "" : why, "", launch.plan_index, {}});
  }
  return collected;
}

Collected collect_launches(const core::ResolvedPlan& plan) {
  Collected collected;
  std::map<int, int> repeats;
  for (const auto& launch : plan.launches) ++repeats[launch.plan_index];
  std::set<int> seen;
  for (const auto& launch : plan.launches) {
    if (!seen.insert(launch.plan_index).second) continue;
    const auto add = [&](std::string_view tag, const char* hint, double value) {
      collected.metrics.push_back({std::string(tag), hint, value, "", "", launch.plan_index, {}});
    };
    const auto product = [](const core::Dim3& dims) {
      return static_cast<double>(dims[0]) * static_cast<double>(dims[1]) * static_cast<double>(dims[2]);
    };
    double local = static_cast<double>(launch.shared);
    for (const auto& arg : launch.args)
      if (arg.kind == core::ResolvedArg::Kind::local) local += static_cast<double>(arg.integer);
    add(tag::blocks, "1", product(launch.grid));
    add(tag::threads, "1", product(launch.block));
    add(tag::shared_dynamic, "B", local);
    add(tag::cluster, "1", std::max(1.0, product(launch.cluster)));
    add(tag::repeats, "1", repeats[launch.plan_index]);
  }
  return collected;
}

}  // namespace hone::profile
