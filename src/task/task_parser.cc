#include "task/task_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "task/task_cases.h"
#include "task/toml_reader.h"

namespace hone::task {
namespace {

// Far above what real tasks have.
constexpr std::size_t most_tensors = 64, most_scalars = 64, most_cases = 256, most_symbols = 32, most_dimensions = 8,
                      longest_name = 64;
constexpr std::int64_t newest_format = 1;

const std::vector<std::string> task_keys = {"hone", "name", "summary", "input", "output", "scalar", "case", "work"};
const std::vector<std::string> variant_names = {"shifted", "flipped", "heavy", "large"};
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
    header(root);
    const auto inputs = read_.sections(root, "input", most_tensors),
               outputs = read_.sections(root, "output", most_tensors);
    if (read_.find(root, "input") == nullptr)
      read_.complain({}, "there is no [[input]]: without one the answer would never change");
    if (read_.find(root, "output") == nullptr) read_.complain({}, "there is no [[output]]: a task computes something");
    for (const auto& section : inputs) input(section);
    for (const auto& section : outputs) output(section);
    for (const auto& section : read_.sections(root, "scalar", most_scalars)) scalar(section);
    if (read_.find(root, "case") == nullptr)
      read_.complain({}, "there is no [[case]]: cases give the symbols their values");
    for (const auto& section : read_.sections(root, "case", most_cases)) a_case(section);
    work(root);
    name_cases();
    check_cases(task_, places_, complaints_);
  }

 private:
  bool known_format(const Section& root) {
    const auto* node = root.table->get("hone");
    if (node == nullptr) {
      read_.complain({1, 1}, "the version of the format is missing: a task.toml starts with hone = 1");
      return true;
    }
    const auto version = read_.integer(node, "hone");
    if (!version || *version == newest_format) return true;
    read_.complain(read_.place(*node),
                   *version > newest_format
                       ? fmt::format("the task is of format {}, newer than this hone knows ({}): update hone", *version,
                                     newest_format)
                       : fmt::format("there is no task format {}: write hone = 1", *version));
    return *version < newest_format;
  }

  void header(const Section& root) {
    const auto* node = need_at_top(root, "name");
    if (const auto name = read_.string(node, "name")) {
      task_.name = *name;
      if (!good_label(*name))
        read_.complain(read_.inside(*node),
                       fmt::format("{} cannot be a task's name: it has letters, digits, - and _, {} at most",
                                   quote(*name), longest_name));
    }
    node = need_at_top(root, "summary");
    if (const auto summary = read_.string(node, "summary")) {
      task_.summary = *summary;
      if (summary->find_first_not_of(" \n\t") == std::string::npos)
        read_.complain(read_.place(*node), "the summary is empty: one sentence says what is computed");
    }
  }

  const toml::node* need_at_top(const Section& root, const char* key) {
    const auto* node = root.table->get(key);
    if (node == nullptr)
      read_.complain({1, 1}, fmt::format("there is no '{}': write {} = \"...\" above the first [section]", key, key));
    return node;
  }

  static bool good_label(std::string_view name) {
    return !name.empty() && name.size() <= longest_name && name[0] != '-' &&
           std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-'); });
  }

  // The name of a tensor or scalar; complains if it is taken.
  std::string own_name(const Section& section) {
    const auto name = read_.name(section);
    if (!name) return "";
    const auto at = read_.inside(*read_.find(section, "name"));
    if (!names_.insert(*name).second)
      read_.complain(
          at, fmt::format("the name {} stands twice: inputs, outputs and scalars share their names", quote(*name)));
    places_.names[*name] = at;
    return *name;
  }

  // A shape and its place, kept for the check against the cases.
  std::vector<base::Expr> shape(const Section& section, const std::string& name) {
    std::vector<base::Expr> shape;
    const auto* node = read_.need(section, "shape");
    const auto parsed = read_.expressions(node, "shape", 1, most_dimensions);
    for (const auto& dim : parsed) shape.push_back(dim.expr);
    const auto* list = node == nullptr ? nullptr : node->as_array();
    if (parsed.empty() || list->size() != parsed.size() || !places_.shapes.try_emplace(name, parsed).second)
      places_.all_sizes = false;
    return shape;
  }

  void input(const Section& section) {
    read_.only(section, {"name", "dtype", "shape", "draw", "variants"}, task_keys);
    core::Input input;
    input.name = own_name(section);
    const auto dtype = read_.dtype(read_.need(section, "dtype"), "dtype", true);
    if (dtype)
      input.dtype = *dtype;
    else
      places_.all_sizes = false;
    input.shape = shape(section, input.name);
    const bool is_integer = dtype && !core::is_float(*dtype);
    if (const auto* node = read_.find(section, "draw"))
      draw(node, input, is_integer);
    else if (is_integer)
      read_.complain(read_.place(*section.table),
                     "an integer input needs draw = { kind = \"integers\", low = 0, high = 9 }");
    variants(read_.find(section, "variants"), input, is_integer);
    task_.inputs.push_back(std::move(input));
  }

  void draw(const toml::node* node, core::Input& input, bool is_integer) {
    const auto section = read_.subsection(node, "draw");
    if (!section) return;
    if (read_.find(*section, "variants") != nullptr)
      return read_.complain(read_.key_place(*section, "variants"), "'variants' stands in [[input]], beside draw");
    const auto* kind_node = read_.need(*section, "kind");
    const auto kind = read_.one_of(kind_node, "kind", {"normal", "uniform", "integers"});
    if (!kind) return;
    if (is_integer && *kind != "integers")
      return read_.complain(read_.inside(*kind_node), "an integer input is drawn with kind = \"integers\"");
    if (*kind == "integers") return integers(*section, input);
    const bool normal = *kind == "normal";
    const std::string first = normal ? "mean" : "low", second = normal ? "std" : "high";
    read_.only(*section, {"kind", first, second});
    input.draw.kind = normal ? core::DrawKind::normal : core::DrawKind::uniform;
    input.draw.a = normal ? 0 : -1;
    input.draw.b = 1;
    const auto a = read_.number(read_.find(*section, first), first),
               b = read_.number(read_.find(*section, second), second);
    if (a) input.draw.a = *a;
    if (b) input.draw.b = *b;
    if (normal && !(input.draw.b > 0))
      read_.complain(read_.key_place(*section, second), "the deviation 'std' must be more than 0");
    if (!normal && !(input.draw.a < input.draw.b))
      read_.complain(read_.key_place(*section, a ? first : second),
                     fmt::format("'low' ({}) must be less than 'high' ({})", input.draw.a, input.draw.b));
  }

  void integers(const Section& section, core::Input& input) {
    read_.only(section, {"kind", "low", "high"});
    input.draw.kind = core::DrawKind::integers;
    const auto low = read_.expression(read_.need(section, "low"), "low"),
               high = read_.expression(read_.need(section, "high"), "high");
    if (!low || !high) return;
    input.draw.low = low->expr;
    input.draw.high = high->expr;
    places_.ranges.push_back({input.name, input.dtype, *low, *high});
  }

  void variants(const toml::node* node, core::Input& input, bool is_integer) {
    if (node == nullptr) {
      if (!is_integer)
        input.variants = {core::Variant::shifted, core::Variant::flipped, core::Variant::heavy, core::Variant::large};
      return;
    }
    const auto* list = read_.array(node, "variants");
    if (list == nullptr) return;
    if (is_integer && !list->empty()) return read_.complain(read_.place(*node), "an integer input has no variants");
    for (const auto& item : *list) {
      const auto word = read_.one_of(&item, "variants", variant_names);
      if (!word) continue;
      const auto variant = static_cast<core::Variant>(std::find(variant_names.begin(), variant_names.end(), *word) -
                                                      variant_names.begin() + 1);
      if (std::find(input.variants.begin(), input.variants.end(), variant) != input.variants.end())
        read_.complain(read_.inside(item), fmt::format("the variant {} stands twice", quote(*word)));
      else
        input.variants.push_back(variant);
    }
  }

  void output(const Section& section) {
    read_.only(section, {"name", "dtype", "shape", "tolerance"}, task_keys);
    core::Output output;
    output.name = own_name(section);
    const auto dtype = read_.dtype(read_.need(section, "dtype"), "dtype", true);
    if (dtype)
      output.dtype = *dtype;
    else
      places_.all_sizes = false;
    output.shape = shape(section, output.name);
    const auto* node = read_.find(section, "tolerance");
    if (node == nullptr && dtype && core::is_float(*dtype))
      read_.complain(read_.place(*section.table),
                     "a floating-point [[output]] needs tolerance = { max = 2e-5, rms = 2e-6 }");
    if (const auto tolerance = read_.subsection(node, "tolerance")) {
      read_.only(*tolerance, {"max", "rms"});
      const auto max = bound(*tolerance, "max"), rms = bound(*tolerance, "rms");
      if (max && rms && *rms > *max)
        read_.complain(read_.key_place(*tolerance, "rms"),
                       fmt::format("'rms' ({}) bounds nothing when it is more than 'max' ({})", *rms, *max));
      output.tolerance = {max.value_or(0), rms.value_or(0)};
    }
    task_.outputs.push_back(std::move(output));
  }

  std::optional<double> bound(const Section& tolerance, const std::string& key) {
    const auto* node = read_.need(tolerance, key);
    const auto value = read_.number(node, key);
    if (!value || (*value >= 0 && *value < 1)) return value;
    read_.complain(
        read_.place(*node),
        fmt::format("'{}' is {}; a tolerance is at least 0 and less than 1, where anything would pass", key, *value));
    return std::nullopt;
  }

  void scalar(const Section& section) {
    read_.only(section, {"name", "dtype", "value"}, task_keys);
    core::Scalar scalar;
    scalar.name = own_name(section);
    const auto dtype = read_.dtype(read_.need(section, "dtype"), "dtype", false);
    const auto* node = read_.need(section, "value");
    if (!dtype || node == nullptr) return;
    scalar.dtype = *dtype;
    if (core::is_float(*dtype)) {
      const auto value = read_.number(node, "value");
      unsigned char bits[8] = {};
      if (value) core::store_double(*dtype, *value, bits);
      if (value && !std::isfinite(core::load_as_double(*dtype, bits)))
        read_.complain(read_.place(*node), fmt::format("{} does not fit in {}", *value, core::name_of(*dtype)));
      scalar.value = value.value_or(0);
    } else if (const auto expr = read_.expression(node, "value")) {
      scalar.expression = expr->expr;
      places_.scalars.push_back({scalar.name, *dtype, *expr, *expr});
    }
    task_.scalars.push_back(std::move(scalar));
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
          read_.complain(place.name,
                         fmt::format("{} cannot be a case's name: it has letters, digits, - and _, {} at most",
                                     quote(*name), longest_name));
      }
    }
    place.bound = bind(section, which, place);
    if (const auto device = read_.one_of(read_.find(section, "device"), "device", {"cpu", "gpu", "cuda", "opencl"}))
      which.device = *device;
    which.timed = !read_.one_of(read_.find(section, "use"), "use", {"check"});
    if (read_.one_of(read_.find(section, "reference"), "reference", {"device"})) which.device_reference = true;
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
      read_.complain(place.at, fmt::format("'bind' has {} symbols; it takes 1 to {}", symbols.size(), most_symbols));
      return false;
    }
    bool good = true;
    for (const auto& symbol : symbols) {
      const auto at = read_.key_place(*table, symbol);
      if (const auto problem = name_problem(symbol); !problem.empty() && complained_.insert(symbol).second)
        read_.complain(at, problem);
      if (names_.contains(symbol) && complained_.insert(symbol).second)
        read_.complain(at, fmt::format("{} is already the name of a tensor or scalar", quote(symbol)));
      const auto value = read_.integer(read_.find(*table, symbol), symbol);
      good = good && value.has_value();
      which.bindings[symbol] = value.value_or(1);
    }
    place.symbols = symbols;
    return good;
  }

  // A case without a name is called by its bindings, and by its device where another case has the same ones.
  void name_cases() {
    for (std::size_t i = 0; i < task_.cases.size(); ++i) {
      auto& which = task_.cases[i];
      if (!which.name.empty()) continue;
      for (const auto& symbol : places_.cases[i].symbols)
        which.name += fmt::format("{}{}={}", which.name.empty() ? "" : ",", symbol, which.bindings[symbol]);
      const auto twin = [&](const core::Case& other) { return &other != &which && other.bindings == which.bindings; };
      if (!which.device.empty() && std::any_of(task_.cases.begin(), task_.cases.end(), twin))
        which.name += "@" + which.device;
    }
  }

  void work(const Section& root) {
    const auto* node = read_.find(root, "work");
    if (node == nullptr)
      return read_.complain({}, "there is no [work]: it says how many bytes and operations any implementation needs");
    const auto section = read_.subsection(node, "[work]");
    if (!section) return;
    read_.only(*section, {"bytes", "flops"}, task_keys);
    if (const auto bytes = read_.expression(read_.need(*section, "bytes"), "bytes")) {
      task_.work.bytes = bytes->expr;
      places_.bytes = *bytes;
    }
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
