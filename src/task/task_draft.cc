#include "task/task_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "task/complaints.h"

namespace hone::task {
namespace {

using Kind = KernelParameter::Kind;

// A line of TOML with a remark; whatever was declared must not end the comment a plan stands in,
// nor the line.
std::string line(std::string text, const std::string& remark) {
  constexpr std::size_t column = 34;
  if (text.size() < column) text.resize(column, ' ');
  std::string plain = remark;
  for (char& c : plain)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  for (auto at = plain.find("*/"); at != std::string::npos; at = plain.find("*/"))
    plain.insert(at + 1, " ");
  return text + " # " + plain + "\n";
}

std::string dtype_line(const DraftTensor& tensor) {
  if (tensor.dtype && core::is_tensor_dtype(*tensor.dtype))
    return fmt::format("dtype = \"{}\"\n", core::name_of(*tensor.dtype));
  return line("dtype = \"?\"", "one of f64 f32 f16 bf16 i64 i32 i8 u8");
}

void add(std::vector<DraftTensor>& list, const KernelParameter& parameter) {
  const auto name = draft_name(parameter.name);
  if (std::none_of(list.begin(), list.end(), [&](const auto& known) { return known.name == name; }))
    list.push_back({name, parameter.declared, parameter.dtype});
}

std::string bindings(const Draft& draft) {
  if (draft.symbols.empty()) return "bind = \"?\"";
  std::string out;
  for (const auto& symbol : draft.symbols)
    out += fmt::format("{}{} = \"?\"", out.empty() ? "" : ", ", symbol);
  return "bind = { " + out + " }";
}

std::string example_shape(const Draft& draft) {
  return fmt::format("for example [\"{}\"]", draft.symbols.empty() ? "n" : draft.symbols.front());
}

std::string argument(const KernelParameter& parameter) {
  if (parameter.name == "?")
    return line("  \"?\",", parameter.declared + ": a symbol, a scalar or an expression");
  switch (parameter.kind) {
    case Kind::local:
      return line("  \"?\",", parameter.declared + ": \"local:BYTES\"");
    case Kind::other:
      return line("  \"?\",",
                  parameter.declared + ": see docs/formats.md for what can be passed");
    default:
      return line(fmt::format("  \"{}\",", draft_name(parameter.name)), parameter.declared);
  }
}

}  // namespace

std::string draft_name(const std::string& parameter) {
  return name_problem(parameter).empty() ? parameter : "arg_" + parameter;
}

bool is_tensor(const core::Task& task, const std::string& name) {
  const auto has = [&](const auto& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& tensor) { return tensor.name == name; });
  };
  return has(task.inputs) || has(task.outputs);
}

std::vector<Kernel> named_for(std::vector<Kernel> kernels, const core::Task& task) {
  const auto& symbols = task.cases.front().bindings;
  std::set<std::string> own;  // names that some parameter has already
  for (const auto& kernel : kernels)
    for (const auto& parameter : kernel.parameters) own.insert(parameter.name);
  std::vector<std::string> inputs, outputs;
  for (const auto& input : task.inputs)
    if (!own.contains(input.name)) inputs.push_back(input.name);
  for (const auto& output : task.outputs)
    if (!own.contains(output.name)) outputs.push_back(output.name);
  std::map<std::string, std::string> renamed;
  const auto next = [&](std::vector<std::string>& free, std::string& name) {
    if (const auto known = renamed.find(name); known != renamed.end()) {
      name = known->second;
    } else if (!free.empty()) {
      name = renamed[name] = free.front();
      free.erase(free.begin());
    }
  };
  const auto is_scalar = [&](const std::string& name) {
    return std::any_of(task.scalars.begin(), task.scalars.end(),
                       [&](const core::Scalar& scalar) { return scalar.name == name; });
  };
  for (auto& kernel : kernels)
    for (auto& parameter : kernel.parameters) {
      const bool number = parameter.kind == Kind::integer || parameter.kind == Kind::real;
      if (number && !symbols.contains(parameter.name) && !is_scalar(parameter.name))
        parameter.name =
            parameter.kind == Kind::integer && symbols.size() == 1 ? symbols.begin()->first : "?";
      if ((parameter.kind == Kind::input || parameter.kind == Kind::output) &&
          !is_tensor(task, parameter.name))
        next(parameter.kind == Kind::input ? inputs : outputs, parameter.name);
    }
  return kernels;
}

Draft draft_from(const std::vector<Kernel>& kernels) {
  Draft draft;
  std::set<std::string> read, written;
  for (const auto& kernel : kernels)
    for (const auto& parameter : kernel.parameters) {
      if (parameter.kind == Kind::input) read.insert(draft_name(parameter.name));
      if (parameter.kind == Kind::output) written.insert(draft_name(parameter.name));
    }
  // What one kernel writes and another only reads lies between them, if something else is left to
  // be the answer.
  std::set<std::string> between;
  std::set_intersection(read.begin(), read.end(), written.begin(), written.end(),
                        std::inserter(between, between.end()));
  if (between.size() == written.size()) between.clear();
  for (const auto& kernel : kernels)
    for (const auto& parameter : kernel.parameters) {
      const auto name = draft_name(parameter.name);
      if (parameter.kind == Kind::real) add(draft.reals, parameter);
      if (parameter.kind == Kind::integer &&
          std::find(draft.symbols.begin(), draft.symbols.end(), name) == draft.symbols.end())
        draft.symbols.push_back(name);
      if (parameter.kind != Kind::input && parameter.kind != Kind::output) continue;
      if (between.contains(name))
        add(draft.scratch, parameter);
      else
        add(written.contains(name) ? draft.outputs : draft.inputs, parameter);
    }
  return draft;
}

std::string draft_task_toml(const Draft& draft, const std::string& name) {
  std::string out = fmt::format(
      "# Made from a kernel by `hone task new --from`. Every \"?\" is for you to fill in: `hone "
      "task check` lists those that are left.\n"
      "hone = 1\nname = \"{}\"\n",
      name);
  out += line("summary = \"?\"", "one sentence: what is computed");
  for (const auto& input : draft.inputs) {
    out += "\n" + line("[[input]]", input.declared) + fmt::format("name = \"{}\"\n", input.name) +
           dtype_line(input) + line("shape = [\"?\"]", example_shape(draft));
    const bool integers = input.dtype && !core::is_float(*input.dtype);
    out += integers ? line("draw = { kind = \"integers\", low = \"?\", high = \"?\" }",
                           "both inclusive; expressions over the symbols")
                    : line("draw = { kind = \"normal\" }", "or uniform (low, high)");
  }
  if (draft.inputs.empty())
    out += "\n" + line("[[input]]", "the kernel has no const pointer: which one does it read?") +
           "name = \"?\"\ndtype = \"?\"\nshape = [\"?\"]\n";
  for (const auto& output : draft.outputs) {
    out += "\n" + line("[[output]]", output.declared) +
           fmt::format("name = \"{}\"\n", output.name) + dtype_line(output) +
           line("shape = [\"?\"]", example_shape(draft));
    if (!output.dtype || core::is_float(*output.dtype))
      out += line("tolerance = { max = \"?\", rms = \"?\" }",
                  "for example { max = 2e-5, rms = 2e-6 } for f32");
  }
  if (draft.outputs.empty())
    out += "\n" + line("[[output]]", "the kernel has no pointer it could write to") +
           "name = \"?\"\ndtype = \"?\"\nshape = [\"?\"]\n";
  for (const auto& real : draft.reals)
    out += "\n" + line("[[scalar]]", real.declared) +
           fmt::format("name = \"{}\"\ndtype = \"{}\"\n", real.name, core::name_of(*real.dtype)) +
           line("value = \"?\"", "a number");
  const std::string symbols =
      draft.symbols.empty() ? "symbols of your choice: { n = 1048576 }" : "a number for each";
  out += "\n" + line("[[case]]", "a size that matters, large enough to be timed well") +
         line(bindings(draft), symbols);
  out += "\n" + line("[[case]]", "an odd or prime size, which finds a forgotten tail") +
         line(bindings(draft), symbols) + line("use = \"check\"", "checked, not timed");
  out +=
      "\n[work]\n" + line("bytes = \"?\"",
                          "each input read once, each output written once, for example \"8 * n\"");
  return out + line("flops = \"?\"",
                    "arithmetic by kind, for example { f32 = \"2 * n\" }; {} where there is none");
}

std::string draft_reference(const Draft& draft) {
  std::string out =
      "// The truth. Compiled twice: `real` is double for the expected values, and float for the "
      "error that an honest kernel makes.\n"
      "#include <hone/reference.h>\n\nHONE_REFERENCE(call) {\n";
  for (const auto& symbol : draft.symbols)
    out += fmt::format("  const auto {} = call.size(\"{}\");\n", symbol, symbol);
  for (const auto& real : draft.reals)
    out += fmt::format("  const auto {} = call.scalar(\"{}\");\n", real.name, real.name);
  const auto is_integer = [](const DraftTensor& tensor) {
    return tensor.dtype && !core::is_float(*tensor.dtype);
  };
  for (const auto& input : draft.inputs)
    out += fmt::format("  const auto {} = call.{}(\"{}\");\n", input.name,
                       is_integer(input) ? "integers" : "input", input.name);
  for (const auto& output : draft.outputs)
    out += fmt::format("  auto& {} = call.{}(\"{}\");\n", output.name,
                       is_integer(output) ? "output_integers" : "output", output.name);
  return out +
         "  HONE_UNFINISHED  // write here what the kernel computes, element by element, and "
         "remove this line\n}\n";
}

std::string draft_plan(const Draft& draft, const std::vector<Kernel>& kernels) {
  std::string out =
      "/* hone 1\n# The launch plan. Every \"?\" is for you to fill in: `hone task check` lists "
      "those that are left.\n";
  for (const auto& scratch : draft.scratch)
    out += "\n" +
           line("[[scratch]]", scratch.declared + ": one kernel writes it, another reads it") +
           fmt::format("name = \"{}\"\n", scratch.name) + dtype_line(scratch) +
           line("shape = [\"?\"]", example_shape(draft));
  for (const auto& kernel : kernels) {
    out += fmt::format("\n[[launch]]\nkernel = \"{}\"\n", kernel.name);
    out += line("grid = [\"?\"]",
                fmt::format("blocks or work-groups, for example [\"ceil_div({}, 256)\"]",
                            draft.symbols.empty() ? "n" : draft.symbols.front()));
    out += line("block = [\"?\"]", "threads or work-items in each, for example [256]");
    if (kernel.dynamic_shared) out += line("shared = \"?\"", "bytes of extern __shared__ memory");
    out += "args = [\n";
    for (const auto& parameter : kernel.parameters) out += argument(parameter);
    out += "]\n";
  }
  return out + "*/\n";
}

}  // namespace hone::task
