#include "profile/sass_loops.h"

#include <algorithm>

#include "profile/sass_class.h"

namespace hone::profile {
namespace {

bool ends_block(std::string_view base) {
  return base == "BRA" || base == "BRX" || base == "BRXU" || base == "JMP" || base == "JMX" ||
         base == "JMXU" || base == "EXIT" || base == "RET" || base == "KILL";
}

// Whether control may also go on behind it.
bool falls_through(const SassInstruction& one) {
  const auto base = base_of(one.opcode);
  if (!ends_block(base)) return true;
  if (!one.predicate.empty()) return true;
  // "BRA.U !UP0, `(...)": the condition is an operand.
  return base == "BRA" && one.operands.find(',') != std::string::npos;
}

FlowGraph graph_of(const SassKernel& kernel) {
  std::vector<FlowStep> steps;
  for (const auto& one : kernel.code) {
    const auto base = base_of(one.opcode);
    steps.push_back(
        {one.offset, one.targets, ends_block(base), falls_through(one), base == "CALL"});
  }
  return flow_graph(steps);
}

// A branch "while any thread is left" serialises over a warp's different values: mostly there is
// one.
bool over_values(const FlowGraph& graph, const SassKernel& kernel, const FlowLoop& loop) {
  return std::all_of(loop.latches.begin(), loop.latches.end(), [&](int latch) {
    return has_modifier(kernel.code[graph.blocks[latch].last].opcode, "ANY");
  });
}

// Asks for something again and again, and does nothing else: a barrier's phase, a lock, or a value
// that is loaded and compared while no arithmetic moves the loop on.
bool waits(const FlowGraph& graph, const SassKernel& kernel, const FlowLoop& loop) {
  constexpr std::string_view work[] = {"f32",          "f64",        "f16",         "tensor",
                                       "special",      "convert",    "shuffle",     "store_global",
                                       "store_shared", "load_local", "store_local", "copy_async",
                                       "copy_bulk"};
  constexpr std::string_view arithmetic[] = {"integer", "address", "uniform"};
  const auto among = [](std::string_view kind, const auto& list) {
    return std::find(std::begin(list), std::end(list), kind) != std::end(list);
  };
  bool asks = false, loads = false, moves_on = false;
  for (const int block : loop.blocks)
    for (std::size_t i = graph.blocks[block].first; i <= graph.blocks[block].last; ++i) {
      const auto& one = kernel.code[i];
      const auto base = base_of(one.opcode);
      const auto kind = class_of(one);
      if (among(kind, work)) return false;
      moves_on = moves_on || among(kind, arithmetic);
      const bool strong = has_modifier(one.opcode, "STRONG");
      loads = loads || kind == "load_shared" || (kind == "load_global" && !strong);
      asks = asks || strong || base == "NANOSLEEP" ||
             (base == "SYNCS" && has_modifier(one.opcode, "PHASECHK")) || base == "ATOMS" ||
             base == "UTCATOMSWS" || base == "USETMAXREG";
    }
  return loads ? !moves_on : asks;
}

}  // namespace

std::vector<CodeLoop> loops_of(const SassKernel& kernel) {
  const FlowGraph graph = graph_of(kernel);
  auto loops = flow_loops(graph);
  std::erase_if(loops, [&](const FlowLoop& loop) {
    return over_values(graph, kernel, loop) || waits(graph, kernel, loop);
  });
  return nested(graph, std::move(loops));
}

}  // namespace hone::profile
