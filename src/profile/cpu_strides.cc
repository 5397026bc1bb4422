#include "profile/cpu_strides.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "profile/cpu_dependences.h"

namespace hone::profile {
namespace {

constexpr double line_bytes = 64;
constexpr int longest_way = 4;     // copies of a register that are followed
constexpr int most_of_a_line = 2;  // accesses at the same registers: more are a run of neighbours

// How a register changes in a turn.
struct Step {
  enum class Kind { none, constant, by_register, copy, unknown } kind = Kind::none;
  double bytes = 0;  // constant
  int other = -1;    // by_register, copy
};
// Of each register, where the body writes it and how.
using Steps = std::array<std::vector<std::pair<std::size_t, Step>>, cpu_registers>;

std::optional<double> immediate(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return static_cast<double>(static_cast<std::int64_t>(value));
}

Step step_of(const CpuInstruction& one, int into, const std::vector<std::string_view>& parts) {
  if (one.mnemonic == "inc" || one.mnemonic == "dec") return {Step::Kind::constant, 1, -1};
  const int from = parts.size() == 2 ? register_number(parts[1]) : -1;
  const bool moves = one.mnemonic == "mov" || one.mnemonic == "movsxd" || one.mnemonic == "movsx";
  if (moves && from == into) return {};  // an int becomes a long
  if (moves && from >= 0) return {Step::Kind::copy, 0, from};
  if (one.mnemonic == "add" || one.mnemonic == "sub") {
    if (from >= 0) return {Step::Kind::by_register, 0, from};
    if (const auto value = parts.size() == 2 ? immediate(parts[1]) : std::nullopt)
      return {Step::Kind::constant, *value, -1};
  }
  return {Step::Kind::unknown, 0, -1};
}

Steps steps_in(const CpuFunction& function, const std::vector<std::size_t>& body) {
  Steps steps;
  for (const std::size_t i : body) {
    const auto& one = function.code[i];
    const auto parts = operands_of(one);
    if (parts.empty() || is_jump(one) || is_call(one) || is_memory(parts[0])) continue;
    if (one.mnemonic == "cmp" || one.mnemonic == "test") continue;
    const int into = register_number(parts[0]);
    if (into < first_general_register) continue;  // only these address
    const Step step = step_of(one, into, parts);
    if (step.kind == Step::Kind::none) continue;
    steps[static_cast<std::size_t>(into)].emplace_back(i, step);
  }
  return steps;
}

// Whether the register that is read at `at` goes far from turn to turn. What wrote it last before
// that counts, or where nothing did, what writes it later in the turn.
bool goes_far(const Steps& steps, int number, std::size_t at, double scale) {
  for (int way = 0; way < longest_way && number >= 0; ++way) {
    const auto& writes = steps[static_cast<std::size_t>(number)];
    if (writes.empty()) return false;
    const auto later = std::find_if(writes.begin(), writes.end(),
                                    [&](const auto& one) { return one.first >= at; });
    const auto& [place, step] = later == writes.begin() ? writes.back() : *(later - 1);
    if (step.kind == Step::Kind::constant) return std::abs(step.bytes) * scale >= line_bytes;
    if (step.kind == Step::Kind::by_register)
      return steps[static_cast<std::size_t>(step.other)].empty();
    if (step.kind != Step::Kind::copy) return false;
    number = step.other;
    at = place;
  }
  return false;
}

// "DWORD PTR [r9+rdi*4+0x8]": its registers with their scales, and the operand without what is
// constant.
struct Address {
  std::vector<std::pair<int, double>> registers;
  std::string key;
};
Address address_of(std::string_view operand) {
  Address address;
  const auto open = operand.find('['), close = operand.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return address;
  std::string_view rest = operand.substr(open + 1, close - open - 1);
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of("+-"), rest.size());
    const std::string_view term = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto star = std::min(term.find('*'), term.size());
    const int number = register_number(term.substr(0, star));
    if (number < 0) continue;
    address.registers.emplace_back(number, star < term.size() ? std::max(1, term.back() - '0') : 1);
    address.key += std::string(term) + "+";
  }
  return address;
}

}  // namespace

Strides strides_of(const CpuFunction& function, const std::vector<std::size_t>& body) {
  Strides sum;
  const Steps steps = steps_in(function, body);
  std::map<std::string, int> far;  // by address
  for (const std::size_t i : body) {
    const auto& one = function.code[i];
    if (one.operands.find("mm") == std::string_view::npos ||
        one.operands.find("[rip") != std::string_view::npos)
      continue;
    for (const auto operand : operands_of(one)) {
      if (!is_memory(operand) || operand.find("rsp") != std::string_view::npos) continue;
      ++sum.accesses;
      const bool single = operand.starts_with("DWORD") || operand.starts_with("QWORD");
      if (!single || one.mnemonic.find("broadcast") != std::string_view::npos) continue;
      const Address address = address_of(operand);
      for (const auto& [number, scale] : address.registers)
        if (goes_far(steps, number, i, scale)) {
          ++far[address.key];
          break;
        }
    }
  }
  for (const auto& [key, count] : far)
    if (count <= most_of_a_line) sum.strided += count;
  return sum;
}

}  // namespace hone::profile
