#include "export/python_text.h"

#include <algorithm>
#include <set>

namespace hone::exports {
namespace {

// Python's keywords, and names that the exported functions use.
const std::set<std::string, std::less<>> reserved_in_python = {
    "False", "None",       "True",      "and",    "as",     "assert", "async",  "await",    "break",
    "class", "continue",   "def",       "del",    "elif",   "else",   "except", "finally",  "for",
    "from",  "global",     "if",        "import", "in",     "is",     "lambda", "nonlocal", "not",
    "or",    "pass",       "raise",     "return", "try",    "while",  "with",   "yield",    "self",
    "torch", "hone_light", "iteration", "range",  "kernel", "data",   "min",    "max",      "bool"};

}  // namespace

std::string python_name(const std::string& name) {
  std::string out = name;
  std::replace(out.begin(), out.end(), '-', '_');
  return reserved_in_python.contains(out) || out.starts_with("hone_") ? out + "_" : out;
}

const char* torch_type(core::DType dtype) {
  switch (dtype) {
    case core::DType::f64:
      return "torch.float64";
    case core::DType::f32:
      return "torch.float32";
    case core::DType::f16:
      return "torch.float16";
    case core::DType::bf16:
      return "torch.bfloat16";
    case core::DType::i64:
      return "torch.int64";
    case core::DType::i32:
      return "torch.int32";
    case core::DType::i8:
      return "torch.int8";
    default:
      return "torch.uint8";
  }
}

std::string indented(const std::string& text, const std::string& by) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out += by + text.substr(at, end - at);
    out += "\n";
    at = end + 1;
  }
  return out;
}

std::string python_text(const std::string& text) {
  for (const std::string quote : {"\"\"\"", "'''"})
    if (text.find(quote) == std::string::npos && !text.empty() && text.back() == '\n')
      return "r" + quote + text + quote;
  std::string out = "(\n    \"";
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? "\\n\"\n    \"" : std::string(1, c);
  }
  return out + "\")";
}

}  // namespace hone::exports
