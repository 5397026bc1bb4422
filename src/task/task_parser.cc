#include "task/task_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/precision.h"
#include "task/task_cases.h"
#include "task/task_tensors.h"
#include "task/toml_reader.h"

namespace hone::task {
namespace {

// Far above what real tasks have.
constexpr std::size_t most_tensors = 1024, most_scalars = 64, most_symbols = 512;
constexpr std::int64_t newest_format = 1;

const std::vector<std::string> flop_kinds = {"f64", "f32", "tf32", "f16", "bf16", "i8"};

class TaskParser {
 public:
  TaskParser(std::string_view toml, Complaints& complaints, core::Task& task)
      : complaints_(complaints), read_(toml, 0, complaints), task_(task) {}

  void run() {
    const auto table = read_.parse();
    if (!table) return;
    const Section root{&*table, "task.toml"};
    if (!known_format(root)) return;
    read_.only(root, task_keys);
    read_.one_of(read_.find(root, "kind"), "kind", {"device", "external"});
    header(root);
    reference(root);
    const auto inputs = read_.sections(root, "input", most_tensors),
               outputs = read_.sections(root, "output", most_tensors);
    if (read_.find(root, "input") == nullptr)
      read_.complain({}, "there is no [[input]]: without one the answer would never change");
    if (read_.find(root, "output") == nullptr)
      read_.complain({}, "there is no [[output]]: a task computes something");
    TensorParser tensors(read_, task_, places_, names_);
    for (const auto& section : inputs) tensors.input(section);
    for (const auto& section : outputs) tensors.output(section);
    for (const auto& section : read_.sections(root, "scalar", most_scalars))
      tensors.scalar(section);
    if (read_.find(root, "case") == nullptr)
      read_.complain({}, "there is no [[case]]: cases give the symbols their values");
    for (const auto& section : read_.sections(root, "case", most_cases)) a_case(section);
    work(root);
    if (const auto* list = read_.array(read_.find(root, "weak"), "weak"))
      for (const auto& item : *list)
        if (const auto text = read_.string(&item, "weak")) task_.weak.push_back(*text);
    const auto* wanted = read_.find(root, "class");
    if (const auto name = read_.one_of(
            wanted, "class", {core::precision_classes.begin(), core::precision_classes.end()})) {
      task_.wanted_class = *name;
      if (!core::has_classes(task_))
        read_.complain(read_.inside(*wanted),
                       "classes of precision are for problems of KernelBench's kind");
    }
    check_own_draws(root);
    name_cases();
    check_cases(task_, places_, complaints_);
  }

 private:
  bool known_format(const Section& root) {
    const auto* node = root.table->get("hone");
    if (node == nullptr) {
      read_.complain({1, 1},
                     "the version of the format is missing: a task.toml starts with hone = 1");
      return true;
    }
    const auto version = read_.integer(node, "hone");
    if (!version || *version == newest_format) return true;
    read_.complain(
        read_.place(*node),
        *version > newest_format
            ? fmt::format("the task is of format {}, newer than this hone knows ({}): update hone",
                          *version, newest_format)
            : fmt::format("there is no task format {}: write hone = 1", *version));
    return *version < newest_format;
  }

  void header(const Section& root) {
    const auto* node = need_at_top(root, "name");
    if (const auto name = read_.string(node, "name")) {
      task_.name = *name;
      if (!good_label(*name))
        read_.complain(
            read_.inside(*node),
            fmt::format("{} cannot be a task's name: it has letters, digits, - and _, {} at most",
                        quote(*name), longest_name));
    }
    node = need_at_top(root, "summary");
    if (const auto summary = read_.string(node, "summary")) {
      task_.summary = *summary;
      if (summary->find_first_not_of(" \n\t") == std::string::npos)
        read_.complain(read_.place(*node),
                       "the summary is empty: one sentence says what is computed");
    }
  }

  // Which function of reference.py is the reference, and what of it cannot be told by calling it.
  void reference(const Section& root) {
    const auto* node = read_.find(root, "reference");
    const auto section = read_.subsection(node, "[reference]");
    if (!section) return;
    read_.only(*section, {"function", "inputs", "numpy", "double", "precision", "seconds"},
               task_keys);
    auto& function = task_.function.emplace();
    if (const auto name = read_.string(read_.need(*section, "function"), "function"))
      function.function = *name;
    if (const auto name = read_.string(read_.find(*section, "inputs"), "inputs"))
      function.inputs = *name;
    function.numpy = read_.boolean(read_.find(*section, "numpy"), "numpy").value_or(false);
    function.in_double = read_.boolean(read_.find(*section, "double"), "double").value_or(true);
    function.any_precision =
        read_.one_of(read_.find(*section, "precision"), "precision", {"any"}).has_value();
    const auto* limit = read_.find(*section, "seconds");
    if (const auto seconds = read_.number(limit, "seconds")) {
      function.seconds = *seconds;
      if (*seconds <= 0)
        read_.complain(read_.place(*limit), "'seconds' is the limit of a call, and more than 0");
    }
    if (!task_.reference_py)
      read_.complain(
          read_.place(*section->table),
          "[reference] names a function of reference.py, and the folder has no such file");
    else if (!task_.interface)
      read_.complain(read_.place(*section->table),
                     "there is no interface.json, which says how the function is called (`hone "
                     "task new NAME --from kernel.py` writes one)");
  }

  // What only the reference draws needs a function that does.
  void check_own_draws(const Section& root) {
    if (!task_.function || !task_.function->inputs.empty()) return;
    for (const auto& input : task_.inputs)
      if (input.draw.kind == core::DrawKind::problem)
        return read_.complain(
            read_.key_place(root, "reference"),
            fmt::format("{} is drawn by reference.py itself, so [reference] names the function "
                        "that does: inputs = \"example_inputs\"",
                        quote(input.name)));
  }

  const toml::node* need_at_top(const Section& root, const char* key) {
    const auto* node = root.table->get(key);
    if (node == nullptr)
      read_.complain(
          {1, 1},
          fmt::format("there is no '{}': write {} = \"...\" above the first [section]", key, key));
    return node;
  }

  static bool good_label(std::string_view name) {
    return !name.empty() && name.size() <= longest_name && name[0] != '-' &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) {
             return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-');
           });
  }

  void a_case(const Section& section) {
    read_.only(section, {"name", "bind", "device", "use", "reference"}, task_keys);
    core::Case which;
    CasePlace place{read_.place(*section.table), {}, {}, true};
    if (const auto* node = read_.find(section, "name")) {
      if (const auto name = read_.string(node, "name")) {
        which.name = *name;
        place.name = read_.inside(*node);
        if (!good_label(*name))
          read_.complain(
              place.name,
              fmt::format("{} cannot be a case's name: it has letters, digits, - and _, {} at most",
                          quote(*name), longest_name));
      }
    }
    place.bound = bind(section, which, place);
    if (const auto device =
            read_.one_of(read_.find(section, "device"), "device", {"cpu", "gpu", "cuda", "opencl"}))
      which.device = *device;
    which.timed = !read_.one_of(read_.find(section, "use"), "use", {"check"});
    if (read_.one_of(read_.find(section, "reference"), "reference", {"device"}))
      which.device_reference = true;
    if (which.device_reference) place.reference = read_.key_place(section, "reference");
    task_.cases.push_back(std::move(which));
    places_.cases.push_back(place);
  }

  // False where the bindings could not be read.
  bool bind(const Section& section, core::Case& which, CasePlace& place) {
    const auto* node = read_.need(section, "bind");
    const auto table = read_.subsection(node, "bind");
    if (!table) return false;
    place.at = read_.place(*node);
    const auto symbols = read_.keys_in_order(*table->table);
    if (symbols.empty() || symbols.size() > most_symbols) {
      read_.complain(place.at, fmt::format("'bind' has {} symbols; it takes 1 to {}",
                                           symbols.size(), most_symbols));
      return false;
    }
    bool good = true;
    for (const auto& symbol : symbols) {
      const auto at = read_.key_place(*table, symbol);
      if (const auto problem = name_problem(symbol);
          !problem.empty() && complained_.insert(symbol).second)
        read_.complain(at, problem);
      if (names_.contains(symbol) && complained_.insert(symbol).second)
        read_.complain(at,
                       fmt::format("{} is already the name of a tensor or scalar", quote(symbol)));
      const auto value = read_.integer(read_.find(*table, symbol), symbol);
      good = good && value.has_value();
      which.bindings[symbol] = value.value_or(1);
    }
    place.symbols = symbols;
    return good;
  }

  // A case without a name is called by its bindings, and by its device where another case has the
  // same ones.
  void name_cases() {
    for (std::size_t i = 0; i < task_.cases.size(); ++i) {
      auto& which = task_.cases[i];
      if (!which.name.empty()) continue;
      for (const auto& symbol : places_.cases[i].symbols)
        which.name +=
            fmt::format("{}{}={}", which.name.empty() ? "" : ",", symbol, which.bindings[symbol]);
      const auto twin = [&](const core::Case& other) {
        return &other != &which && other.bindings == which.bindings;
      };
      if (!which.device.empty() && std::any_of(task_.cases.begin(), task_.cases.end(), twin))
        which.name += "@" + which.device;
    }
  }

  void work(const Section& root) {
    const auto* node = read_.find(root, "work");
    if (node == nullptr)
      return read_.complain(
          {}, "there is no [work]: it says how many bytes and operations any implementation needs");
    const auto section = read_.subsection(node, "[work]");
    if (!section) return;
    read_.only(*section, {"bytes", "flops", "uncounted"}, task_keys);
    if (const auto bytes = read_.expression(read_.need(*section, "bytes"), "bytes")) {
      task_.work.bytes = bytes->expr;
      places_.bytes = *bytes;
    }
    if (const auto* list = read_.array(read_.find(*section, "uncounted"), "uncounted"))
      for (const auto& item : *list)
        if (const auto name = read_.string(&item, "uncounted"))
          task_.work.uncounted.push_back(*name);
    const auto flops = read_.subsection(read_.find(*section, "flops"), "flops");
    if (!flops) return;
    read_.only(*flops, flop_kinds);
    for (const auto& kind : flop_kinds) {
      const auto expr = read_.expression(read_.find(*flops, kind), kind);
      if (!expr) continue;
      task_.work.flops[kind] = expr->expr;
      places_.flops.emplace_back(kind, *expr);
    }
  }

  Complaints& complaints_;
  TomlReader read_;
  core::Task& task_;
  std::set<std::string> names_, complained_;
  TaskPlaces places_;
};

}  // namespace

Diagnostics parse_task(std::string_view toml, const std::string& file, core::Task& task) {
  Complaints complaints(file);
  TaskParser(toml, complaints, task).run();
  return complaints.take();
}

}  // namespace hone::task
