#include "profile/sass_loops.h"

#include <algorithm>
#include <map>
#include <set>

#include "profile/sass_class.h"

namespace hone::profile {
namespace {

constexpr int none = -1;
constexpr int most_rounds = 64;                // compilers' graphs settle in three or four
constexpr std::size_t most_loops = 1024;       // bodies are written out: both bounds are far beyond what people write
constexpr std::size_t most_places = 4u << 20;  // blocks in all bodies together

struct Block {
  std::size_t first = 0, last = 0;  // instructions
  std::vector<int> next, before;
};

struct Graph {
  std::vector<Block> blocks;
  std::vector<int> roots;  // the entry, and what is called
};

bool ends_block(std::string_view base) {
  return base == "BRA" || base == "BRX" || base == "BRXU" || base == "JMP" || base == "JMX" || base == "JMXU" ||
         base == "EXIT" || base == "RET" || base == "KILL";
}

// Whether control may also go on behind it.
bool falls_through(const SassInstruction& one) {
  const auto base = base_of(one.opcode);
  if (!ends_block(base)) return true;
  if (!one.predicate.empty()) return true;
  // "BRA.U !UP0, `(...)": the condition is an operand.
  return base == "BRA" && one.operands.find(',') != std::string::npos;
}

Graph graph_of(const SassKernel& kernel) {
  const auto& code = kernel.code;
  std::map<std::uint64_t, std::size_t> place;
  for (std::size_t i = 0; i < code.size(); ++i) place.emplace(code[i].offset, i);
  std::set<std::size_t> leaders = {0};
  for (std::size_t i = 0; i < code.size(); ++i) {
    for (const auto target : code[i].targets)
      if (const auto found = place.find(target); found != place.end()) leaders.insert(found->second);
    if ((ends_block(base_of(code[i].opcode)) || !code[i].targets.empty()) && i + 1 < code.size()) leaders.insert(i + 1);
  }
  Graph graph;
  std::map<std::size_t, int> block_at;
  for (auto it = leaders.begin(); it != leaders.end(); ++it) {
    block_at[*it] = static_cast<int>(graph.blocks.size());
    graph.blocks.push_back({*it, (std::next(it) == leaders.end() ? code.size() : *std::next(it)) - 1, {}, {}});
  }
  graph.roots = {0};
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    Block& block = graph.blocks[b];
    const auto& last = code[block.last];
    const bool call = base_of(last.opcode) == "CALL";
    for (const auto target : last.targets) {
      const auto found = place.find(target);
      if (found == place.end()) continue;
      const int to = block_at[found->second];
      if (call)
        graph.roots.push_back(to);
      else
        block.next.push_back(to);
    }
    if (falls_through(last) && b + 1 < graph.blocks.size()) block.next.push_back(static_cast<int>(b) + 1);
  }
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    for (const int to : graph.blocks[b].next) graph.blocks[to].before.push_back(static_cast<int>(b));
  return graph;
}

// Blocks in reverse postorder from the roots; without recursion, since the depth is whatever the code makes it.
std::vector<int> reverse_postorder(const Graph& graph) {
  std::vector<int> order;
  std::vector<char> seen(graph.blocks.size(), 0);
  for (auto root = graph.roots.rbegin(); root != graph.roots.rend(); ++root) {
    if (seen[*root]) continue;
    std::vector<std::pair<int, std::size_t>> stack = {{*root, 0}};
    seen[*root] = 1;
    while (!stack.empty()) {
      auto& [block, at] = stack.back();
      if (at == graph.blocks[block].next.size()) {
        order.push_back(block);
        stack.pop_back();
        continue;
      }
      const int to = graph.blocks[block].next[at++];
      if (!seen[to]) {
        seen[to] = 1;
        stack.emplace_back(to, 0);
      }
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// Immediate dominators (Cooper, Harvey and Kennedy), with one root above all roots. `rank` is the place in the order.
class Dominators {
 public:
  explicit Dominators(const Graph& graph)
      : order_(reverse_postorder(graph)), rank_(graph.blocks.size(), none), above_(graph.blocks.size(), none) {
    for (std::size_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = static_cast<int>(i);
    std::vector<char> is_root(graph.blocks.size(), 0);
    for (const int root : graph.roots) is_root[root] = 1;
    std::vector<char> known(graph.blocks.size(), 0);
    bool changed = true;
    for (int round = 0; changed && round < most_rounds; ++round) {
      changed = false;
      for (const int block : order_) {
        int above = none;
        bool first = true;
        if (is_root[block]) first = false;
        for (const int from : graph.blocks[block].before) {
          if (!known[from]) continue;
          above = first ? from : meet(above, from);
          first = false;
        }
        if (!known[block] || above_[block] != above) changed = true;
        known[block] = 1;
        above_[block] = above;
      }
    }
    settled_ = !changed;
  }

  bool settled() const { return settled_; }
  bool reached(int block) const { return rank_[block] != none; }
  bool dominates(int upper, int block) const {
    while (block != none && rank_[block] > rank_[upper]) block = above_[block];
    return block == upper;
  }

 private:
  int meet(int a, int b) const {
    while (a != b) {
      if (a == none || b == none) return none;
      if (rank_[a] > rank_[b])
        a = above_[a];
      else
        b = above_[b];
    }
    return a;
  }

  std::vector<int> order_, rank_, above_;
  bool settled_ = false;
};

struct NaturalLoop {
  int head = 0;
  std::vector<int> latches;
  std::set<int> blocks;
};

void fill(const Graph& graph, NaturalLoop& loop) {
  loop.blocks = {loop.head};
  std::vector<int> todo = loop.latches;
  while (!todo.empty()) {
    const int block = todo.back();
    todo.pop_back();
    if (!loop.blocks.insert(block).second) continue;
    for (const int from : graph.blocks[block].before) todo.push_back(from);
  }
}

// A branch "while any thread is left" serialises over a warp's different values: mostly there is one.
bool over_values(const Graph& graph, const SassKernel& kernel, const NaturalLoop& loop) {
  return std::all_of(loop.latches.begin(), loop.latches.end(),
                     [&](int latch) { return has_modifier(kernel.code[graph.blocks[latch].last].opcode, "ANY"); });
}

// Asks for something again and again, and does nothing else: a barrier's phase, a lock, or a value that is loaded and
// compared while no arithmetic moves the loop on.
bool waits(const Graph& graph, const SassKernel& kernel, const NaturalLoop& loop) {
  constexpr std::string_view work[] = {"f32",         "f64",        "f16",          "tensor",       "special",
                                       "convert",     "shuffle",    "store_global", "store_shared", "load_local",
                                       "store_local", "copy_async", "copy_bulk"};
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
      asks = asks || strong || base == "NANOSLEEP" || (base == "SYNCS" && has_modifier(one.opcode, "PHASECHK")) ||
             base == "ATOMS" || base == "UTCATOMSWS" || base == "USETMAXREG";
    }
  return loads ? !moves_on : asks;
}

std::vector<NaturalLoop> natural_loops(const Graph& graph, const SassKernel& kernel) {
  const Dominators dominators(graph);
  if (!dominators.settled()) return {};
  std::map<int, NaturalLoop> by_head;
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    for (const int to : graph.blocks[b].next)
      if (dominators.reached(static_cast<int>(b)) && dominators.dominates(to, static_cast<int>(b))) {
        by_head[to].head = to;
        by_head[to].latches.push_back(static_cast<int>(b));
      }
  std::vector<NaturalLoop> loops;
  std::size_t places = 0;
  for (auto& [head, loop] : by_head) {
    if (loops.size() == most_loops || places > most_places) break;
    fill(graph, loop);
    places += loop.blocks.size();
    if (!over_values(graph, kernel, loop) && !waits(graph, kernel, loop)) loops.push_back(std::move(loop));
  }
  std::sort(loops.begin(), loops.end(), [](const auto& a, const auto& b) {
    return a.blocks.size() != b.blocks.size() ? a.blocks.size() > b.blocks.size() : a.head < b.head;
  });
  return loops;
}

}  // namespace

std::vector<CodeLoop> loops_of(const SassKernel& kernel) {
  if (kernel.code.empty()) return {};
  const Graph graph = graph_of(kernel);
  const auto natural = natural_loops(graph, kernel);
  std::vector<CodeLoop> loops(natural.size());
  for (std::size_t i = 0; i < natural.size(); ++i) {
    for (const int block : natural[i].blocks)
      for (std::size_t at = graph.blocks[block].first; at <= graph.blocks[block].last; ++at)
        loops[i].body.push_back(at);
    std::sort(loops[i].body.begin(), loops[i].body.end());
    for (std::size_t outer = 0; outer < i; ++outer)
      if (natural[outer].blocks.contains(natural[i].head)) {
        ++loops[i].depth;
        loops[outer].innermost = false;
      }
  }
  return loops;
}

}  // namespace hone::profile
