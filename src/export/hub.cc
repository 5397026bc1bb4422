// The export as a project for Hugging Face's kernel-builder: the CUDA export's launcher (cuda.cc),
// a wrapper that takes tensors, the binding, the Python package, and beside it a plain CMake
// project that builds the same for one machine.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "export/cpp_project.h"
#include "export/cpp_text.h"
#include "export/formats.h"
#include "export/signature.h"

namespace hone::exports {
namespace {

using base::ExitCode;

const char* scalar_type(const TorchTensor& tensor) {
  if (tensor.torch_type == "torch.bool") return "at::kBool";
  switch (tensor.dtype) {
    case core::DType::f64:
      return "at::kDouble";
    case core::DType::f32:
      return "at::kFloat";
    case core::DType::f16:
      return "at::kHalf";
    case core::DType::bf16:
      return "at::kBFloat16";
    case core::DType::i64:
      return "at::kLong";
    case core::DType::i32:
      return "at::kInt";
    case core::DType::i8:
      return "at::kChar";
    default:
      return "at::kByte";
  }
}

std::string extents(const TorchTensor& tensor) {
  std::vector<std::string> sides;
  for (const auto& side : tensor.shape) sides.push_back(fmt::format("int64_t({})", cpp(side)));
  return tensor.is_number ? "" : joined(sides, ", ");
}

std::string dimensions(const std::vector<std::size_t>& order) {
  std::string text;
  for (const auto one : order) text += fmt::format("{}{}", text.empty() ? "" : ", ", one);
  return text;
}

// "x.shape[0]" in C++.
std::string in_cpp(const Exporting& exporting, const TorchSignature& signature,
                   const std::string& symbol) {
  for (const auto& input : signature.inputs)
    for (std::size_t i = 0; i < input.order.size(); ++i)
      if (input.shape[i].text() == symbol)
        return fmt::format("{}.size({})", cpp_name(input.name), input.order[i]);
  if (const auto known = signature.known.find(symbol); known != signature.known.end())
    return std::to_string(known->second);
  base::fail(ExitCode::bad_input,
             "the symbol {} of task {} is no extent of an input by itself, and differs from case "
             "to case: a caller's tensors do not tell it",
             symbol, exporting.task.name);
}

std::string dimension_checks(const TorchSignature& signature) {
  std::string out;
  for (const auto& input : signature.inputs)
    out += fmt::format(
        "  TORCH_CHECK({0}.dim() == {1}, \"{0} has \", {0}.dim(), \" dimensions, not {1}\");\n",
        cpp_name(input.name), input.order.size());
  return out;
}

std::string tensor_lines(const TorchSignature& signature) {
  std::string out;
  for (const auto& input : signature.inputs)
    out += fmt::format(
        "  const at::Tensor hone_{0} = hone_tensor({0}, \"{0}\", {1}, {{{2}}}, {{{3}}});\n",
        cpp_name(input.name), scalar_type(input), dimensions(input.order), extents(input));
  for (const auto& output : signature.outputs)
    out += fmt::format("  const at::Tensor hone_{} = at::empty({{{}}}, {}.options().dtype({}));\n",
                       cpp_name(output.name), extents(output),
                       cpp_name(signature.inputs.front().name), scalar_type(output));
  return out;
}

// As the launcher declares them: inputs and outputs in the task's order, then symbols.
std::string launcher_arguments(const Exporting& exporting) {
  std::vector<std::string> arguments;
  for (const auto& input : exporting.task.inputs)
    arguments.push_back(fmt::format("HonePointer{{hone_{}.data_ptr()}}", cpp_name(input.name)));
  for (const auto& output : exporting.task.outputs)
    arguments.push_back(fmt::format("HonePointer{{hone_{}.data_ptr()}}", cpp_name(output.name)));
  for (const auto& symbol : exporting.symbols) arguments.push_back(cpp_name(symbol));
  return joined(arguments, ", ");
}

std::string cpp_result(const TorchSignature& signature) {
  std::vector<std::string> results;
  for (const auto& output : signature.outputs) {
    std::vector<std::size_t> back(output.order.size());
    for (std::size_t i = 0; i < back.size(); ++i) back[output.order[i]] = i;
    const bool same = std::is_sorted(output.order.begin(), output.order.end());
    results.push_back("hone_" + cpp_name(output.name) +
                      (same ? "" : fmt::format(".permute({{{}}})", dimensions(back))));
  }
  return results.size() == 1 ? results.front() : "{" + joined(results, ", ") + "}";
}

// The names of files and of the operation are the package's.
std::string package_name(const std::string& function) {
  std::string name = function;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return name;
}

// The gaps of the C++ that lies between torch's tensors and the launcher.
void fill_cpp_gaps(Gaps& gaps, const Exporting& exporting, const TorchSignature& signature) {
  std::string symbols;
  std::vector<std::string> names, parameters;
  for (const auto& symbol : exporting.symbols) {
    symbols += fmt::format("  [[maybe_unused]] const int64_t {} = {};\n", cpp_name(symbol),
                           in_cpp(exporting, signature, symbol));
    names.push_back(cpp_name(symbol));
  }
  for (const auto& input : signature.inputs)
    parameters.push_back("const at::Tensor& " + cpp_name(input.name));
  const std::vector<std::string> results(signature.outputs.size(), "at::Tensor");
  gaps["cpp_about"] = common_gaps(exporting).at("about");
  gaps["cpp_parameters"] = joined(parameters, ", ");
  gaps["cpp_type"] =
      results.size() == 1 ? "at::Tensor" : "std::tuple<" + joined(results, ", ") + ">";
  gaps["dimension_checks"] = dimension_checks(signature);
  gaps["symbols"] = symbols;
  gaps["size_names"] = joined(names, ", ");
  gaps["tensors"] = tensor_lines(signature);
  gaps["launcher_arguments"] = launcher_arguments(exporting);
  gaps["cpp_result"] = cpp_result(signature);
  gaps["first"] = cpp_name(signature.inputs.front().name);
}

// The project around the launcher: each of its files is a template with the same gaps.
std::vector<ExportedFile> project_files(const std::string& name, const Gaps& gaps) {
  const std::pair<const char*, std::string> templates[] = {
      {"build.toml", "build.toml"},
      {"flake.nix", "flake.nix"},
      {"README.md", "README.md"},
      {"wrapper.cpp", "csrc/" + name + "_tensors.cpp"},
      {"binding.cpp", "torch-ext/torch_binding.cpp"},
      {"binding.h", "torch-ext/torch_binding.h"},
      {"package.py", "torch-ext/" + name + "/__init__.py"},
      {"plain.cmake", "plain/CMakeLists.txt"},
      {"plain_registration.h", "plain/registration.h"},
      {"plain_ops.py", "plain/_ops.py.in"}};
  std::vector<ExportedFile> files;
  for (const auto& [resource, file] : templates)
    files.push_back({file, filled(std::string("export/hub/") + resource, gaps), {}});
  files.front().notes = {
      "the project was not built by kernel-builder; plain/CMakeLists.txt builds it for one machine "
      "without it"};
  return files;
}

}  // namespace

std::vector<ExportedFile> export_hub(const Exporting& given) {
  Exporting exporting = given;
  exporting.function = package_name(given.function);
  const std::string& name = exporting.function;
  const TorchSignature signature = torch_signature(exporting.task);
  for (const auto& tensor : signature.inputs)
    if (tensor.same_bytes && tensor.torch_type != "torch.bool")
      base::fail(ExitCode::bad_input, "{} is of {}, which this export has no name for in C++",
                 tensor.name, tensor.torch_type);
  const PythonPlan plan(exporting, ExportFormat::torch, signature.known);
  Gaps gaps = torch_gaps(signature, exporting, plan);
  gaps["call"] = signature.sequence && signature.outputs.size() == 1
                     ? "(ops." + name + "(" + gaps["parameters"] + "),)"
                     : "ops." + name + "(" + gaps["parameters"] + ")";
  gaps["helpers"] = plan.helpers(gaps.at("fake"));
  fill_cpp_gaps(gaps, exporting, signature);
  std::vector<ExportedFile> launcher = export_cuda(exporting);
  const bool hopper = launcher.back().text.find("sm_90a") != std::string::npos;
  gaps["capabilities"] = hopper ? "cuda-capabilities = [\"9.0a\"]\n" : "";
  gaps["architectures"] = hopper ? "90a" : "native";
  std::vector<ExportedFile> files = {{"csrc/" + launcher[0].name, launcher[0].text, {}},
                                     {"csrc/" + launcher[1].name, launcher[1].text, {}}};
  for (auto& file : project_files(name, gaps)) files.push_back(std::move(file));
  return files;
}

}  // namespace hone::exports
