#include "profile/cpu_loops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "profile/cpu_dependences.h"
#include "profile/cpu_nest.h"

namespace hone::profile {
namespace {

// A usual core of the last ten years: what it starts in a cycle, and how long an addition or a
// multiplication takes.
constexpr double issued = 4, arithmetic_units = 2, load_units = 2;
constexpr double weight_of_depth = 4;  // inner loops run this much more often, at least
constexpr double wider = 1.5;          // from here on one loop is the vector form of another
constexpr double same_work = 0.04;     // kinds of arithmetic that differ: one instruction in fifty
constexpr double similar_work = 0.25;  // one in eight
constexpr double computing_share = 0.1;   // of a loop's instructions; below that it moves data
constexpr double call_instructions = 40;  // a scalar function of the math library, about
constexpr double float_bits = 32;

bool is_constant(std::string_view operand) {
  return operand.find("[rip") != std::string_view::npos;
}

double moved_elements(const CpuInstruction& one, std::string_view memory, double element) {
  if (memory.find("BCST") != std::string_view::npos ||
      one.mnemonic.find("broadcast") != std::string_view::npos)
    return 0;
  constexpr std::array<std::pair<std::string_view, double>, 5> sizes{
      {{"ZMMWORD", 512}, {"YMMWORD", 256}, {"XMMWORD", 128}, {"QWORD", 64}, {"DWORD", 32}}};
  for (const auto& [name, bits] : sizes)
    if (memory.starts_with(name)) return std::max(1.0, bits / element);
  return 1;
}

// Compilers take a maximum for two comparisons, and a multiplication with an addition for one.
void add_kinds(std::string_view stem, std::map<std::string_view, double>& kinds) {
  if (stem.find("add") != std::string_view::npos || stem.find("sub") != std::string_view::npos)
    ++kinds["add"];
  if (stem.starts_with("fm") || stem.starts_with("fnm") || stem == "mul") ++kinds["mul"];
  if (stem == "min" || stem == "max" || stem == "cmp") ++kinds["compare"];
  if (stem == "div" || stem == "sqrt" || stem == "rcp" || stem == "rsqrt") ++kinds["div"];
  if (stem == "dp") ++kinds["dp"];
}

// Registers that point into the function's own memory: "[rsp", and what "lea" makes of it.
std::vector<std::string> stack_pointers(const CpuFunction& function) {
  std::vector<std::string> pointers{"[rsp"};
  for (const auto& one : function.code) {
    if (one.mnemonic == "mov" && one.operands == "rbp,rsp") pointers.emplace_back("[rbp");
    const auto comma = one.operands.find(',');
    if (one.mnemonic == "lea" && comma != std::string_view::npos &&
        one.operands.substr(comma + 1).starts_with("[rsp"))
      pointers.push_back("[" + std::string(one.operands.substr(0, comma)));
  }
  std::sort(pointers.begin(), pointers.end());
  pointers.erase(std::unique(pointers.begin(), pointers.end()), pointers.end());
  return pointers;
}

bool is_stack(std::string_view operand, const std::vector<std::string>& pointers) {
  return std::any_of(pointers.begin(), pointers.end(), [&](const std::string& pointer) {
    const auto at = operand.find(pointer);
    const auto end = at + pointer.size();
    return at != std::string_view::npos && end < operand.size() &&
           std::string_view("+-]").find(operand[end]) < 3;
  });
}

CpuLoop counted(const CpuFunction& function, const WorkingLoop& nest) {
  CpuLoop loop;
  const auto& body = nest.body;
  const auto pointers = stack_pointers(function);
  loop.depth = nest.depth;
  loop.start = nest.start;
  loop.parent = {nest.function, nest.around};
  double bits = 0, stored = 0, loaded = 0, stack = 0, element = 0;
  for (const std::size_t i : body)
    if (const auto arithmetic = arithmetic_of(function.code[i])) {
      ++loop.arithmetic;
      add_kinds(arithmetic->stem, loop.kinds);
      bits += arithmetic->bits;
      element = std::max<double>(element, arithmetic->element);
    }
  for (const std::size_t i : body)
    if (calls_math(function.code[i])) {  // one number's worth, however much there is to it
      ++loop.arithmetic;
      ++loop.kinds["math"];
      element = std::max(element, float_bits);
      bits += float_bits;
    }
  if (loop.arithmetic == 0) return loop;
  loop.bits = bits / loop.arithmetic;
  double operations = 0;
  for (const auto& [stem, count] : loop.kinds) operations += count;
  for (auto& [stem, share] : loop.kinds) share /= operations;
  for (const std::size_t i : body) {
    const auto& one = function.code[i];
    if (one.mnemonic.find("nop") != std::string_view::npos || one.mnemonic.starts_with("data16"))
      continue;
    ++loop.instructions;
    if (one.line > 0) ++loop.lines[one.line];
    loop.gathers += is_gather(one) ? 1 : 0;
    loop.math_calls += calls_math(one) ? 1 : 0;
    if (one.mnemonic == "lea" || one.mnemonic.starts_with("prefetch")) continue;
    const auto parts = operands_of(one);
    const bool vector =
        one.operands.find("mm") != std::string_view::npos;  // the others spill and address
    for (std::size_t at = 0; at < parts.size(); ++at) {
      if (!is_memory(parts[at]) || is_constant(parts[at])) continue;
      if (at > 0) ++loop.loads;
      if (at > 0 && vector && is_stack(parts[at], pointers)) ++stack;
      if (vector) (at > 0 ? loaded : stored) += moved_elements(one, parts[at], element);
    }
  }
  loop.elements = loaded > 0 ? loaded : std::max(stored, 1.0);
  loop.on_stack = stack > 0 && stack == loop.loads;
  if (nest.depth > 0) loop.chain = chain_cycles(function, body);
  if (nest.depth > 0) loop.strides = strides_of(function, body);
  return loop;
}

// Shares of kinds that one has and the other has not, 0..2.
double difference(const CpuLoop& a, const CpuLoop& b) {
  double sum = 0;
  for (const auto& [kind, share] : a.kinds) {
    const auto other = b.kinds.find(kind);
    sum += std::abs(share - (other == b.kinds.end() ? 0 : other->second));
  }
  for (const auto& [kind, share] : b.kinds)
    if (!a.kinds.contains(kind)) sum += share;
  return sum;
}

}  // namespace

std::vector<CpuLoop> arithmetic_loops(const std::vector<CpuFunction>& functions) {
  std::vector<CpuLoop> loops;
  for (const auto& nest : working_loops(functions))
    loops.push_back(counted(functions[nest.function], nest));
  // Single numbers beside vectors of the same library: what is left over.
  if (std::any_of(functions.begin(), functions.end(),
                  [](const auto& one) { return is_vector_math(one.name); }))
    std::erase_if(loops, [](const CpuLoop& loop) { return loop.math_calls > 0; });
  std::sort(loops.begin(), loops.end(),
            [](const CpuLoop& a, const CpuLoop& b) { return a.start < b.start; });
  return loops;
}

std::vector<CpuLoop> without_remainders(std::vector<CpuLoop> loops) {
  std::erase_if(loops, [](const CpuLoop& loop) { return loop.on_stack; });
  const auto computes = [](const CpuLoop& loop) {
    return loop.arithmetic >= computing_share * loop.instructions;
  };
  if (std::any_of(loops.begin(), loops.end(), computes))
    std::erase_if(loops, [&](const CpuLoop& loop) { return !computes(loop); });
  std::vector<CpuLoop> kept;
  for (const auto& loop : loops) {
    // Compilers add code for neighbours in case a stride is 1. It is not 1, or the kernel
    // would not pass it.
    const bool strided = loop.strides.strided > 0 && loop.strides.strided == loop.strides.accesses;
    const bool edge =
        !strided && std::any_of(loops.begin(), loops.end(), [&](const CpuLoop& other) {
          return other.bits >= wider * loop.bits && difference(loop, other) <= same_work;
        });
    const bool copy = std::any_of(kept.begin(), kept.end(), [&](const CpuLoop& other) {
      return other.bits == loop.bits && other.depth == loop.depth &&
             difference(loop, other) <= same_work;
    });
    // What comes next in the same place and does about the same: compilers write other code for the
    // last few elements.
    const auto before = std::find_if(kept.rbegin(), kept.rend(), [&](const CpuLoop& other) {
      return other.parent == loop.parent;
    });
    const bool rest = !strided && before != kept.rend() && before->bits >= wider * loop.bits &&
                      difference(loop, *before) <= similar_work;
    if (!edge && !copy && !rest) kept.push_back(loop);
  }
  return kept;
}

double throughput_cycles(const CpuLoop& loop) {
  return std::max(
      {loop.instructions / issued, loop.arithmetic / arithmetic_units, loop.loads / load_units});
}

std::optional<HotLoops> hot_loops(const std::vector<CpuLoop>& loops) {
  HotLoops hot;
  double instructions = 0, arithmetic = 0, cycles = 0, unchained = 0, accesses = 0;
  int deepest = 0;
  for (const auto& loop : loops) deepest = std::max(deepest, loop.depth);
  for (const auto& loop : loops) {
    const double times_run = std::pow(weight_of_depth, loop.depth - deepest) / loop.elements;
    const double rest = throughput_cycles(loop);
    instructions += times_run * loop.instructions;
    arithmetic += times_run * loop.arithmetic;
    hot.bits += times_run * loop.instructions * loop.bits;
    hot.loads += times_run * loop.loads;
    cycles += times_run * std::max(rest, loop.chain);
    unchained += times_run * rest;
    hot.gathers += loop.gathers;
    hot.math += times_run * loop.math_calls * call_instructions;
    accesses += times_run * loop.strides.accesses;
    hot.strided += times_run * loop.strides.strided;
    for (const auto& [line, count] : loop.lines) hot.lines[line] += times_run * count;
    ++hot.count;
  }
  if (hot.count == 0 || instructions <= 0 || arithmetic <= 0 || unchained <= 0) return std::nullopt;
  for (auto& [line, part] : hot.lines) part /= instructions;
  hot.strided = accesses > 0 ? hot.strided / accesses : 0;
  hot.bits /= instructions;
  hot.math /= instructions + hot.math;
  hot.loads /= arithmetic;
  hot.cycles = cycles / arithmetic;
  hot.chain = cycles / unchained;
  return hot;
}

}  // namespace hone::profile
