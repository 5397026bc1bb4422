#pragma once
// The loops of machine code, whatever the machine: basic blocks from jumps, natural loops from
// dominators. The code may be of hostile origin, so the work is bounded; what goes beyond has no
// loops. Pure.
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace hone::profile {

// What control does at one instruction.
struct FlowStep {
  std::uint64_t address = 0;
  std::vector<std::uint64_t> targets;  // where it may jump to, or what it calls
  bool ends = false;                   // its basic block ends here, even where no target is known
  bool falls = true;                   // control may go on behind it
  bool calls = false;
};

struct FlowBlock {
  std::size_t first = 0, last = 0;  // steps
  std::vector<int> next, before;
};
struct FlowGraph {
  std::vector<FlowBlock> blocks;
  std::vector<int> roots;  // the entry, and what is called
};
FlowGraph flow_graph(const std::vector<FlowStep>& code);

struct FlowLoop {
  int head = 0;
  std::vector<int> latches;  // blocks that jump back to it
  std::set<int> blocks;
};
// One for each head.
std::vector<FlowLoop> flow_loops(const FlowGraph& graph);

struct CodeLoop {
  std::vector<std::size_t> body;  // indices into the code, ascending
  int depth = 1;                  // 1: not inside another
  bool innermost = true;
};
// The same as instructions, outer before inner.
std::vector<CodeLoop> nested(const FlowGraph& graph, std::vector<FlowLoop> loops);

}  // namespace hone::profile
