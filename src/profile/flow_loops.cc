#include "profile/flow_loops.h"

#include <algorithm>
#include <map>

namespace hone::profile {
namespace {

constexpr int none = -1;
constexpr int most_passes = 64;  // compilers' graphs settle in three or four
constexpr std::size_t most_loops =
    1024;  // bodies are written out: both bounds are far beyond what people write
constexpr std::size_t most_places = 4u << 20;  // blocks in all bodies together

// Blocks in reverse postorder from the roots; without recursion, since the depth is whatever the
// code makes it.
std::vector<int> reverse_postorder(const FlowGraph& graph) {
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

// Immediate dominators (Cooper, Harvey and Kennedy), with one root above all roots. `rank` is the
// place in the order.
class Dominators {
 public:
  explicit Dominators(const FlowGraph& graph)
      : order_(reverse_postorder(graph)),
        rank_(graph.blocks.size(), none),
        above_(graph.blocks.size(), none) {
    for (std::size_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = static_cast<int>(i);
    std::vector<char> is_root(graph.blocks.size(), 0);
    for (const int root : graph.roots) is_root[root] = 1;
    std::vector<char> known(graph.blocks.size(), 0);
    bool changed = true;
    for (int round = 0; changed && round < most_passes; ++round) {
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

void fill(const FlowGraph& graph, FlowLoop& loop) {
  loop.blocks = {loop.head};
  std::vector<int> todo = loop.latches;
  while (!todo.empty()) {
    const int block = todo.back();
    todo.pop_back();
    if (!loop.blocks.insert(block).second) continue;
    for (const int from : graph.blocks[block].before) todo.push_back(from);
  }
}

}  // namespace

FlowGraph flow_graph(const std::vector<FlowStep>& code) {
  FlowGraph graph;
  if (code.empty()) return graph;
  std::map<std::uint64_t, std::size_t> place;
  for (std::size_t i = 0; i < code.size(); ++i) place.emplace(code[i].address, i);
  std::set<std::size_t> leaders = {0};
  for (std::size_t i = 0; i < code.size(); ++i) {
    for (const auto target : code[i].targets)
      if (const auto found = place.find(target); found != place.end())
        leaders.insert(found->second);
    if ((code[i].ends || !code[i].targets.empty()) && i + 1 < code.size()) leaders.insert(i + 1);
  }
  std::map<std::size_t, int> block_at;
  for (auto it = leaders.begin(); it != leaders.end(); ++it) {
    block_at[*it] = static_cast<int>(graph.blocks.size());
    graph.blocks.push_back(
        {*it, (std::next(it) == leaders.end() ? code.size() : *std::next(it)) - 1, {}, {}});
  }
  graph.roots = {0};
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    FlowBlock& block = graph.blocks[b];
    const auto& last = code[block.last];
    for (const auto target : last.targets) {
      const auto found = place.find(target);
      if (found == place.end()) continue;
      const int to = block_at[found->second];
      if (last.calls)
        graph.roots.push_back(to);
      else
        block.next.push_back(to);
    }
    if (last.falls && b + 1 < graph.blocks.size()) block.next.push_back(static_cast<int>(b) + 1);
  }
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    for (const int to : graph.blocks[b].next)
      graph.blocks[to].before.push_back(static_cast<int>(b));
  return graph;
}

std::vector<FlowLoop> flow_loops(const FlowGraph& graph) {
  const Dominators dominators(graph);
  if (!dominators.settled()) return {};
  std::map<int, FlowLoop> by_head;
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    for (const int to : graph.blocks[b].next)
      if (dominators.reached(static_cast<int>(b)) &&
          dominators.dominates(to, static_cast<int>(b))) {
        by_head[to].head = to;
        by_head[to].latches.push_back(static_cast<int>(b));
      }
  std::vector<FlowLoop> loops;
  std::size_t places = 0;
  for (auto& [head, loop] : by_head) {
    if (loops.size() == most_loops || places > most_places) break;
    fill(graph, loop);
    places += loop.blocks.size();
    loops.push_back(std::move(loop));
  }
  return loops;
}

std::vector<CodeLoop> nested(const FlowGraph& graph, std::vector<FlowLoop> natural) {
  std::sort(natural.begin(), natural.end(), [](const auto& a, const auto& b) {
    return a.blocks.size() != b.blocks.size() ? a.blocks.size() > b.blocks.size() : a.head < b.head;
  });
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
