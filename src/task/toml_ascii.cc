#include "task/toml_ascii.h"

#include <fmt/format.h>

namespace hone::task {
namespace {

constexpr int most_dots = 16;  // in a key; ours have two

// Knows just enough TOML to tell strings and comments from the rest.
class Rewriter {
 public:
  explicit Rewriter(std::string_view toml) : toml_(toml) {}

  AsciiToml run() {
    int dots = 0;
    while (at_ < toml_.size() && out_.problem.empty()) {
      const char c = toml_[at_];
      if (c == '#')
        comment();
      else if (c == '"' || c == '\'')
        quoted_text();
      else if (!ascii(c))
        complain("this is not TOML: outside of quotes and comments there is only ASCII");
      else if (c == '.' && ++dots >= most_dots)
        complain(fmt::format("a key of more than {} parts", most_dots));
      else
        copy();
      if (c == '#' || std::string_view("\n=,{}[]").find(c) != std::string_view::npos) dots = 0;
    }
    out_.origin.push_back(toml_.size());
    return std::move(out_);
  }

 private:
  static bool ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

  void complain(std::string problem) {
    out_.problem = std::move(problem);
    out_.problem_at = at_;
  }

  void put(std::string_view text) {
    out_.text += text;
    out_.origin.resize(out_.text.size(), at_);
  }
  void copy() {
    put(toml_.substr(at_, 1));
    ++at_;
  }

  void comment() {
    while (at_ < toml_.size() && toml_[at_] != '\n' && out_.problem.empty()) {
      if (ascii(toml_[at_]))
        copy();
      else
        character(false);
    }
  }

  // From the opening quote to the last closing one.
  void quoted_text() {
    const char quote = toml_[at_];
    const bool basic = quote == '"', triple = toml_.substr(at_, 3) == std::string(3, quote);
    const std::string end(triple ? 3 : 1, quote);
    for (std::size_t i = 0; i < end.size(); ++i) copy();
    while (at_ < toml_.size() && out_.problem.empty()) {
      if (toml_[at_] == '\n' && !triple) return;  // malformed, as toml++ will say
      if (toml_.substr(at_, end.size()) == end) {
        do copy();
        while (triple && at_ < toml_.size() &&
               toml_[at_] == quote);  // two more quotes may belong to the text
        return;
      }
      if (basic && toml_[at_] == '\\') {
        copy();
        if (at_ < toml_.size() && !ascii(toml_[at_]))
          complain("a backslash must be followed by a letter, a quote or a backslash");
        else if (at_ < toml_.size())
          copy();
      } else if (ascii(toml_[at_])) {
        copy();
      } else if (basic) {
        character(true);
      } else {
        complain("write text outside ASCII in double quotes");
      }
    }
  }

  // One character outside ASCII, as an escape or as a question mark.
  void character(bool escape) {
    const auto byte = [&](std::size_t i) {
      return at_ + i < toml_.size() ? static_cast<unsigned char>(toml_[at_ + i]) : 0u;
    };
    const unsigned first = byte(0);
    const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                               : (first & 0xf0) == 0xe0        ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0) return complain("this is not UTF-8: save the file as UTF-8 text");
    unsigned code = first & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(i) & 0xc0) != 0x80)
        return complain("this is not UTF-8: save the file as UTF-8 text");
      code = code << 6 | (byte(i) & 0x3f);
    }
    put(escape ? fmt::format("\\U{:08X}", code) : "?");
    at_ += length;
  }

  std::string_view toml_;
  std::size_t at_ = 0;
  AsciiToml out_;
};

}  // namespace

AsciiToml to_ascii(std::string_view toml) { return Rewriter(toml).run(); }

}  // namespace hone::task
