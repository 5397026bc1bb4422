#pragma once
// Reads one TOML text and complains about it with places in the file it came from (a plan stands
// inside a comment). Shared by the plan parser and the task loader; heavy, so only .cc files of
// this module include it.
#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan.h"
#include "task/complaints.h"
#include "task/toml_ascii.h"

namespace hone::task {

// A table and what to call it in messages: "[[launch]]".
struct Section {
  const toml::table* table = nullptr;
  std::string title;
};

class TomlReader {
 public:
  // `lines_before`: how many lines of the file precede the text.
  TomlReader(std::string_view text, int lines_before, Complaints& complaints);

  // Nothing if the text is malformed, which has then been said.
  std::optional<toml::table> parse();

  base::Position place(const toml::node& node) const;  // of its first character
  base::Position inside(
      const toml::node& node) const;  // of a string's first character behind the quote
  base::Position key_place(const Section& section, std::string_view key) const;
  std::size_t byte_offset(const toml::node& node) const;  // into the text

  // Complains about keys that are not known; `elsewhere` are keys of the top level, for a hint.
  void only(const Section& section, const std::vector<std::string>& known,
            const std::vector<std::string>& elsewhere = {});
  const toml::node* find(const Section& section, std::string_view key) const {
    return section.table->get(key);
  }
  const toml::node* need(const Section& section, std::string_view key);
  std::vector<Section> sections(const Section& root, const std::string& key,
                                std::size_t most);  // [[key]]
  std::optional<Section> subsection(const toml::node* node, const std::string& title);
  std::vector<std::string> keys_in_order(const toml::table& table) const;  // as written

  // Each takes a node or null (then nothing), complains about a wrong type, and calls the value
  // `what`.
  std::optional<std::string> string(const toml::node* node, const std::string& what);
  std::optional<std::int64_t> integer(const toml::node* node, const std::string& what);
  std::optional<double> number(const toml::node* node, const std::string& what);  // finite
  std::optional<bool> boolean(const toml::node* node, const std::string& what);
  const toml::array* array(const toml::node* node, const std::string& what);
  std::optional<core::DType> dtype(const toml::node* node, const std::string& what, bool tensor);
  std::optional<std::string> one_of(const toml::node* node, const std::string& what,
                                    const std::vector<std::string>& allowed);
  std::optional<core::PlanExpr> expression(const toml::node* node, const std::string& what);
  std::vector<core::PlanExpr> expressions(const toml::node* node, const std::string& what,
                                          std::size_t least, std::size_t most);
  std::optional<std::string> name(const Section& section,
                                  const std::string& key = "name");  // obeys name_problem

  // "?" is what `hone task new --from` writes where a person has to decide. True if the node is
  // one, which has then been said.
  bool unfinished(const toml::node& node, const std::string& what);
  void complain(base::Position at, std::string message) { complaints_.add(at, std::move(message)); }

 private:
  base::Position position(toml::source_position at) const;
  base::Position position(std::size_t offset) const;
  std::size_t offset_of(toml::source_position at) const;
  int stumbling_line() const;
  void wrong_type(const toml::node& node, const std::string& what, const std::string& wanted);

  std::string_view text_;
  AsciiToml ascii_;
  int lines_before_;
  Complaints& complaints_;
  std::vector<std::size_t> line_starts_, ascii_line_starts_;
};

}  // namespace hone::task
