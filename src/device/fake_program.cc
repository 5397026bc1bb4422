#include "device/fake_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

#include "base/expr.h"

namespace hone::device {
namespace {

enum class Value { none, integer, real };
struct Word {
  std::string_view word;
  Value value = Value::none;
};
// What a kernel of the fake can do: compute something right or wrong, misbehave in one way, or take
// a time that is written down.
constexpr Word words[] = {{"copy"},
                          {"scale", Value::real},
                          {"zeros"},
                          {"half"},
                          {"noise", Value::real},
                          {"nan"},
                          {"stale"},
                          {"by_address"},
                          {"by_sample"},
                          {"nothing"},
                          {"overrun"},
                          {"underrun"},
                          {"scribble"},
                          {"thread"},
                          {"trespass"},
                          {"crash"},
                          {"abort"},
                          {"hang"},
                          {"exhaust"},
                          {"fork"},
                          {"fail"},
                          {"ns", Value::integer},
                          {"wall", Value::integer},
                          {"drift", Value::real},
                          {"jitter", Value::real},
                          {"process", Value::real},
                          {"place", Value::real},
                          {"real"},
                          {"spin", Value::integer},
                          {"warm", Value::integer},
                          {"halves", Value::integer},
                          {"after", Value::integer},
                          {"every", Value::integer},
                          {"first", Value::integer}};

struct Type {
  std::string_view name;
  KernelParameter::Kind kind;
  std::uint64_t bytes;
};
constexpr Type types[] = {{"buffer", KernelParameter::Kind::buffer, 8},
                          {"int", KernelParameter::Kind::scalar, 4},
                          {"long", KernelParameter::Kind::scalar, 8},
                          {"float", KernelParameter::Kind::scalar, 4},
                          {"double", KernelParameter::Kind::scalar, 8}};

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (const char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

// Comments become spaces, so that lines keep their numbers.
std::string without_comments(std::string source) {
  for (std::size_t at = source.find("/*"); at != std::string::npos; at = source.find("/*", at)) {
    const std::size_t end = std::min(source.find("*/", at + 2), source.size() - 2) + 2;
    for (; at < end; ++at)
      if (source[at] != '\n') source[at] = ' ';
  }
  return source;
}

class Parser {
 public:
  explicit Parser(const std::vector<std::pair<std::string, std::string>>& defines) {
    for (const auto& [name, value] : defines) {
      std::int64_t number = 0;
      if (std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc{})
        symbols_[name] = number;
    }
  }

  // The text is what is wrong with the line; "" if it is good.
  std::string line(const std::string& text, FakeProgram& program) const {
    std::istringstream in(text);
    std::string keyword;
    in >> keyword;
    if (keyword == "global") {
      std::string name;
      in >> name;
      if (!is_name(name)) return "a global needs a name";
      program.globals.push_back(name);
      return "";
    }
    if (keyword != "kernel") return fmt::format("'{}' is neither kernel nor global", keyword);
    const std::size_t open = text.find('('), close = text.find(')');
    if (open == std::string::npos || close == std::string::npos || close < open)
      return "a kernel is written: kernel NAME(PARAMETERS) BEHAVIOUR...";
    const std::size_t start = text.find(keyword) + keyword.size();
    FakeKernel kernel{
        .info = {.name = trimmed(std::string_view(text).substr(start, open - start))}};
    if (!is_name(kernel.info.name))
      return fmt::format("'{}' is no name for a kernel", kernel.info.name);
    for (const FakeKernel& other : program.kernels)
      if (other.info.name == kernel.info.name)
        return fmt::format("there are two kernels '{}'", kernel.info.name);
    if (std::string error = parameters(text.substr(open + 1, close - open - 1), kernel);
        !error.empty())
      return error;
    if (std::string error = behaviours(text.substr(close + 1), kernel); !error.empty())
      return error;
    program.kernels.push_back(std::move(kernel));
    return "";
  }

 private:
  static std::string parameters(const std::string& text, FakeKernel& kernel) {
    if (trimmed(text).empty()) return "";
    std::istringstream in(text + ",");
    for (std::string part; std::getline(in, part, ',');) {
      const std::string name = trimmed(part);
      const auto* type = std::find_if(std::begin(types), std::end(types),
                                      [&](const Type& row) { return row.name == name; });
      if (type == std::end(types))
        return fmt::format("'{}' is no parameter type (buffer, int, long, float, double)", name);
      kernel.info.parameters.push_back({.kind = type->kind,
                                        .bytes = type->bytes,
                                        .type = name,
                                        .name = fmt::format("p{}", kernel.info.parameters.size())});
    }
    return "";
  }

  std::string behaviours(const std::string& text, FakeKernel& kernel) const {
    std::istringstream in(text);
    for (std::string part; in >> part;) {
      const std::size_t equals = part.find('=');
      const std::string word = part.substr(0, equals),
                        value = equals == std::string::npos ? "" : part.substr(equals + 1);
      const auto* known = std::find_if(std::begin(words), std::end(words),
                                       [&](const Word& row) { return row.word == word; });
      if (known == std::end(words)) return fmt::format("'{}' is no behaviour", word);
      if ((known->value == Value::none) != value.empty())
        return fmt::format("'{}' {} a value", word, value.empty() ? "needs" : "takes no");
      FakeBehaviour behaviour{.word = word};
      if (known->value == Value::real) {
        const auto [end, error] =
            std::from_chars(value.data(), value.data() + value.size(), behaviour.value);
        if (error != std::errc{} || end != value.data() + value.size())
          return fmt::format("'{}' is no number", value);
      } else if (known->value == Value::integer) {
        const auto expression = base::Expr::parse(value);
        if (!expression) return fmt::format("'{}': {}", value, expression.error().message);
        const auto number = expression->evaluate(symbols_);
        if (!number) return fmt::format("'{}': {}", value, number.error().message);
        behaviour.value = static_cast<double>(*number);
      }
      kernel.behaviours.push_back(std::move(behaviour));
    }
    return "";
  }

  base::Bindings symbols_;
};

}  // namespace

base::Result<FakeProgram> parse_fake(
    const std::string& source, const std::string& name,
    const std::vector<std::pair<std::string, std::string>>& defines) {
  const Parser parser(defines);
  FakeProgram program;
  std::string log;
  std::istringstream in(without_comments(source));
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    text = trimmed(text);
    if (text.empty() || text.starts_with("//")) continue;
    if (const std::string error = parser.line(text, program); !error.empty())
      log += fmt::format("{}:{}: error: {}\n", name, number, error);
  }
  if (log.empty() && program.kernels.empty()) log = name + ": error: there is no kernel\n";
  if (!log.empty()) return base::Failure{log};
  return program;
}

std::string write_fake(const FakeProgram& program) {
  std::string text;
  for (const FakeKernel& kernel : program.kernels) {
    std::string parameters;
    for (const KernelParameter& parameter : kernel.info.parameters)
      parameters += (parameters.empty() ? "" : ", ") + parameter.type;
    text += fmt::format("kernel {}({})", kernel.info.name, parameters);
    for (const FakeBehaviour& behaviour : kernel.behaviours) {
      const auto* known = std::find_if(std::begin(words), std::end(words),
                                       [&](const Word& row) { return row.word == behaviour.word; });
      if (known->value == Value::none) text += " " + behaviour.word;
      if (known->value == Value::integer)
        text += fmt::format(" {}={}", behaviour.word, static_cast<std::int64_t>(behaviour.value));
      if (known->value == Value::real)
        text += fmt::format(" {}={}", behaviour.word, behaviour.value);
    }
    text += "\n";
  }
  return text;
}

}  // namespace hone::device
