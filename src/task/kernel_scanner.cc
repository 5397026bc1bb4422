#include "task/kernel_scanner.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace hone::task {
namespace {

using Kind = KernelParameter::Kind;

struct Token {
  std::string_view text;
  std::size_t offset = 0;
};
using Tokens = std::vector<Token>;

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_word(std::string_view text) {
  return !text.empty() && in_word(text[0]) && !std::isdigit(static_cast<unsigned char>(text[0]));
}

// The end of a comment, a literal or a preprocessor line that starts at `at`; `at` itself if none
// does.
std::size_t skip_unread(std::string_view source, std::size_t at, bool line_start) {
  const auto find = [&](std::string_view what, std::size_t from) {
    return std::min(source.find(what, from), source.size());
  };
  if (source.substr(at, 2) == "//") return find("\n", at);
  if (source.substr(at, 2) == "/*") return std::min(find("*/", at + 2) + 2, source.size());
  if (source[at] == '#' && line_start) {
    std::size_t end = find("\n", at);
    while (end < source.size() && source[end - 1] == '\\') end = find("\n", end + 1);
    return end;
  }
  if (source[at] == '\'') {
    std::size_t end = at + 1;
    while (end < source.size() && source[end] != '\'' && source[end] != '\n')
      end += source[end] == '\\' ? 2 : 1;
    return std::min(end + 1, source.size());
  }
  return at;
}

Tokens tokenize(std::string_view source) {
  Tokens tokens;
  bool line_start = true;
  for (std::size_t i = 0; i < source.size();) {
    if (const std::size_t end = skip_unread(source, i, line_start); end != i) {
      i = end;
      continue;
    }
    const char c = source[i];
    if (std::isspace(static_cast<unsigned char>(c))) {
      line_start = line_start || c == '\n';
      ++i;
      continue;
    }
    line_start = false;
    std::size_t end = i + 1;
    if (in_word(c)) {
      while (end < source.size() && in_word(source[end])) ++end;
    } else if (c == '"') {
      while (end < source.size() && source[end] != '"' && source[end] != '\n')
        end += source[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, source.size());
    }
    tokens.push_back({source.substr(i, end - i), i});
    i = end;
  }
  return tokens;
}

// The place behind the bracket that closes the one at `open`; the end if it never closes.
std::size_t behind_closing(const Tokens& tokens, std::size_t open, std::string_view left,
                           std::string_view right) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += tokens[i].text == left ? 1 : tokens[i].text == right ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return tokens.size();
}

std::optional<core::DType> dtype_of(std::string type) {
  using core::DType;
  static const std::map<std::string, DType, std::less<>> names = {
      {"float", DType::f32},
      {"double", DType::f64},
      {"half", DType::f16},
      {"__half", DType::f16},
      {"__nv_bfloat16", DType::bf16},
      {"nv_bfloat16", DType::bf16},
      {"int", DType::i32},
      {"signed", DType::i32},
      {"signed int", DType::i32},
      {"int32_t", DType::i32},
      {"long", DType::i64},
      {"long int", DType::i64},
      {"long long", DType::i64},
      {"long long int", DType::i64},
      {"int64_t", DType::i64},
      {"ptrdiff_t", DType::i64},
      {"short", DType::i16},
      {"int16_t", DType::i16},
      {"char", DType::i8},
      {"signed char", DType::i8},
      {"int8_t", DType::i8},
      {"bool", DType::u8},
      {"unsigned char", DType::u8},
      {"uchar", DType::u8},
      {"uint8_t", DType::u8},
      {"unsigned short", DType::u16},
      {"ushort", DType::u16},
      {"uint16_t", DType::u16},
      {"unsigned", DType::u32},
      {"unsigned int", DType::u32},
      {"uint", DType::u32},
      {"uint32_t", DType::u32},
      {"unsigned long", DType::u64},
      {"ulong", DType::u64},
      {"size_t", DType::u64},
      {"uint64_t", DType::u64},
      {"unsigned long long", DType::u64},
      {"std::size_t", DType::u64},
      {"std::int64_t", DType::i64}};
  if (const auto found = names.find(type); found != names.end()) return found->second;
  // float4, __half2, __nv_bfloat162: several elements at once.
  for (const char* width : {"16", "8", "4", "3", "2"}) {
    if (!type.ends_with(width)) continue;
    const auto found = names.find(type.substr(0, type.size() - std::string_view(width).size()));
    if (found != names.end()) return found->second;
  }
  return std::nullopt;
}

// Words in a declaration that say nothing about the type of the elements.
const std::set<std::string_view> qualifiers = {
    "const",      "volatile",  "restrict",          "__restrict__", "__restrict",
    "__global",   "global",    "__local",           "local",        "__constant",
    "constant",   "__private", "__grid_constant__", "private",      "read_only",
    "write_only", "struct",    "register",          "__read_only",  "__write_only"};
const std::set<std::string_view> type_words = {"unsigned", "signed", "long", "short", "int", "char",
                                               "float",    "double", "half", "bool",  "void"};

KernelParameter read_parameter(const Tokens& tokens, std::size_t number) {
  KernelParameter parameter;
  bool pointer = false, constant = false, local = false;
  std::vector<std::string> words;
  for (const auto& [text, offset] : tokens) {
    if (text == "=") break;  // a default value
    if (!parameter.declared.empty() && is_word(text)) parameter.declared += ' ';
    parameter.declared += text;
    local = local || text == "__local" || text == "local";
    constant =
        constant || ((text == "const" || text == "__constant" || text == "constant") && !pointer);
    pointer = pointer || text == "*" || text == "[" || text == "&";
    if (text == ":" && !words.empty())
      words.back() += ":";
    else if (!words.empty() && words.back().ends_with("::"))
      words.back() += text;
    else if (is_word(text) && !qualifiers.contains(text))
      words.emplace_back(text);
  }
  // The last word is the name, unless it belongs to the type of a parameter without one.
  if (words.size() > 1 && !type_words.contains(words.back())) {
    parameter.name = words.back();
    words.pop_back();
  } else {
    parameter.name = "argument" + std::to_string(number + 1);
  }
  std::string type;
  for (const auto& word : words) type += (type.empty() ? "" : " ") + word;
  parameter.dtype = dtype_of(type);
  if (local)
    parameter.kind = Kind::local;
  else if (pointer)
    parameter.kind = constant ? Kind::input : Kind::output;
  else if (parameter.dtype)
    parameter.kind = core::is_float(*parameter.dtype) ? Kind::real : Kind::integer;
  return parameter;
}

std::vector<KernelParameter> read_parameters(const Tokens& tokens, std::size_t open,
                                             std::size_t close) {
  std::vector<KernelParameter> parameters;
  Tokens current;
  int depth = 0;
  const auto finish = [&] {
    const bool nothing = current.empty() || (current.size() == 1 && current[0].text == "void");
    if (!nothing) parameters.push_back(read_parameter(current, parameters.size()));
    current.clear();
  };
  for (std::size_t i = open + 1; i + 1 < close; ++i) {
    const auto text = tokens[i].text;
    if (text == "," && depth == 0) {
      finish();
      continue;
    }
    depth += text == "(" || text == "<" || text == "[" || text == "{"   ? 1
             : text == ")" || text == ">" || text == "]" || text == "}" ? -1
                                                                        : 0;
    current.push_back(tokens[i]);
  }
  finish();
  return parameters;
}

// From the word that marks a kernel to its name: attributes with brackets lie between.
std::size_t find_name(const Tokens& tokens, std::size_t mark) {
  static const std::set<std::string_view> attributes = {
      "__launch_bounds__", "__cluster_dims__", "__attribute__", "__maxnreg__",
      "__block_size__",    "alignas",          "__declspec"};
  for (std::size_t i = mark + 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text == ";" || tokens[i].text == "{") break;
    if (tokens[i + 1].text != "(") continue;
    if (attributes.contains(tokens[i].text))
      i = behind_closing(tokens, i + 1, "(", ")") - 1;
    else if (is_word(tokens[i].text))
      return i;
  }
  return tokens.size();
}

// What stands between the last complete declaration and the kernel's mark.
void read_prefix(const Tokens& tokens, std::size_t mark, Kernel& kernel) {
  for (std::size_t i = mark; i-- > 0;) {
    if (tokens[i].text == ";" || tokens[i].text == "}" || tokens[i].text == "{") break;
    if (tokens[i].text == "template") kernel.is_template = true;
    if (tokens[i].text == "\"C\"") kernel.extern_c = true;
  }
  // Inside extern "C" { ... }.
  std::vector<bool> blocks;
  for (std::size_t i = 0; i < mark; ++i) {
    if (tokens[i].text == "{")
      blocks.push_back(i >= 2 && tokens[i - 1].text == "\"C\"" && tokens[i - 2].text == "extern");
    if (tokens[i].text == "}" && !blocks.empty()) blocks.pop_back();
  }
  kernel.extern_c =
      kernel.extern_c || std::find(blocks.begin(), blocks.end(), true) != blocks.end();
}

bool has_dynamic_shared(const Tokens& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens[i].text == "extern" && tokens[i + 1].text == "__shared__") return true;
  return false;
}

}  // namespace

std::vector<Kernel> scan_kernels(std::string_view source, core::Language language) {
  const Tokens tokens = tokenize(source);
  const bool cuda = language == core::Language::cuda;
  const bool dynamic_shared = cuda && has_dynamic_shared(tokens);
  std::vector<Kernel> kernels;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto mark = tokens[i].text;
    if (cuda ? mark != "__global__" : mark != "__kernel" && mark != "kernel") continue;
    const std::size_t name = find_name(tokens, i);
    if (name + 1 >= tokens.size()) continue;
    const std::size_t close = behind_closing(tokens, name + 1, "(", ")");
    Kernel kernel;
    kernel.name = tokens[name].text;
    kernel.parameters = read_parameters(tokens, name + 1, close);
    kernel.offset = tokens[i].offset;
    kernel.line =
        static_cast<int>(std::count(
            source.begin(), source.begin() + static_cast<std::ptrdiff_t>(kernel.offset), '\n')) +
        1;
    kernel.dynamic_shared = dynamic_shared;
    read_prefix(tokens, i, kernel);
    const bool seen = std::any_of(kernels.begin(), kernels.end(),
                                  [&](const Kernel& known) { return known.name == kernel.name; });
    if (!seen) kernels.push_back(std::move(kernel));
    i = close - 1;
  }
  return kernels;
}

}  // namespace hone::task
