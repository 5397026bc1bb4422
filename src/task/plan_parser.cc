#include "task/plan_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "task/plan_args.h"
#include "task/plan_comment.h"
#include "task/toml_reader.h"

namespace hone::task {
namespace {

using core::Language;
using core::Plan;

// Far above what real plans have; they bound what a hostile one can ask of the tuner and the
// launcher.
constexpr std::size_t most_conditions = 64, most_tunables = 32, most_values = 1024,
                      most_scratch = 64, most_tensormaps = 32;
constexpr std::size_t most_launches = 256, most_args = 256, most_scratch_dimensions = 8,
                      most_tensormap_dimensions = 5;
constexpr std::int64_t largest_tune_space =
    std::int64_t{1} << 40;  // points; even a local search has no use for more

const std::vector<std::string> plan_keys = {"where", "tune", "scratch", "tensormap", "launch"};

class PlanParser {
 public:
  PlanParser(std::string_view toml, int lines_before, Language language, Complaints& complaints)
      : language_(language), read_(toml, lines_before, complaints) {}

  Plan run() {
    const auto table = read_.parse();
    if (!table) return {};
    const Section root{&*table, "the plan"};
    read_.only(root, plan_keys);
    plan_.where = read_.expressions(read_.find(root, "where"), "where", 0, most_conditions);
    if (const auto tune = read_.subsection(read_.find(root, "tune"), "[tune]")) tunables(*tune);
    for (const auto& section : read_.sections(root, "scratch", most_scratch)) scratch(section);
    for (const auto& section : read_.sections(root, "tensormap", most_tensormaps))
      tensormap(section);
    const auto launches = read_.sections(root, "launch", most_launches);
    if (launches.empty() && read_.find(root, "launch") == nullptr)
      read_.complain({read_.place(*table).line, 0},
                     "the plan has no [[launch]]: it says which kernel runs and how");
    for (const auto& section : launches) launch(section);
    return std::move(plan_);
  }

 private:
  void claim(const std::string& name, const std::string& what, base::Position at) {
    const auto [owner, fresh] = names_.try_emplace(name, what);
    if (!fresh)
      read_.complain(at,
                     fmt::format("there is already a {} called {}", owner->second, quote(name)));
  }

  // True where the language has the feature; otherwise says why not.
  bool offered(const Section& section, const std::string& key, const std::string& why) {
    if (language_ != Language::opencl || read_.find(section, key) == nullptr) return true;
    read_.complain(read_.key_place(section, key), fmt::format("'{}' is CUDA's: {}", key, why));
    return false;
  }

  void tunables(const Section& tune) {
    std::int64_t space = 1;
    const auto names = read_.keys_in_order(*tune.table);
    if (names.size() > most_tunables)
      read_.complain(read_.place(*tune.table),
                     fmt::format("there are {} tunables; {} at most", names.size(), most_tunables));
    for (std::size_t i = 0; i < names.size() && i < most_tunables; ++i) {
      const auto at = read_.key_place(tune, names[i]);
      if (const auto problem = name_problem(names[i]); !problem.empty())
        read_.complain(at, problem);
      claim(names[i], "tunable", at);
      tunable(names[i], *read_.find(tune, names[i]), at);
      if (plan_.tunables.empty() || plan_.tunables.back().name != names[i]) continue;
      if (__builtin_mul_overflow(
              space, static_cast<std::int64_t>(plan_.tunables.back().values.size()), &space) ||
          space > largest_tune_space)
        return read_.complain(
            at, fmt::format("the tune space has more than {} points: take fewer values",
                            largest_tune_space));
    }
  }

  void tunable(const std::string& name, const toml::node& node, base::Position at) {
    if (!node.is_table())
      return read_.complain(
          read_.place(node),
          fmt::format("a tunable is written {} = {{ values = [1, 2], default = 1 }}", quote(name)));
    const Section section{node.as_table(), fmt::format("the tunable {}", quote(name))};
    read_.only(section, {"values", "default"});
    core::Tunable tunable{name, {}, 0, at};
    const auto* values = read_.array(read_.need(section, "values"), "values");
    const auto* chosen = read_.need(section, "default");
    const auto value = read_.integer(chosen, "default");
    if (values == nullptr) return;
    if (values->empty() || values->size() > most_values)
      return read_.complain(read_.place(*values),
                            fmt::format("the tunable {} has {} values; it takes 1 to {}",
                                        quote(name), values->size(), most_values));
    for (const auto& item : *values) {
      const auto number = read_.integer(&item, "values");
      if (!number) return;
      if (std::find(tunable.values.begin(), tunable.values.end(), *number) != tunable.values.end())
        read_.complain(read_.place(item),
                       fmt::format("{} stands twice among the values of {}", *number, quote(name)));
      else
        tunable.values.push_back(*number);
    }
    if (!value) return;
    tunable.chosen = *value;
    if (std::find(tunable.values.begin(), tunable.values.end(), *value) == tunable.values.end())
      read_.complain(
          read_.place(*chosen),
          fmt::format("the default {} is not among the values of {}", *value, quote(name)));
    plan_.tunables.push_back(std::move(tunable));
  }

  void scratch(const Section& section) {
    read_.only(section, {"name", "dtype", "shape"}, plan_keys);
    core::Scratch scratch;
    scratch.at = read_.key_place(section, "name");
    if (const auto name = read_.name(section)) {
      scratch.name = *name;
      claim(*name, "scratch buffer", read_.inside(*read_.find(section, "name")));
    }
    if (const auto dtype = read_.dtype(read_.need(section, "dtype"), "dtype", true))
      scratch.dtype = *dtype;
    scratch.shape =
        read_.expressions(read_.need(section, "shape"), "shape", 1, most_scratch_dimensions);
    plan_.scratch.push_back(std::move(scratch));
  }

  void tensormap(const Section& section) {
    if (language_ == Language::opencl)
      return read_.complain(read_.place(*section.table),
                            "[[tensormap]] is CUDA's: OpenCL has no bulk tensor copy engine");
    read_.only(section,
               {"name", "tensor", "shape", "box", "element_strides", "swizzle", "interleave", "l2",
                "fill"},
               plan_keys);
    core::TensorMap map;
    map.at = read_.key_place(section, "name");
    if (const auto name = read_.name(section)) {
      map.name = *name;
      claim(*name, "tensor map", read_.inside(*read_.find(section, "name")));
    }
    if (const auto tensor = read_.name(section, "tensor")) map.tensor = *tensor;
    map.shape =
        read_.expressions(read_.find(section, "shape"), "shape", 1, most_tensormap_dimensions);
    map.box = read_.expressions(read_.need(section, "box"), "box", 1, most_tensormap_dimensions);
    map.element_strides = read_.expressions(read_.find(section, "element_strides"),
                                            "element_strides", 1, most_tensormap_dimensions);
    same_rank(section, "box", map.box, map.shape);
    same_rank(section, "element_strides", map.element_strides,
              map.shape.empty() ? map.box : map.shape);
    map.swizzle = bytes(section, "swizzle", {"none", "32B", "64B", "128B"});
    map.interleave = bytes(section, "interleave", {"none", "16B", "32B"});
    map.l2 = bytes(section, "l2", {"none", "64B", "128B", "256B"});
    if (const auto fill = read_.one_of(read_.find(section, "fill"), "fill", {"zero", "nan"}))
      map.fill_nan = *fill == "nan";
    plan_.tensormaps.push_back(std::move(map));
  }

  void same_rank(const Section& section, const std::string& key,
                 const std::vector<core::PlanExpr>& list,
                 const std::vector<core::PlanExpr>& shape) {
    if (!list.empty() && !shape.empty() && list.size() != shape.size())
      read_.complain(read_.key_place(section, key),
                     fmt::format("'{}' has {} dimensions, but the tensor map {}", key, list.size(),
                                 shape.size()));
  }

  int bytes(const Section& section, const std::string& key,
            const std::vector<std::string>& allowed) {
    const auto word = read_.one_of(read_.find(section, key), key, allowed);
    return word && *word != "none" ? std::stoi(*word) : 0;
  }

  void launch(const Section& section) {
    if (read_.find(section, "op") != nullptr) return operation(section);
    read_.only(
        section,
        {"kernel", "when", "repeat", "grid", "block", "shared", "cluster", "cooperative", "args"},
        plan_keys);
    core::Launch launch;
    launch.at = read_.place(*section.table);
    const auto* kernel = read_.need(section, "kernel");
    if (const auto name = read_.string(kernel, "kernel")) {
      launch.kernel = *name;
      if (!is_identifier(*name))
        read_.complain(read_.inside(*kernel),
                       fmt::format("{} is not the name of a kernel", quote(*name)));
      else if (names_.contains(*name) && names_[*name] == "tunable")
        read_.complain(
            read_.inside(*kernel),
            fmt::format("{} is also a tunable, whose macro would rename the kernel", quote(*name)));
    }
    launch.when = read_.expression(read_.find(section, "when"), "when");
    launch.repeat = read_.expression(read_.find(section, "repeat"), "repeat");
    launch.grid = read_.expressions(read_.need(section, "grid"), "grid", 1, 3);
    launch.block = read_.expressions(read_.need(section, "block"), "block", 1, 3);
    if (offered(section, "shared", "OpenCL takes local buffers as arguments, \"local:BYTES\""))
      launch.shared = read_.expression(read_.find(section, "shared"), "shared");
    if (offered(section, "cluster", "OpenCL has no clusters of work-groups"))
      launch.cluster = read_.expressions(read_.find(section, "cluster"), "cluster", 1, 3);
    if (offered(section, "cooperative",
                "OpenCL does not promise that all work-groups are resident at once"))
      launch.cooperative =
          read_.boolean(read_.find(section, "cooperative"), "cooperative").value_or(false);
    if (const auto* args = read_.array(read_.need(section, "args"), "args")) {
      if (args->size() > most_args)
        return read_.complain(read_.place(*args), fmt::format("there are {} arguments; {} at most",
                                                              args->size(), most_args));
      for (const auto& item : *args)
        if (auto arg = read_argument(read_, item, names_, language_))
          launch.args.push_back(std::move(*arg));
    }
    plan_.launches.push_back(std::move(launch));
  }

  // A library's operation: arguments as they are written in Python, and the buffers that take its
  // results.
  void operation(const Section& section) {
    read_.only(section, {"op", "when", "repeat", "args", "words", "out", "tf32"}, plan_keys);
    core::Launch launch;
    launch.is_operation = true;
    launch.at = read_.place(*section.table);
    const auto* op = read_.find(section, "op");
    if (const auto name = read_.string(op, "op")) {
      launch.kernel = *name;
      if (!is_operation_name(*name))
        read_.complain(
            read_.inside(*op),
            fmt::format("{} is no operation: they are named like \"aten.mm\" or \"aten.max.dim\"",
                        quote(*name)));
    }
    launch.when = read_.expression(read_.find(section, "when"), "when");
    launch.repeat = read_.expression(read_.find(section, "repeat"), "repeat");
    launch.tf32 = read_.boolean(read_.find(section, "tf32"), "tf32").value_or(false);
    if (const auto* args = read_.array(read_.need(section, "args"), "args"))
      launch.args = read_operation_arguments(read_, *args, names_, most_args);
    if (const auto words = read_.subsection(read_.find(section, "words"), "words"))
      for (const auto& name : read_.keys_in_order(*words->table))
        if (auto arg = read_operation_argument(read_, *read_.find(*words, name), names_, most_args))
          launch.words.emplace(name, std::move(*arg));
    outputs(section, launch);
    plan_.launches.push_back(std::move(launch));
  }

  void outputs(const Section& section, core::Launch& launch) {
    const auto* out = read_.need(section, "out");
    if (out == nullptr) return;
    const auto take = [&](const toml::node& node) {
      if (const auto name = read_.string(&node, "out")) launch.out.push_back(*name);
    };
    if (!out->is_array()) return take(*out);
    for (const auto& item : *out->as_array()) take(item);
    if (launch.out.empty())
      read_.complain(read_.place(*out), "'out' names the buffer that takes the result");
  }

  Language language_;
  TomlReader read_;
  Plan plan_;
  std::map<std::string, std::string> names_;  // what each name of the plan is
};

}  // namespace

base::Result<Plan, Diagnostics> parse_plan(std::string_view source, const std::string& file,
                                           Language language) {
  Complaints complaints(file);
  Plan plan;
  if (const auto comment = find_plan(source, complaints))
    plan = PlanParser(comment->toml, comment->lines_before, language, complaints).run();
  if (!complaints.empty()) return base::Failure{complaints.take()};
  return plan;
}

}  // namespace hone::task
