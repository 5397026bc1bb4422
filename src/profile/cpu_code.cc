#include "profile/cpu_code.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace hone::profile {
namespace {

struct Instruction {
  std::uint64_t address = 0;
  std::string_view mnemonic, operands;
};

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// "    1130:\tvmulps ymm0,ymm1,ymm2"
std::optional<Instruction> instruction(std::string_view line) {
  line = trimmed(line);
  Instruction read;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), read.address, 16);
  if (error != std::errc{} || end == line.data() + line.size() || *end != ':') return std::nullopt;
  std::string_view rest = trimmed(line.substr(static_cast<std::size_t>(end - line.data()) + 1));
  const auto space = std::min(rest.find_first_of(" \t"), rest.size());
  read.mnemonic = rest.substr(0, space);
  read.operands = trimmed(rest.substr(space));
  if (read.mnemonic.empty()) return std::nullopt;
  return read;
}

bool is_arithmetic(std::string_view stem) {
  for (const std::string_view name : {"add", "sub", "mul", "div", "fmadd", "fmsub", "fnmadd", "fnmsub", "fmaddsub",
                                      "fmsubadd", "sqrt", "min", "max", "rcp", "rsqrt", "hadd", "dp"})
    if (stem.starts_with(name)) {
      // Behind it at most the operands' order or the precision: fmadd231, rcp14.
      const auto rest = stem.substr(name.size());
      if (std::all_of(rest.begin(), rest.end(), [](char c) { return c >= '0' && c <= '9'; })) return true;
    }
  return false;
}

int register_bits(std::string_view operands) {
  if (operands.find("zmm") != std::string_view::npos) return 512;
  if (operands.find("ymm") != std::string_view::npos) return 256;
  return operands.find("xmm") != std::string_view::npos ? 128 : 0;
}

void count(const Instruction& one, CpuCode& code) {
  std::string_view name = one.mnemonic;
  if (name.starts_with("vgather") || name.starts_with("vpgather") || name.starts_with("vscatter") ||
      name.starts_with("vpscatter")) {
    ++code.gathers;
    return;
  }
  if (name.starts_with("v")) name.remove_prefix(1);
  if (name.size() < 3) return;
  const std::string_view kind = name.substr(name.size() - 2);
  if (!is_arithmetic(name.substr(0, name.size() - 2))) return;
  const int bits = register_bits(one.operands);
  if (kind == "ss" || kind == "sd" || kind == "sh") {
    code.scalar += 1;
  } else if ((kind == "ps" || kind == "pd" || kind == "ph") && bits > 0) {
    code.vector += bits / (kind == "ps" ? 32.0 : kind == "pd" ? 64.0 : 16.0);
    code.widest = std::max(code.widest, bits);
  }
}

// A call by name into the math library: "1030 <expf@plt>".
bool calls_math(const Instruction& one) {
  if (one.mnemonic != "call" && one.mnemonic != "callq") return false;
  const auto open = one.operands.find('<');
  const auto at = one.operands.find("@plt");
  if (open == std::string_view::npos || at == std::string_view::npos || at < open) return false;
  const std::string_view name = one.operands.substr(open + 1, at - open - 1);
  for (const std::string_view stem :
       {"exp",   "log",    "pow",    "sin",  "cos",  "tan",   "sinh",  "cosh",  "tanh",  "asin", "acos", "atan", "erf",
        "gamma", "lgamma", "tgamma", "cbrt", "fmod", "hypot", "ldexp", "round", "floor", "ceil", "rint", "fma"})
    if (name.starts_with(stem)) return true;
  return false;
}

// Where it jumps back to: the loop's first address.
std::optional<std::uint64_t> jumps_back(const Instruction& one) {
  if (!one.mnemonic.starts_with("j")) return std::nullopt;
  std::string_view text = one.operands;
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t to = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to, 16);
  if (error != std::errc{} || to > one.address) return std::nullopt;
  return to;
}

}  // namespace

CpuCode read_cpu_code(std::string_view text) {
  CpuCode code;
  std::vector<std::uint64_t> math;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> loops;
  bool stub = false;  // the linker's own code: start-up, jumps into libraries
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("Disassembly of section ")) stub = line.find(" .text") == std::string_view::npos;
    const auto one = stub ? std::nullopt : instruction(line);
    if (!one) continue;
    ++code.instructions;
    count(*one, code);
    if (calls_math(*one)) math.push_back(one->address);
    if (const auto start = jumps_back(*one)) loops.emplace_back(*start, one->address);
  }
  std::sort(loops.begin(), loops.end());
  // The farthest end of the loops that start before an address decides whether one of them holds it.
  std::sort(math.begin(), math.end());
  std::uint64_t reach = 0;
  std::size_t next = 0;
  for (const auto address : math) {
    for (; next < loops.size() && loops[next].first <= address; ++next) reach = std::max(reach, loops[next].second);
    if (reach >= address) ++code.math_calls;
  }
  return code;
}

int vector_bits(std::string_view cpuinfo) {
  const auto at = cpuinfo.find("\nflags");
  const auto features = cpuinfo.find("\nFeatures");
  if (at == std::string_view::npos && features == std::string_view::npos) return 0;
  const std::string_view from = cpuinfo.substr(std::min(at, features) + 1);
  const std::string line = " " + std::string(from.substr(0, from.find('\n'))) + " ";
  const auto has = [&](const char* flag) { return line.find(std::string(" ") + flag + " ") != std::string::npos; };
  if (has("avx512f")) return 512;
  if (has("avx") || has("avx2")) return 256;
  return has("sse2") || has("asimd") ? 128 : 0;
}

}  // namespace hone::profile
