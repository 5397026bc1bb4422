#include "profile/cpu_dependences.h"

#include <algorithm>
#include <array>

namespace hone::profile {
namespace {

constexpr double arithmetic_latency = 4, division_latency = 11, load_latency = 5;  // cycles
constexpr int warm_turns = 4, turns = 12;
constexpr std::size_t longest_body = 20000;  // instructions that are followed

constexpr int first_mask = 32, first_general = first_general_register, registers = cpu_registers;

}  // namespace

int register_number(std::string_view word) {
  const auto number = [](std::string_view digits) {
    int value = 0;
    for (const char c : digits.substr(0, 2)) {
      if (c < '0' || c > '9') break;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  if (word.size() > 3 && word.substr(1, 2) == "mm")
    return std::min(number(word.substr(3)), first_mask - 1);
  if (word.size() == 2 && word[0] == 'k' && word[1] >= '0' && word[1] <= '7')
    return first_mask + (word[1] - '0');
  if (word.size() > 1 && word[0] == 'r' && word[1] >= '0' && word[1] <= '9')
    return first_general + std::min(number(word.substr(1)), 15);
  constexpr std::array<std::string_view, 8> names{"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};
  if (word.size() == 3 && (word[0] == 'r' || word[0] == 'e')) word.remove_prefix(1);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (word == names[i]) return first_general + static_cast<int>(i);
  return -1;
}

namespace {

void add_registers(std::string_view operand, std::vector<int>& to) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  for (std::size_t at = 0; at < operand.size();) {
    std::size_t end = at;
    while (end < operand.size() && is_word(operand[end])) ++end;
    if (const int found = register_number(operand.substr(at, end - at)); found >= 0)
      to.push_back(found);
    at = std::max(end, at + 1);
  }
}

struct Step {
  std::vector<int> reads, addresses;
  int writes = -1;
  double latency = 1;
  bool loads = false;
};

bool reads_first(std::string_view mnemonic) {
  if (!mnemonic.starts_with("v"))
    return !mnemonic.starts_with("mov") && !mnemonic.starts_with("lea") &&
           !mnemonic.starts_with("set") && !mnemonic.starts_with("k");
  for (const std::string_view name : {"vfmadd", "vfmsub", "vfnmadd", "vfnmsub"})
    if (mnemonic.starts_with(name)) return true;
  return false;
}

Step step_of(const CpuInstruction& one) {
  Step step;
  const auto parts = operands_of(one);
  if (parts.empty() || is_jump(one) || is_call(one)) return step;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    add_registers(parts[i], is_memory(parts[i]) ? step.addresses : step.reads);
    step.loads = step.loads || (is_memory(parts[i]) && one.mnemonic != "lea");
  }
  if (is_memory(parts[0]) || one.mnemonic == "cmp" || one.mnemonic == "test" ||
      one.mnemonic.find("comi") < 3)
    return step;  // a store, or flags, which end no chain that matters
  std::vector<int> first;
  add_registers(parts[0], first);
  if (first.empty()) return step;
  step.writes = first.front();
  step.reads.insert(step.reads.end(), first.begin() + 1, first.end());  // a mask
  const bool masked = parts[0].find('{') != std::string_view::npos &&
                      parts[0].find("{z}") == std::string_view::npos;
  if (masked || reads_first(one.mnemonic)) step.reads.push_back(step.writes);
  if (one.mnemonic.find("xor") != std::string_view::npos && parts.size() > 1 &&
      parts.back() == parts[parts.size() - 2])
    step.reads.clear();  // zero, whatever was there
  if (const auto arithmetic = arithmetic_of(one))
    step.latency = arithmetic->stem == "div" || arithmetic->stem == "sqrt" ? division_latency
                                                                           : arithmetic_latency;
  return step;
}

}  // namespace

// How much later each turn ends than the one before if nothing but its values holds it up.
double chain_cycles(const CpuFunction& function, const std::vector<std::size_t>& body) {
  if (body.size() > longest_body) return 0;
  std::vector<Step> steps;
  for (const std::size_t i : body) steps.push_back(step_of(function.code[i]));
  std::array<double, registers> ready{};
  double before = 0, latest = 0;
  for (int turn = 0; turn < turns; ++turn) {
    if (turn == warm_turns) before = latest;
    for (const auto& step : steps) {
      double start = 0;
      for (const int one : step.addresses)
        start = std::max(start, ready[static_cast<std::size_t>(one)]);
      if (step.loads) start += load_latency;
      for (const int one : step.reads)
        start = std::max(start, ready[static_cast<std::size_t>(one)]);
      if (step.writes < 0) continue;
      ready[static_cast<std::size_t>(step.writes)] = start + step.latency;
      latest = std::max(latest, start + step.latency);
    }
  }
  return (latest - before) / (turns - warm_turns);
}

}  // namespace hone::profile
