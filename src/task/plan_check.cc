#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/device_info.h"
#include "task/plan_parser.h"

namespace hone::task {
namespace {

// What a name means for this task and plan. A plan's own names and the task's must differ.
enum class Meaning {
  symbol,
  integer_scalar,
  float_scalar,
  tensor,
  tunable,
  scratch,
  tensormap,
  device_fact
};

std::string describe(Meaning meaning) {
  switch (meaning) {
    case Meaning::symbol:
      return "a symbol of the task's cases";
    case Meaning::integer_scalar:
    case Meaning::float_scalar:
      return "a scalar of the task";
    case Meaning::tensor:
      return "a tensor of the task";
    case Meaning::tunable:
      return "a tunable";
    case Meaning::scratch:
      return "a scratch buffer";
    case Meaning::tensormap:
      return "a tensor map";
    default:
      return "a fact of the device";
  }
}

bool is_integer(Meaning meaning) {
  return meaning == Meaning::symbol || meaning == Meaning::integer_scalar ||
         meaning == Meaning::tunable || meaning == Meaning::device_fact;
}
bool is_buffer(Meaning meaning) {
  return meaning == Meaning::tensor || meaning == Meaning::scratch;
}

class PlanCheck {
 public:
  PlanCheck(core::Plan& plan, const core::Task& task, const std::string& file)
      : plan_(plan), task_(task), complaints_(file) {
    for (const auto& name : core::device_symbol_names) names_.emplace(name, Meaning::device_fact);
    if (!task.cases.empty())
      for (const auto& [name, value] : task.cases.front().bindings)
        names_.emplace(name, Meaning::symbol);
    for (const auto& scalar : task.scalars)
      names_.emplace(scalar.name,
                     scalar.expression ? Meaning::integer_scalar : Meaning::float_scalar);
    for (const auto& input : task.inputs) names_.emplace(input.name, Meaning::tensor);
    for (const auto& output : task.outputs) names_.emplace(output.name, Meaning::tensor);
  }

  Diagnostics run() {
    for (const auto& tunable : plan_.tunables) claim(tunable.name, Meaning::tunable, tunable.at);
    for (const auto& scratch : plan_.scratch) claim(scratch.name, Meaning::scratch, scratch.at);
    for (const auto& map : plan_.tensormaps) claim(map.name, Meaning::tensormap, map.at);
    for (const auto& condition : plan_.where) where(condition);
    for (const auto& scratch : plan_.scratch) all(scratch.shape);
    for (const auto& map : plan_.tensormaps) tensormap(map);
    for (auto& launch : plan_.launches) check(launch);
    for (const auto& output : task_.outputs)
      if (!passed_.contains(output.name))
        complaints_.add(plan_.launches.empty() ? base::Position{} : plan_.launches.front().at,
                        fmt::format("the output {} is never an argument: no launch can write it",
                                    quote(output.name)));
    return complaints_.take();
  }

 private:
  void claim(const std::string& name, Meaning meaning, base::Position at) {
    const auto [known, fresh] = names_.emplace(name, meaning);
    if (!fresh)
      complaints_.add(at, fmt::format("{} is already the name of {}: rename the plan's own",
                                      quote(name), describe(known->second)));
  }

  void where(const core::PlanExpr& condition) {
    for (const auto& use : condition.expr.symbols()) {
      const auto known = names_.find(use.name);
      if (known != names_.end() &&
          (known->second == Meaning::tunable || known->second == Meaning::device_fact))
        continue;
      if (known != names_.end() && is_integer(known->second))
        complaints_.add(
            at(condition, use),
            fmt::format(
                "`where` is over tunables and device facts, and {} is {}: use `when` in a launch",
                quote(use.name), describe(known->second)));
      else
        unknown_symbol(condition, use);
    }
  }

  void tensormap(const core::TensorMap& map) {
    const auto known = names_.find(map.tensor);
    if (known == names_.end() || !is_buffer(known->second))
      complaints_.add(
          map.at,
          fmt::format("the tensor map {} is of {}, which is no input, output or scratch buffer{}",
                      quote(map.name), quote(map.tensor), did_you_mean(map.tensor, buffers())));
    else if (map.shape.empty() && rank_of(map.tensor) != map.box.size())
      complaints_.add(
          map.box.empty() ? map.at : map.box.front().at,
          fmt::format("'box' has {} dimensions, but {} has {}: give the tensor map a `shape`",
                      map.box.size(), quote(map.tensor), rank_of(map.tensor)));
    all(map.shape);
    all(map.box);
    all(map.element_strides);
  }

  std::size_t rank_of(const std::string& name) const {
    for (const auto& input : task_.inputs)
      if (input.name == name) return input.shape.size();
    for (const auto& output : task_.outputs)
      if (output.name == name) return output.shape.size();
    for (const auto& scratch : plan_.scratch)
      if (scratch.name == name) return scratch.shape.size();
    return 0;
  }

  void check(core::Launch& launch) {
    if (launch.when) symbols(*launch.when);
    if (launch.repeat) symbols(*launch.repeat);
    all(launch.block);
    all(launch.cluster);
    if (launch.shared) symbols(*launch.shared);
    repeating_ = launch.repeat.has_value();
    all(launch.grid);
    for (auto& arg : launch.args) argument(arg);
    for (auto& [name, arg] : launch.words) argument(arg);
    for (const auto& name : launch.out) result(launch, name);
    repeating_ = false;
  }

  // Where an operation's result may go.
  void result(const core::Launch& launch, const std::string& name) {
    const bool is_input = std::any_of(task_.inputs.begin(), task_.inputs.end(),
                                      [&](const core::Input& input) { return input.name == name; });
    const auto known = names_.find(name);
    if (known == names_.end() || !is_buffer(known->second))
      complaints_.add(launch.at,
                      fmt::format("'out' names {}, which is no output or scratch buffer{}",
                                  quote(name), did_you_mean(name, buffers())));
    else if (is_input)
      complaints_.add(
          launch.at,
          fmt::format("'out' names {}, which is an input: inputs stay as they are", quote(name)));
    else
      passed_.insert(name);
  }

  void argument(core::Arg& arg) {
    if (const auto* buffer = std::get_if<core::BufferArg>(&arg.value)) {
      passed_.insert(buffer->name);
      all(buffer->shape);
      if (const auto known = names_.find(buffer->name);
          known == names_.end() || !is_buffer(known->second))
        complaints_.add(
            arg.at, fmt::format("{} is no input, output or scratch buffer{}", quote(buffer->name),
                                did_you_mean(buffer->name, buffers())));
    }
    if (auto* list = std::get_if<core::ListArg>(&arg.value))
      for (auto& item : list->items) argument(item);
    if (const auto* map = std::get_if<core::TensorMapArg>(&arg.value))
      for (const auto& known : plan_.tensormaps)
        if (known.name == map->name) passed_.insert(known.tensor);
    if (const auto* typed = std::get_if<core::TypedIntegerArg>(&arg.value))
      symbols({typed->expr, arg.at});
    if (const auto* local = std::get_if<core::LocalArg>(&arg.value))
      symbols({local->bytes, arg.at});
    if (const auto* integer = std::get_if<core::IntegerArg>(&arg.value)) bare(arg, integer->expr);
  }

  // A name alone may be a buffer or a scalar; anything more is an expression.
  void bare(core::Arg& arg, const base::Expr& expr) {
    const auto& uses = expr.symbols();
    const auto& text = expr.text();
    const auto first = text.find_first_not_of(' ');
    const bool lone = uses.size() == 1 && first == uses[0].offset &&
                      text.find_last_not_of(' ') + 1 == first + uses[0].name.size();
    const auto known = lone ? names_.find(uses[0].name) : names_.end();
    if (known == names_.end()) return symbols({expr, arg.at}, lone);
    const std::string name = known->first;  // `expr` lives in the argument that is about to change
    if (is_buffer(known->second)) {
      passed_.insert(name);
      arg.value = core::BufferArg{name, {}, false};
    } else if (known->second == Meaning::integer_scalar || known->second == Meaning::float_scalar) {
      arg.value = core::ScalarArg{name};
    }
  }

  void all(const std::vector<core::PlanExpr>& list) {
    for (const auto& expr : list) symbols(expr);
  }

  void symbols(const core::PlanExpr& expr, bool may_be_buffer = false) {
    for (const auto& use : expr.expr.symbols()) {
      const auto known = names_.find(use.name);
      if (known != names_.end() && is_integer(known->second)) continue;
      if (use.name == "iteration" && repeating_) continue;
      unknown_symbol(expr, use, may_be_buffer);
    }
  }

  void unknown_symbol(const core::PlanExpr& expr, const base::SymbolUse& use,
                      bool may_be_buffer = false) {
    const auto known = names_.find(use.name);
    if (use.name == "iteration")
      return complaints_.add(
          at(expr, use),
          "'iteration' is there only in `grid` and `args` of a launch with `repeat`");
    if (known != names_.end())
      return complaints_.add(at(expr, use), fmt::format("{} is {}; expressions are over integers",
                                                        quote(use.name), describe(known->second)));
    std::vector<std::string> near;
    for (const auto& [name, meaning] : names_)
      if (may_be_buffer || is_integer(meaning)) near.push_back(name);
    complaints_.add(
        at(expr, use),
        fmt::format("there is no {} {}{}", may_be_buffer ? "tensor, scalar or symbol" : "symbol",
                    quote(use.name), did_you_mean(use.name, near)));
  }

  static base::Position at(const core::PlanExpr& expr, const base::SymbolUse& use) {
    return {expr.at.line, expr.at.column + static_cast<int>(use.offset)};
  }

  std::vector<std::string> buffers() const {
    std::vector<std::string> found;
    for (const auto& [name, meaning] : names_)
      if (is_buffer(meaning)) found.push_back(name);
    return found;
  }

  core::Plan& plan_;
  const core::Task& task_;
  Complaints complaints_;
  std::map<std::string, Meaning, std::less<>> names_;
  std::set<std::string> passed_;
  bool repeating_ = false;
};

}  // namespace

Diagnostics check_plan(core::Plan& plan, const core::Task& task, const std::string& file) {
  return PlanCheck(plan, task, file).run();
}

}  // namespace hone::task
