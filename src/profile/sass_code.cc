#include "profile/sass_code.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "profile/trimmed.h"

namespace hone::profile {
namespace {

constexpr std::size_t most_instructions = 1u << 20;  // of one image; compilers stop long before

std::optional<std::uint64_t> hex(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// The word up to white space; `rest` goes on behind it.
std::string_view word(std::string_view& rest) {
  rest = trimmed(rest);
  const auto end = std::min(rest.find_first_of(" \t"), rest.size());
  const auto found = rest.substr(0, end);
  rest = trimmed(rest.substr(end));
  return found;
}

bool is_opcode(std::string_view text) {
  return !text.empty() && text[0] >= 'A' && text[0] <= 'Z' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '.';
         });
}

// "/*00a0*/   @!P0 BRA.U !UP0, `(.L_x_4) ;" and, from cuobjdump, the encoding in a comment behind
// it.
std::optional<SassInstruction> instruction(std::string_view line) {
  if (!line.starts_with("/*")) return std::nullopt;
  const auto close = line.find("*/");
  if (close == std::string_view::npos) return std::nullopt;
  const auto offset = hex(line.substr(2, close - 2));
  if (!offset) return std::nullopt;
  std::string_view rest = line.substr(close + 2);
  rest = trimmed(rest.substr(0, std::min(rest.find(';'), rest.size())));
  if (rest.starts_with("{")) rest = trimmed(rest.substr(1));
  SassInstruction read;
  read.offset = *offset;
  if (rest.starts_with("@")) read.predicate = word(rest).substr(1);
  const auto opcode = word(rest);
  if (!is_opcode(opcode)) return std::nullopt;
  read.opcode = opcode;
  read.operands = rest;
  return read;
}

bool jumps(const std::string& opcode) {
  for (const std::string_view base : {"BRA", "BRX", "BRXU", "JMP", "CALL", "WARPSYNC"})
    if (opcode.starts_with(base) && (opcode.size() == base.size() || opcode[base.size()] == '.'))
      return true;
  return false;
}

using Labels = std::map<std::string, std::uint64_t, std::less<>>;

// Where it may go: labels in `(...), a list of them in (*"BRANCH_TARGETS .L_1,.L_2"*), or a plain
// address.
std::vector<std::uint64_t> targets_of(const std::string& operands, const Labels& labels) {
  std::vector<std::uint64_t> targets;
  const auto add = [&](std::string_view label) {
    if (const auto found = labels.find(label); found != labels.end())
      targets.push_back(found->second);
  };
  const std::string_view text = operands, list = "BRANCH_TARGETS ";
  if (const auto at = text.find("`("); at != std::string_view::npos)
    add(text.substr(at + 2, std::min(text.find(')', at), text.size()) - at - 2));
  if (const auto at = text.find(list); at != std::string_view::npos) {
    std::string_view rest = text.substr(at + list.size());
    rest = rest.substr(0, std::min(rest.find('"'), rest.size()));
    while (!rest.empty()) {
      const auto comma = std::min(rest.find(','), rest.size());
      add(trimmed(rest.substr(0, comma)));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  if (const auto at = text.rfind("0x"); targets.empty() && at != std::string_view::npos)
    if (const auto address = hex(text.substr(at + 2))) targets.push_back(*address);
  return targets;
}

class Reader {
 public:
  void line(std::string_view text) {
    if (text.starts_with("\t.section\t")) return section(text);
    const std::string_view bare = trimmed(text), function = "Function : ";
    if (bare.starts_with(function)) return begin(std::string(bare.substr(function.size())));
    if (kernels_.empty() || !open_) return;
    if (auto read = instruction(bare)) {
      if (++count_ > most_instructions) return;
      kernels_.back().code.push_back(*std::move(read));
    } else if (bare.ends_with(':') && bare.size() > 1) {
      waiting_.emplace_back(bare.substr(0, bare.size() - 1));
      return;
    } else {
      return;
    }
    for (auto& label : waiting_) labels_[std::move(label)] = kernels_.back().code.back().offset;
    waiting_.clear();
  }

  std::vector<SassKernel> finish() {
    close();
    return std::move(kernels_);
  }

 private:
  // .section .text.NAME,"ax",@progbits
  void section(std::string_view text) {
    close();
    std::string_view rest = text;
    word(rest);
    const std::string_view name = rest.substr(0, std::min(rest.find(','), rest.size())),
                           mark = ".text.";
    if (name.starts_with(mark)) begin(std::string(name.substr(mark.size())));
  }
  void begin(std::string name) {
    close();
    open_ = true;
    kernels_.push_back({std::move(name), {}});
  }
  void close() {
    if (!open_) return;
    open_ = false;
    auto& code = kernels_.back().code;
    std::stable_sort(code.begin(), code.end(),
                     [](const auto& a, const auto& b) { return a.offset < b.offset; });
    for (auto& one : code)
      if (jumps(one.opcode)) one.targets = targets_of(one.operands, labels_);
    drop_padding(code);
    labels_.clear();
    waiting_.clear();
  }
  // Behind the end stand a branch to itself and idle instructions, which never run.
  static void drop_padding(std::vector<SassInstruction>& code) {
    while (!code.empty() && code.back().opcode == "NOP") code.pop_back();
    if (!code.empty() && code.back().predicate.empty() &&
        code.back().targets == std::vector<std::uint64_t>{code.back().offset})
      code.pop_back();
  }

  std::vector<SassKernel> kernels_;
  bool open_ = false;
  std::size_t count_ = 0;
  Labels labels_;
  std::vector<std::string> waiting_;  // labels of the instruction that comes next
};

}  // namespace

std::vector<SassKernel> parse_sass(std::string_view text) {
  Reader reader;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

}  // namespace hone::profile
