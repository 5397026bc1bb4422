#include "device/ptx_scan.h"

namespace hone::device {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_in_name(char c) {
  return c == '_' || c == '$' || c == '%' || (c >= '0' && c <= '9') ||
         ((c | 32) >= 'a' && (c | 32) <= 'z');
}

// As much of PTX as tells statements apart: the text is a compiler's, so nothing is checked, but a
// hostile source can make it odd, so nothing is read past its end.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<PtxStatement> scan() {
    while (skip_blank()) next();
    return std::move(found_);
  }

 private:
  using Kind = PtxStatement::Kind;

  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void skip_to(std::string_view end) { at_ = std::min(text_.find(end, at_), text_.size()); }

  // False: the end.
  bool skip_blank() {
    while (at_ < text_.size()) {
      if (is_space(text_[at_]))
        ++at_;
      else if (starts("//"))
        skip_to("\n");
      else if (starts("/*"))
        skip_to("*/"), at_ = std::min(at_ + 2, text_.size());
      else
        return true;
    }
    return false;
  }

  void add(Kind kind, std::size_t from, std::string_view text) {
    found_.push_back({kind, from, text, {}});
  }

  void next() {
    const std::size_t from = at_;
    const char c = text_[at_];
    if (c == '{' || c == '}') {
      ++at_;
      return add(c == '{' ? Kind::open : Kind::close, from, text_.substr(from, 1));
    }
    if (c == '.') return directive();
    if (c == ';') {
      ++at_;
      return;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_in_name(text_[end])) ++end;
    if (end > at_ && end < text_.size() && text_[end] == ':' && text_.substr(end, 2) != "::") {
      at_ = end + 1;
      return add(Kind::label, from, text_.substr(from, end - from));
    }
    instruction();
  }

  // Some end with their line, one that begins a body with its brace, the others with a semicolon or
  // an initialiser's.
  void directive() {
    const std::size_t from = at_;
    for (const char* line : {".loc", ".file", ".version", ".target", ".address_size", ".section"})
      if (starts(line)) {
        if (starts(".section"))
          skip_to("}"), ++at_;
        else
          skip_to("\n");
        return add(Kind::directive, from, text_.substr(from, at_ - from));
      }
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == ';') break;
      if (text_[at_] != '{') continue;
      const std::string_view before = text_.substr(from, at_ - from);
      if (before.find('=') == std::string_view::npos && before.find('(') != std::string_view::npos)
        break;  // a body
      if (before.find('=') == std::string_view::npos &&
          before.find(".entry") != std::string_view::npos)
        break;
      skip_to("}");
    }
    add(Kind::directive, from, text_.substr(from, at_ - from));
    if (at_ < text_.size() && text_[at_] == ';') ++at_;
  }

  void instruction() {
    const std::size_t from = at_;
    if (text_[at_] == '@') {
      while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
      skip_blank();
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != ';') ++at_;
    const std::string_view text = text_.substr(begin, at_ - begin);
    std::size_t end = 0;
    while (end < text.size() && (is_in_name(text[end]) || text[end] == '.' || text[end] == ':'))
      ++end;
    found_.push_back({Kind::instruction, from, text, text.substr(0, end)});
    if (at_ < text_.size()) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<PtxStatement> found_;
};

}  // namespace

std::vector<PtxStatement> ptx_statements(std::string_view ptx) { return Scanner(ptx).scan(); }

}  // namespace hone::device
