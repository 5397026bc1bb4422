#include "export/python_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "export/python_text.h"
#include "export/rules.h"
#include "export/templates.h"

namespace hone::exports {
namespace {

using core::DType;

// The driver's numbers of the facts that expressions may name (CUdevice_attribute).
int fact_attribute(const std::string& fact) {
  if (fact == "sm_count") return 16;
  if (fact == "warp_size") return 10;
  if (fact == "shared_per_block") return 97;
  if (fact == "l2_bytes") return 38;
  return 1;  // max_threads
}

constexpr const char* fact_code = R"(

@functools.lru_cache(maxsize=None)
def _hone_fact(attribute, device):
    value = ctypes.c_int()
    ctypes.CDLL("libcuda.so.1").cuDeviceGetAttribute(ctypes.byref(value), attribute, device)
    return value.value
)";

// Autograd has no part in it: what follows is written without it.
constexpr const char* operation_code = R"(

def _hone_operation(tf32, function, *arguments, **words):
    products, convolutions = torch.backends.cuda.matmul, torch.backends.cudnn
    before = products.allow_tf32, convolutions.allow_tf32
    products.allow_tf32 = convolutions.allow_tf32 = tf32
    with torch.no_grad():
        results = function(*arguments, **words)
    products.allow_tf32, convolutions.allow_tf32 = before
    return [one.contiguous() for one in (results if isinstance(results, (tuple, list)) else (results,))]
)";

// Integers as plans have them: division rounds to zero.
constexpr const char* arithmetic = R"(

def hone_div(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def hone_mod(a, b):
    return a - hone_div(a, b) * b


def hone_ceil_div(a, b):
    return -(-a // b)


def hone_next_pow2(a):
    return 1 if a < 2 else 1 << (a - 1).bit_length()


hone_min, hone_max = min, max
)";

std::string typed_integer(DType dtype, const std::string& value) {
  if (dtype == DType::i32 || dtype == DType::i64)
    return fmt::format("hone_light.{}({})", core::name_of(dtype), value);
  const std::size_t size = core::size_of(dtype);
  return fmt::format(
      "(int({}) & {}).to_bytes({}, \"little\")", value,
      size == 8 ? "0xffffffffffffffff" : fmt::format("{:#x}", (1ull << 8 * size) - 1), size);
}

std::string quoted_text(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return "\"" + out + "\"";
}

std::string real_text(double value) {
  const std::string digits =
      fmt::format("{}", value);  // the shortest that reads back; inf and nan need a name
  if (digits.find_first_not_of("0123456789-") == std::string::npos)
    return digits + ".0";  // or Python has an integer
  return digits.find_first_not_of("0123456789.eE+-") == std::string::npos
             ? digits
             : "float(\"" + digits + "\")";
}

std::string real_value(DType dtype, double value) {
  if (!core::is_float(dtype))
    return typed_integer(dtype, fmt::format("{}", static_cast<std::int64_t>(value)));
  return fmt::format("hone_light.{}({})", core::name_of(dtype), real_text(value));
}

std::string swizzle_word(int bytes) { return bytes == 0 ? "none" : std::to_string(bytes) + "B"; }

}  // namespace

std::string PythonPlan::expression(const base::Expr& expr) const {
  if (const auto value = expr.evaluate(known_)) return std::to_string(*value);
  return expr.to_python([this](const std::string& name) {
    const auto known = known_.find(name);
    return known != known_.end() ? std::to_string(known->second)
           : name == "iteration" ? name
                                 : python_name(name);
  });
}

std::string PythonPlan::shape(const std::vector<base::Expr>& dims) const {
  std::vector<std::string> parts;
  for (const auto& dim : dims) parts.push_back(expression(dim));
  return "(" + joined(parts, ", ") + (parts.size() == 1 ? ",)" : ")");
}

std::string PythonPlan::tuple(const std::vector<core::PlanExpr>& list, std::size_t least) const {
  auto dims = expressions(list);
  while (dims.size() < least) dims.emplace_back(1);
  return shape(dims);
}

std::string PythonPlan::tensormap(const core::TensorMap& map) const {
  std::string words;
  const auto add = [&](const char* name, const std::string& value, bool given) {
    if (given) words += fmt::format(", {}={}", name, value);
  };
  add("swizzle", "\"" + swizzle_word(map.swizzle) + "\"", map.swizzle != 0);
  add("shape", tuple(map.shape, 0), !map.shape.empty());
  add("element_strides", tuple(map.element_strides, 0), !map.element_strides.empty());
  add("interleave", "\"" + swizzle_word(map.interleave) + "\"", map.interleave != 0);
  add("l2", "\"" + swizzle_word(map.l2) + "\"", map.l2 != 0);
  add("fill", "\"nan\"", map.fill_nan);
  return fmt::format("hone_light.tensor_map({}, {}{})", python_name(map.tensor), tuple(map.box, 0),
                     words);
}

std::string PythonPlan::argument(const core::Arg& arg, const ScalarValue& scalar) const {
  if (const auto* buffer = std::get_if<core::BufferArg>(&arg.value))
    return fmt::format("hone_light.raw({})", python_name(buffer->name));
  if (const auto* map = std::get_if<core::TensorMapArg>(&arg.value)) {
    for (const auto& known : exporting_.candidate.plan.tensormaps)
      if (known.name == map->name) return tensormap(known);
    return "None";
  }
  if (const auto* integer = std::get_if<core::IntegerArg>(&arg.value))
    return expression(integer->expr);
  if (const auto* typed = std::get_if<core::TypedIntegerArg>(&arg.value))
    return typed_integer(typed->dtype, expression(typed->expr));
  if (const auto* real = std::get_if<core::TypedFloatArg>(&arg.value))
    return real_value(real->dtype, real->value);
  const auto* named = std::get_if<core::ScalarArg>(&arg.value);
  for (const auto& known : exporting_.task.scalars) {
    if (named == nullptr || known.name != named->name) continue;
    if (const std::string given = scalar(known.name); !given.empty())
      return core::is_float(known.dtype)
                 ? fmt::format("hone_light.{}({})", core::name_of(known.dtype), given)
                 : typed_integer(known.dtype, given);
    return known.expression ? typed_integer(known.dtype, expression(*known.expression))
                            : real_value(known.dtype, known.value);
  }
  return "None";  // local buffers are refused when the plan is read
}

std::string PythonPlan::launch(const core::Launch& launch, const ScalarValue& scalar) const {
  const std::string when = launch.when ? expression(launch.when->expr) : "1";
  if (when == "0") return "";  // not for this shape
  std::string indent, out;
  if (when.find_first_not_of("0123456789-") != std::string::npos) {
    out += fmt::format("if {}:\n", when);
    indent += "    ";
  }
  if (launch.repeat) {
    out += fmt::format("{}for iteration in range({}):\n", indent, expression(launch.repeat->expr));
    indent += "    ";
  }
  if (launch.is_operation) return out + indent + operation(launch, scalar);
  std::string words;
  if (!launch.cluster.empty()) words += fmt::format(", cluster={}", tuple(launch.cluster, 3));
  if (launch.cooperative) words += ", cooperative=True";
  std::vector<std::string> arguments = {tuple(launch.grid, 3), tuple(launch.block, 3)};
  for (const auto& arg : launch.args) arguments.push_back(argument(arg, scalar));
  if (launch.shared) arguments.push_back("shared=" + expression(launch.shared->expr));
  return out + fmt::format("{}kernel(\"{}\"{})({})\n", indent,
                           without_refused_words(launch.kernel, format_), words,
                           joined(arguments, ", "));
}

// An operation of torch's, with TF32 as the judge had it. Its results take the places of the
// buffers.
std::string PythonPlan::operation(const core::Launch& launch, const ScalarValue& scalar) const {
  std::vector<std::string> arguments = {launch.tf32 ? "True" : "False",
                                        "torch.ops." + launch.kernel},
                           names;
  for (const auto& arg : launch.args) arguments.push_back(value(arg, scalar));
  for (const auto& [name, arg] : launch.words) arguments.push_back(name + "=" + value(arg, scalar));
  for (const auto& name : launch.out) names.push_back(python_name(name));
  return fmt::format("{}{} = _hone_operation({})\n", joined(names, ", "),
                     names.size() == 1 ? "," : "", joined(arguments, ", "));
}

std::string PythonPlan::value(const core::Arg& arg, const ScalarValue& scalar) const {
  if (const auto* buffer = std::get_if<core::BufferArg>(&arg.value))
    return python_name(buffer->name) +
           (buffer->shape.empty() ? "" : ".reshape(" + tuple(buffer->shape, 0) + ")") +
           (buffer->transposed ? ".transpose(-1, -2)" : "");
  if (std::holds_alternative<core::NoneArg>(arg.value)) return "None";
  if (const auto* flag = std::get_if<core::BoolArg>(&arg.value))
    return flag->value ? "True" : "False";
  if (const auto* text = std::get_if<core::TextArg>(&arg.value)) return quoted_text(text->value);
  if (const auto* real = std::get_if<core::TypedFloatArg>(&arg.value))
    return real_text(real->value);
  if (const auto* typed = std::get_if<core::TypedIntegerArg>(&arg.value))
    return expression(typed->expr);
  if (const auto* integer = std::get_if<core::IntegerArg>(&arg.value))
    return expression(integer->expr);
  if (const auto* list = std::get_if<core::ListArg>(&arg.value)) {
    std::vector<std::string> items;
    for (const auto& item : list->items) items.push_back(value(item, scalar));
    return "[" + joined(items, ", ") + "]";
  }
  const auto* named = std::get_if<core::ScalarArg>(&arg.value);
  for (const auto& known : exporting_.task.scalars) {
    if (named == nullptr || known.name != named->name) continue;
    if (const std::string given = scalar(known.name); !given.empty()) return given;
    return known.expression ? expression(*known.expression) : real_text(known.value);
  }
  return "None";
}

bool PythonPlan::made_by_operation(const std::string& buffer) const {
  for (const auto& launch : exporting_.candidate.plan.launches)
    if (!launch.when && !launch.repeat &&
        std::find(launch.out.begin(), launch.out.end(), buffer) != launch.out.end())
      return true;
  return false;
}

std::string PythonPlan::preamble() const {
  if (core::kernel_names(exporting_.candidate.plan).empty()) return operation_code;
  std::string defines;
  for (const auto& [name, value] : exporting_.point)
    defines += fmt::format("{}\"{}\": {}", defines.empty() ? "" : ", ",
                           without_refused_words(name, format_), value);
  std::string out =
      "_HONE_SOURCE = " + python_text(without_refused_words(exporting_.candidate.source, format_));
  out += fmt::format(
      "\n\n\n@functools.lru_cache(maxsize=None)\ndef _hone_module():  # compiled at the first "
      "call\n"
      "    return hone_light.load_inline(_HONE_SOURCE, defines={{{}}})\n",
      defines);
  if (!device_facts_used(exporting_).empty()) out += fact_code;
  if (core::has_operations(exporting_.candidate.plan)) out += operation_code;
  return out;
}

std::string PythonPlan::body(const std::string& device, const ScalarValue& scalar) const {
  std::string out;
  for (const auto& fact : device_facts_used(exporting_))
    out += fmt::format("{} = _hone_fact({}, torch.cuda.current_device())\n", fact,
                       fact_attribute(fact));
  for (const auto& scratch : exporting_.candidate.plan.scratch)
    if (!made_by_operation(scratch.name))
      out += fmt::format("{} = torch.empty({}, dtype={}, device={})\n", python_name(scratch.name),
                         tuple(scratch.shape, 0), torch_type(scratch.dtype), device);
  if (!core::kernel_names(exporting_.candidate.plan).empty())
    out += "kernel = _hone_module().kernel\n";
  for (const auto& one : exporting_.candidate.plan.launches) out += launch(one, scalar);
  return out;
}

std::string PythonPlan::helpers(const std::string& text) const {
  for (const char* name :
       {"hone_div(", "hone_mod(", "hone_ceil_div(", "hone_next_pow2(", "hone_min(", "hone_max("})
    if (text.find(name) != std::string::npos) return arithmetic;
  return "";
}

}  // namespace hone::exports
