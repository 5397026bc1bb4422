#pragma once
// Reads the [[input]], [[output]] and [[scalar]] sections of a task.toml. A part of the task
// parser.
#include <set>
#include <string>
#include <vector>

#include "task/task_cases.h"
#include "task/toml_reader.h"

namespace hone::task {

extern const std::vector<std::string> task_keys;  // of the top level

class TensorParser {
 public:
  // `names` are those of all tensors and scalars; all belong to the caller.
  TensorParser(TomlReader& read, core::Task& task, TaskPlaces& places, std::set<std::string>& names)
      : read_(read), task_(task), places_(places), names_(names) {}
  void input(const Section& section);
  void output(const Section& section);
  void scalar(const Section& section);

 private:
  std::string own_name(const Section& section);
  std::vector<base::Expr> shape(const Section& section, const std::string& name);
  void draw(const toml::node* node, core::Input& input, bool is_integer);
  void integers(const Section& section, core::Input& input);
  void ends(const Section& section, core::Input& input);
  void by_problem(const Section& section, core::Input& input);
  void variants(const toml::node* node, core::Input& input, bool is_integer);
  std::optional<double> bound(const Section& tolerance, const std::string& key);

  TomlReader& read_;
  core::Task& task_;
  TaskPlaces& places_;
  std::set<std::string>& names_;
};

}  // namespace hone::task
