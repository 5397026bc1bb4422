#include "profile/cpu_listing.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "profile/trimmed.h"

namespace hone::profile {
namespace {

constexpr std::size_t most_functions =
    256;  // whose calls are followed; a kernel's library has a handful

// "    1130:\tvmulps ymm0,ymm1,ymm2"
std::optional<CpuInstruction> instruction(std::string_view line) {
  line = trimmed(line.substr(0, line.find('#')));
  CpuInstruction read;
  const auto [end, error] =
      std::from_chars(line.data(), line.data() + line.size(), read.address, 16);
  if (error != std::errc{} || end == line.data() + line.size() || *end != ':') return std::nullopt;
  std::string_view rest = trimmed(line.substr(static_cast<std::size_t>(end - line.data()) + 1));
  const auto space = std::min(rest.find_first_of(" \t"), rest.size());
  read.mnemonic = rest.substr(0, space);
  read.operands = trimmed(rest.substr(space));
  if (read.mnemonic.empty()) return std::nullopt;
  return read;
}

// "0000000000001100 <_pocl_kernel_f_workgroup>:"
std::optional<std::string_view> function_name(std::string_view line) {
  line = trimmed(line);
  const auto open = line.find(" <");
  if (open == std::string_view::npos || !line.ends_with(">:")) return std::nullopt;
  return line.substr(open + 2, line.size() - open - 4);
}

// "/tmp/pocl/tempfile_x.cl:52", "/tmp/pocl/tempfile_x.cl:52 (discriminator 2)"; 0: in a file of
// other kinds.
std::optional<int> source_line(std::string_view line) {
  line = trimmed(line.substr(0, line.find(" (discriminator")));
  const auto colon = line.rfind(':');
  if (colon == std::string_view::npos || !line.starts_with("/")) return std::nullopt;
  int number = 0;
  const auto [end, error] =
      std::from_chars(line.data() + colon + 1, line.data() + line.size(), number);
  const bool whole = error == std::errc{} && end == line.data() + line.size();
  return whole && number > 0 && line.substr(0, colon).ends_with(".cl") ? number : 0;
}

std::vector<CpuFunction> all_functions(std::string_view text) {
  std::vector<CpuFunction> functions;
  bool stub = false;  // the linker's own code: start-up, jumps into libraries
  int source = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("Disassembly of section "))
      stub = line.find(" .text") == std::string_view::npos;
    if (stub) continue;
    if (const auto name = function_name(line)) {
      functions.push_back({*name, {}});
      source = 0;
    } else if (const auto number = source_line(line)) {
      source = *number;
    } else if (auto one = instruction(line)) {
      if (functions.empty()) functions.emplace_back();
      one->line = source;
      functions.back().code.push_back(*one);
    }
  }
  std::erase_if(functions, [](const CpuFunction& function) { return function.code.empty(); });
  return functions;
}

bool is_arithmetic(std::string_view stem) {
  for (const std::string_view name :
       {"add", "sub", "mul", "div", "fmadd", "fmsub", "fnmadd", "fnmsub", "fmaddsub", "fmsubadd",
        "sqrt", "min", "max", "cmp", "rcp", "rsqrt", "hadd", "dp"})
    if (stem == name) return true;
  return false;
}

int register_bits(std::string_view operands) {
  if (operands.find("zmm") != std::string_view::npos) return 512;
  if (operands.find("ymm") != std::string_view::npos) return 256;
  return operands.find("xmm") != std::string_view::npos ? 128 : 0;
}

}  // namespace

std::vector<CpuFunction> read_listing(std::string_view text, std::string_view root) {
  auto functions = all_functions(text);
  std::set<std::size_t> wanted;
  std::vector<std::size_t> todo;
  for (std::size_t i = 0; i < functions.size(); ++i)
    if (functions[i].name.ends_with(root)) todo.push_back(i);
  if (todo.empty() || functions.size() > most_functions) return functions;
  while (!todo.empty()) {
    const std::size_t at = todo.back();
    todo.pop_back();
    if (!wanted.insert(at).second) continue;
    for (const auto& one : functions[at].code)
      if (const auto to = called(one, functions)) todo.push_back(*to);
  }
  std::vector<CpuFunction> kept;
  for (const std::size_t i : wanted) kept.push_back(std::move(functions[i]));
  return kept;
}

std::vector<std::string_view> operands_of(const CpuInstruction& one) {
  std::vector<std::string_view> parts;
  std::string_view rest = one.operands;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(','), rest.size());
    parts.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return parts;
}

bool is_memory(std::string_view operand) { return operand.find('[') != std::string_view::npos; }

bool is_jump(const CpuInstruction& one) { return one.mnemonic.starts_with("j"); }
bool is_call(const CpuInstruction& one) {
  return one.mnemonic == "call" || one.mnemonic == "callq";
}

std::optional<std::uint64_t> target_of(const CpuInstruction& one) {
  if (!is_jump(one) && !is_call(one)) return std::nullopt;
  std::string_view text = one.operands;
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t to = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to, 16);
  // "call rax" begins with no digit, but "jmp bx" does.
  if (error != std::errc{} || (end != text.data() + text.size() && *end != ' '))
    return std::nullopt;
  return to;
}

std::optional<std::size_t> called(const CpuInstruction& one,
                                  const std::vector<CpuFunction>& functions) {
  const auto target = target_of(one);
  if (!target) return std::nullopt;
  std::string_view name =
      one.operands.substr(std::min(one.operands.find('<') + 1, one.operands.size()));
  const auto linked = name.find("@plt>");
  name = linked == std::string_view::npos ? std::string_view() : name.substr(0, linked);
  for (std::size_t i = 0; i < functions.size(); ++i)
    if (functions[i].code.front().address == *target ||
        (!name.empty() && functions[i].name == name))
      return i;
  return std::nullopt;
}

bool is_gather(const CpuInstruction& one) {
  for (const std::string_view name : {"vgather", "vpgather", "vscatter", "vpscatter"})
    if (one.mnemonic.starts_with(name)) return true;
  return false;
}

namespace {

// Without what leads it: "Sleef_logf_u10" is "logf_u10", "_Z7_cl_powff" is "powff"; of vectors
// ("f16_u10", "Dv16_f")
// "".
std::string_view math_stem(std::string_view name) {
  if (name.find("Dv") != std::string_view::npos) return "";
  if (const auto at = name.find("_cl_"); name.starts_with("_Z") && at != std::string_view::npos)
    return name.substr(at + 4);
  constexpr std::string_view sleef = "Sleef_";
  if (!name.starts_with(sleef)) return name;
  // "f16_u10", "d4_u35" and so on are of vectors; "exp10_u10" is not.
  auto before = name.substr(0, name.find("_u"));
  const auto whole = before.size();
  while (!before.empty() && before.back() >= '0' && before.back() <= '9') before.remove_suffix(1);
  const bool vector = before.size() < whole && (before.ends_with("f") || before.ends_with("d"));
  return vector ? std::string_view() : name.substr(sleef.size());
}

}  // namespace

bool is_math(std::string_view function) {
  const std::string_view name = math_stem(function);
  for (const std::string_view stem :
       {"exp",   "log",   "pow",   "sin",   "cos",   "tan",    "sinh",   "cosh", "tanh",
        "asin",  "acos",  "atan",  "erf",   "gamma", "lgamma", "tgamma", "cbrt", "fmod",
        "hypot", "ldexp", "round", "floor", "ceil",  "rint",   "fma"})
    if (name.starts_with(stem)) return true;
  return false;
}

bool is_vector_math(std::string_view function) {
  const bool library = function.starts_with("Sleef_") ||
                       (function.starts_with("_Z") && function.find("_cl_") < function.size());
  return library && math_stem(function).empty();
}

// By name: "1030 <expf@plt>", or PoCL's own: "1000 <Sleef_erff_u10>".
bool calls_math(const CpuInstruction& one) {
  if (!is_call(one)) return false;
  const auto open = one.operands.find('<');
  if (open == std::string_view::npos) return false;
  const std::string_view name =
      one.operands.substr(open + 1, one.operands.find_first_of("@>", open) - open - 1);
  const bool linked = one.operands.find("@plt") != std::string_view::npos;
  return (linked || name.starts_with("Sleef_") || name.starts_with("_Z")) && is_math(name);
}

std::optional<CpuArithmetic> arithmetic_of(const CpuInstruction& one) {
  std::string_view name = one.mnemonic;
  if (name.starts_with("v")) name.remove_prefix(1);
  if (name.size() < 3) return std::nullopt;
  const std::string_view kind = name.substr(name.size() - 2);
  name.remove_suffix(2);
  if (one.mnemonic.starts_with("vcmp") || one.mnemonic.starts_with("cmp"))
    name = "cmp";  // "vcmpltps"
  // Behind the stem at most the operands' order or the precision: fmadd231, rcp14.
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
  if (!is_arithmetic(name) || (kind.front() != 's' && kind.front() != 'p')) return std::nullopt;
  CpuArithmetic read{name, 0,
                     kind.back() == 's'   ? 32
                     : kind.back() == 'd' ? 64
                                          : 16,
                     kind.front() == 'p'};
  if (kind.back() != 's' && kind.back() != 'd' && kind.back() != 'h') return std::nullopt;
  read.bits = read.vector ? register_bits(one.operands) : read.element;
  if (read.bits == 0) return std::nullopt;
  return read;
}

}  // namespace hone::profile
