#include "profile/cpu_code.h"

#include <algorithm>
#include <string>
#include <vector>

namespace hone::profile {
namespace {

void count(const CpuInstruction& one, CpuCode& code) {
  ++code.instructions;
  if (is_gather(one)) ++code.gathers;
  const auto arithmetic = arithmetic_of(one);
  if (!arithmetic) return;
  if (arithmetic->vector) {
    code.vector += static_cast<double>(arithmetic->bits) / arithmetic->element;
    code.widest = std::max(code.widest, arithmetic->bits);
  } else {
    code.scalar += 1;
  }
}

// Calls of the math library between a jump back and where it goes.
int math_calls_in_loops(const CpuFunction& function) {
  std::vector<std::uint64_t> math;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> loops;
  for (const auto& one : function.code) {
    if (calls_math(one)) math.push_back(one.address);
    if (const auto to = target_of(one); to && is_jump(one) && *to <= one.address)
      loops.emplace_back(*to, one.address);
  }
  std::sort(loops.begin(), loops.end());
  // The farthest end of the loops that start before an address decides whether one of them holds
  // it.
  std::sort(math.begin(), math.end());
  std::uint64_t reach = 0;
  std::size_t next = 0;
  int calls = 0;
  for (const auto address : math) {
    for (; next < loops.size() && loops[next].first <= address; ++next)
      reach = std::max(reach, loops[next].second);
    if (reach >= address) ++calls;
  }
  return calls;
}

}  // namespace

CpuCode read_cpu_code(std::string_view text) {
  CpuCode code;
  const auto functions = read_listing(text);
  for (const auto& function : functions) {
    for (const auto& one : function.code) count(one, code);
    code.math_calls += math_calls_in_loops(function);
  }
  code.hot = hot_loops(without_remainders(arithmetic_loops(functions)));
  return code;
}

std::map<int, double> read_cpu_lines(std::string_view text, std::string_view kernel) {
  const auto hot = hot_loops(without_remainders(
      arithmetic_loops(read_listing(text, "_pocl_kernel_" + std::string(kernel)))));
  return hot ? hot->lines : std::map<int, double>();
}

int vector_bits(std::string_view cpuinfo) {
  const auto at = cpuinfo.find("\nflags");
  const auto features = cpuinfo.find("\nFeatures");
  if (at == std::string_view::npos && features == std::string_view::npos) return 0;
  const std::string_view from = cpuinfo.substr(std::min(at, features) + 1);
  const std::string line = " " + std::string(from.substr(0, from.find('\n'))) + " ";
  const auto has = [&](const char* flag) {
    return line.find(std::string(" ") + flag + " ") != std::string::npos;
  };
  if (has("avx512f")) return 512;
  if (has("avx") || has("avx2")) return 256;
  return has("sse2") || has("asimd") ? 128 : 0;
}

}  // namespace hone::profile
