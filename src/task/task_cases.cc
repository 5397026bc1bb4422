#include "task/task_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/words.h"

namespace hone::task {
namespace {

// No device has more, and a wrong exponent is the usual reason for asking.
constexpr std::int64_t largest_case = std::int64_t{1} << 40;  // bytes

bool fits(core::DType dtype, std::int64_t value) {
  if (core::is_float(dtype)) return true;
  if (dtype == core::DType::u64 && value < 0) return false;
  unsigned char bits[8] = {};
  core::store_integer(dtype, value, bits);
  return core::load_as_integer(dtype, bits) == value;
}

// Whether some device runs both cases.
bool overlap(const std::string& a, const std::string& b) {
  const auto covers = [](const std::string& x, const std::string& y) {
    return x.empty() || x == y || (x == "gpu" && y != "cpu") || (x == "opencl" && y != "cuda");
  };
  return covers(a, b) || covers(b, a);
}

class CaseCheck {
 public:
  CaseCheck(const core::Task& task, const TaskPlaces& places, Complaints& complaints)
      : task_(task), places_(places), complaints_(complaints) {}

  void run() {
    if (task_.cases.empty()) return;
    same_symbols();
    duplicates();
    references();
    if (std::none_of(task_.cases.begin(), task_.cases.end(),
                     [](const auto& which) { return which.timed; }))
      complaints_.add(places_.cases.front().at,
                      "every case is for checking only: at least one must be timed");
    if (!known_symbols()) return;  // every case would repeat the same complaint
    for (std::size_t i = 0; i < task_.cases.size(); ++i)
      if (places_.cases[i].bound) sizes(task_.cases[i], places_.cases[i]);
  }

 private:
  void same_symbols() {
    const auto& first = task_.cases.front().bindings;
    for (std::size_t i = 1; i < task_.cases.size(); ++i) {
      const auto& bindings = task_.cases[i].bindings;
      if (bindings.empty()) continue;
      for (const auto& [symbol, value] : first)
        if (!bindings.contains(symbol))
          complaints_.add(
              places_.cases[i].at,
              fmt::format("this case does not bind {}, which the first case does", quote(symbol)));
      for (const auto& [symbol, value] : bindings)
        if (!first.contains(symbol) && !first.empty())
          complaints_.add(places_.cases[i].at,
                          fmt::format("this case binds {}, which the first case does not{}",
                                      quote(symbol), did_you_mean(symbol, symbols_of(first))));
    }
  }

  static std::vector<std::string> symbols_of(const base::Bindings& bindings) {
    std::vector<std::string> names;
    for (const auto& [name, value] : bindings) names.push_back(name);
    return names;
  }

  void duplicates() {
    for (std::size_t i = 0; i < task_.cases.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto &a = task_.cases[j], &b = task_.cases[i];
        // Cases whose inputs the problem draws may differ in what it is asked for, beyond their
        // sizes.
        const bool same_case = !drawn_by_problem() && places_.cases[i].bound &&
                               places_.cases[j].bound && a.bindings == b.bindings &&
                               overlap(a.device, b.device);
        const auto line = places_.cases[j].at.line;
        if (same_case)
          complaints_.add(
              places_.cases[i].at,
              fmt::format("the case in line {} has the same bindings for the same device", line));
        else if (a.name == b.name && places_.cases[i].name.line > 0)
          complaints_.add(places_.cases[i].name,
                          fmt::format("the case in line {} has the same name", line));
        else
          continue;
        break;
      }
  }

  bool drawn_by_problem() const {
    return std::any_of(task_.inputs.begin(), task_.inputs.end(), [](const core::Input& input) {
      return input.draw.kind == core::DrawKind::problem;
    });
  }

  void references() {
    for (std::size_t i = 0; i < task_.cases.size(); ++i) {
      const auto& which = task_.cases[i];
      if (!which.device_reference) continue;
      const auto at = places_.cases[i].reference;
      const bool cuda = task_.reference_cu.has_value(), opencl = task_.reference_cl.has_value();
      if (which.device == "cuda" && !cuda)
        complaints_.add(at, "this case needs reference.cu, which is not there");
      else if ((which.device == "cpu" || which.device == "opencl") && !opencl)
        complaints_.add(at, "this case needs reference.cl, which is not there");
      else if (which.device == "gpu" && !cuda && !opencl)
        complaints_.add(at, "this case needs reference.cu or reference.cl, and neither is there");
      else if (which.device.empty() && (!cuda || !opencl))
        complaints_.add(at, fmt::format("this case is for every device and needs {} as well: write "
                                        "it, or give the case a device",
                                        cuda ? "reference.cl" : "reference.cu"));
      const auto truth = [&](const core::Case& other) {
        return !other.device_reference && overlap(other.device, which.device);
      };
      if (std::none_of(task_.cases.begin(), task_.cases.end(), truth))
        complaints_.add(at,
                        "nothing would check the device reference: no case for this device has its "
                        "values from reference.cc");
    }
  }

  bool known(const core::PlanExpr& expr, const std::string& what) {
    bool good = true;
    const auto& bound = task_.cases.front().bindings;
    for (const auto& use : expr.expr.symbols()) {
      if (bound.contains(use.name)) continue;
      good = false;
      complaints_.add({expr.at.line, expr.at.column + static_cast<int>(use.offset)},
                      fmt::format("{}: no case binds the symbol {}{}", what, quote(use.name),
                                  did_you_mean(use.name, symbols_of(bound))));
    }
    return good;
  }

  bool known_symbols() {
    if (std::none_of(places_.cases.begin(), places_.cases.end(),
                     [](const auto& place) { return !place.symbols.empty(); }))
      return false;
    bool good = true;
    for (const auto& [name, shape] : places_.shapes)
      for (const auto& dim : shape) good &= known(dim, "shape");
    for (const auto& range : places_.ranges)
      good &= known(range.low, range.what) && known(range.high, "high");
    for (const auto& scalar : places_.scalars) good &= known(scalar.low, "value");
    if (places_.bytes) good &= known(*places_.bytes, "bytes");
    for (const auto& [kind, expr] : places_.flops) good &= known(expr, "flops");
    return good;
  }

  void sizes(const core::Case& which, const CasePlace& place) {
    for (const auto& [symbol, value] : task_.cases.front().bindings)
      if (!which.bindings.contains(symbol)) return;
    std::int64_t total = 0;
    bool known_total = places_.all_sizes;
    const auto tensor = [&](const std::string& name, core::DType dtype) {
      const auto bytes = bytes_of(name, dtype, which);
      if (!bytes || __builtin_add_overflow(total, *bytes, &total)) known_total = false;
    };
    for (const auto& input : task_.inputs) tensor(input.name, input.dtype);
    for (const auto& output : task_.outputs) tensor(output.name, output.dtype);
    for (const auto& range : places_.ranges) in_range(range, which, range.what, "high");
    for (const auto& scalar : places_.scalars) in_range(scalar, which, "value", "value");
    if (known_total && total > largest_case)
      return complaints_.add(
          place.at,
          fmt::format("the tensors of case {} have {:.3g} TiB; {} TiB is the most a case may have",
                      quote(which.name),
                      static_cast<double>(total) / static_cast<double>(std::int64_t{1} << 40),
                      largest_case >> 40));
    work(which, known_total ? total : -1);
  }

  std::optional<std::int64_t> bytes_of(const std::string& name, core::DType dtype,
                                       const core::Case& which) {
    const auto shape = places_.shapes.find(name);
    if (shape == places_.shapes.end()) return std::nullopt;
    std::int64_t bytes = static_cast<std::int64_t>(core::size_of(dtype));
    for (const auto& dim : shape->second) {
      const auto value = evaluate(dim, which, "shape");
      if (!value) return std::nullopt;
      if (*value <= 0) {
        complain(dim, fmt::format("shape: {} is {} in case {}; a dimension is at least 1",
                                  quote(dim.expr.text()), *value, quote(which.name)));
        return std::nullopt;
      }
      if (__builtin_mul_overflow(bytes, *value, &bytes)) {
        complain(dim, fmt::format("shape: {} has more than 2^63 bytes in case {}", quote(name),
                                  quote(which.name)));
        return std::nullopt;
      }
    }
    return bytes;
  }

  void in_range(const RangePlace& range, const core::Case& which, const char* low_name,
                const char* high_name) {
    const auto low = evaluate(range.low, which, low_name),
               high = evaluate(range.high, which, high_name);
    if (!low || !high) return;
    if (*low > *high)
      complain(range.low,
               fmt::format("'low' is {} and 'high' {} in case {}", *low, *high, quote(which.name)));
    else if (*low < range.least)
      complain(range.low, fmt::format("{} is {} in case {}; it is at least {}", quote(low_name),
                                      *low, quote(which.name), range.least));
    else if (!fits(range.dtype, *low))
      complain(range.low,
               fmt::format("{} is {} in case {}, which does not fit in {}", quote(low_name), *low,
                           quote(which.name), core::name_of(range.dtype)));
    else if (!fits(range.dtype, *high))
      complain(range.high,
               fmt::format("{} is {} in case {}, which does not fit in {}", quote(high_name), *high,
                           quote(which.name), core::name_of(range.dtype)));
  }

  void work(const core::Case& which, std::int64_t total) {
    if (places_.bytes) {
      const auto bytes = evaluate(*places_.bytes, which, "bytes");
      if (bytes && *bytes <= 0)
        complain(*places_.bytes,
                 fmt::format("bytes: {} is {} in case {}; some must move",
                             quote(places_.bytes->expr.text()), *bytes, quote(which.name)));
      else if (bytes && total >= 0 && *bytes > total)
        complain(*places_.bytes, fmt::format("bytes: in case {} this says that at least {} must "
                                             "move, but all inputs and outputs together are {}",
                                             quote(which.name), base::counted(*bytes, "byte"),
                                             base::counted(total, "byte")));
    }
    for (const auto& [kind, expr] : places_.flops) {
      const auto flops = evaluate(expr, which, "flops");
      if (flops && *flops < 0)
        complain(expr, fmt::format("flops: {} is {} in case {}", quote(expr.expr.text()), *flops,
                                   quote(which.name)));
    }
  }

  std::optional<std::int64_t> evaluate(const core::PlanExpr& expr, const core::Case& which,
                                       const char* what) {
    const auto value = expr.expr.evaluate(which.bindings);
    if (value) return *value;
    complain({expr.expr, {expr.at.line, expr.at.column + static_cast<int>(value.error().offset)}},
             fmt::format("{}: {} in case {}", what, value.error().message, quote(which.name)));
    return std::nullopt;
  }

  // One complaint for a place is enough, however many cases share it.
  void complain(const core::PlanExpr& expr, std::string message) {
    if (said_.insert({expr.at.line, expr.at.column}).second)
      complaints_.add(expr.at, std::move(message));
  }

  const core::Task& task_;
  const TaskPlaces& places_;
  Complaints& complaints_;
  std::set<std::pair<int, int>> said_;
};

}  // namespace

void check_cases(const core::Task& task, const TaskPlaces& places, Complaints& complaints) {
  CaseCheck(task, places, complaints).run();
}

}  // namespace hone::task
