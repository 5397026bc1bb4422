#include "profile/cpu_nest.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "profile/flow_loops.h"

namespace hone::profile {
namespace {

// Far beyond what compilers make of a kernel.
constexpr std::size_t most_nested_functions = 64, most_nested_instructions = 200000;
constexpr int deepest_calls = 8, deepest_nest = 16;
// Straight code around loops that is a tile of its own: arithmetic instructions, and turns of the
// largest loop in it.
constexpr double least_tile = 20, turns_of_tile = 4;

FlowGraph graph_of(const CpuFunction& function) {
  std::vector<FlowStep> steps;
  for (const auto& one : function.code) {
    FlowStep step{
        one.address, {}, is_jump(one) || one.mnemonic.starts_with("ret"), true, is_call(one)};
    step.falls = !one.mnemonic.starts_with("jmp") && !one.mnemonic.starts_with("ret");
    // Calls are no part of the flow: what is called is a function of its own.
    if (const auto target = target_of(one); target && !step.calls) step.targets = {*target};
    steps.push_back(std::move(step));
  }
  return flow_graph(steps);
}

struct Function {
  std::vector<CodeLoop> loops;                // outer before inner
  std::vector<std::size_t> arithmetic;        // instructions
  std::map<std::size_t, std::size_t> callee;  // by the instruction that calls
  int depth = 0;                              // of loops that it is called from
  bool works = false;                         // has arithmetic, or calls what has
};

bool holds(const std::vector<std::size_t>& body, std::size_t at) {
  return std::binary_search(body.begin(), body.end(), at);
}

std::vector<Function> read_functions(const std::vector<CpuFunction>& functions) {
  std::vector<Function> all(functions.size());
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const auto& code = functions[f].code;
    const FlowGraph graph = graph_of(functions[f]);
    all[f].loops = nested(graph, flow_loops(graph));
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (is_math(functions[f].name))
        continue;  // what it does is known by its name, and counted where it is called
      if (arithmetic_of(code[i]) || calls_math(code[i])) all[f].arithmetic.push_back(i);
      if (const auto to = is_call(code[i]) ? called(code[i], functions) : std::nullopt;
          to && *to != f)
        all[f].callee.emplace(i, *to);
    }
    all[f].works = !all[f].arithmetic.empty();
  }
  for (int round = 0; round < deepest_calls; ++round)
    for (auto& function : all)
      for (const auto& [at, to] : function.callee) {
        int inside = function.depth;
        for (const auto& loop : function.loops)
          if (holds(loop.body, at)) inside = std::max(inside, function.depth + loop.depth);
        all[to].depth = std::min(std::max(all[to].depth, inside), deepest_nest);
        function.works = function.works || all[to].works;
      }
  return all;
}

bool calls_work(const std::vector<Function>& all, const Function& function,
                const std::vector<std::size_t>& body) {
  return std::any_of(function.callee.begin(), function.callee.end(), [&](const auto& call) {
    return all[call.second].works && holds(body, call.first);
  });
}

bool computes(const Function& function, const std::vector<std::size_t>& body) {
  return std::any_of(function.arithmetic.begin(), function.arithmetic.end(),
                     [&](std::size_t at) { return holds(body, at); });
}

// Of one function, those whose arithmetic is in no loop further in.
std::vector<const CodeLoop*> innermost(const std::vector<Function>& all, const Function& function) {
  std::vector<const CodeLoop*> found, busy;  // busy: with arithmetic, here or in what is called
  for (auto loop = function.loops.rbegin(); loop != function.loops.rend(); ++loop) {
    const bool calls = calls_work(all, function, loop->body), own = computes(function, loop->body);
    if (!calls && !own) continue;
    const bool outer = std::any_of(busy.begin(), busy.end(), [&](const CodeLoop* inner) {
      return inner->depth > loop->depth && holds(loop->body, inner->body.front());
    });
    busy.push_back(&*loop);
    if (own && !calls && !outer) found.push_back(&*loop);
  }
  return found;
}

std::uint64_t start_of(const CpuFunction& function, const CodeLoop& loop) {
  return function.code[loop.body.front()].address;
}

double operations_in(const CpuFunction& function, const std::vector<std::size_t>& body) {
  double sum = 0;
  for (const std::size_t i : body)
    if (const auto arithmetic = arithmetic_of(function.code[i]))
      sum += arithmetic->bits / arithmetic->element;
  return sum;
}

// What a body does beside its loops, where it is so much that it must be another way to do their
// work: an unrolled tile, while the loops go round the edges. Sums over lanes, roots and the like
// around a loop are far shorter.
std::optional<std::vector<std::size_t>> straight_part(const CpuFunction& function,
                                                      const Function& read,
                                                      const std::vector<std::size_t>& body) {
  std::vector<std::size_t> own;
  double most_of_turn = 0;
  std::vector<bool> inner(function.code.size(), false);
  for (const auto& loop : read.loops) {
    if (loop.body.size() >= body.size() || !holds(body, loop.body.front())) continue;
    for (const std::size_t i : loop.body) inner[i] = true;
    most_of_turn = std::max(most_of_turn, operations_in(function, loop.body));
  }
  for (const std::size_t i : body)
    if (!inner[i]) own.push_back(i);
  double arithmetic = 0;
  for (const std::size_t i : own) arithmetic += arithmetic_of(function.code[i]) ? 1 : 0;
  if (arithmetic < least_tile || operations_in(function, own) < turns_of_tile * most_of_turn)
    return std::nullopt;
  return own;
}

}  // namespace

std::vector<WorkingLoop> working_loops(const std::vector<CpuFunction>& functions) {
  std::size_t instructions = 0;
  for (const auto& function : functions) instructions += function.code.size();
  if (functions.size() > most_nested_functions || instructions > most_nested_instructions)
    return {};
  const auto all = read_functions(functions);
  std::vector<WorkingLoop> loops;
  for (std::size_t f = 0; f < all.size(); ++f) {
    const auto found = innermost(all, all[f]);
    for (const auto* loop : found) {
      WorkingLoop one{f, loop->body, all[f].depth + loop->depth, start_of(functions[f], *loop), 0};
      for (const auto& outer : all[f].loops)
        if (outer.depth + 1 == loop->depth && holds(outer.body, loop->body.front()))
          one.around = start_of(functions[f], outer);
      loops.push_back(std::move(one));
    }
    std::vector<std::size_t> whole(functions[f].code.size());
    std::iota(whole.begin(), whole.end(), 0u);
    for (const auto& outer : all[f].loops)
      if (std::find(found.begin(), found.end(), &outer) == found.end())
        if (auto own = straight_part(functions[f], all[f], outer.body))
          loops.push_back(
              {f, *std::move(own), all[f].depth + outer.depth, start_of(functions[f], outer), 0});
    if (auto own = found.empty() ? std::nullopt : straight_part(functions[f], all[f], whole))
      loops.push_back({f, *std::move(own), all[f].depth, functions[f].code.front().address, 0});
    if (found.empty() && !all[f].arithmetic.empty() && !calls_work(all, all[f], whole))
      loops.push_back({f, whole, all[f].depth, functions[f].code.front().address, 0});
  }
  return loops;
}

}  // namespace hone::profile
