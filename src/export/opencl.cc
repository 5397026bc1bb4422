// The OpenCL export: a .cpp over CL/cl.h that holds the kernels' source and builds it once for a
// context.
#include <fmt/format.h>

#include <algorithm>

#include "export/cpp_project.h"
#include "export/cpp_text.h"
#include "export/formats.h"

namespace hone::exports {
namespace {

using core::DType;

const char* type_name(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return "cl_double";
    case DType::f32:
      return "cl_float";
    case DType::f16:
      return "cl_half";
    case DType::bf16:
      return "cl_ushort";
    case DType::i64:
      return "cl_long";
    case DType::i32:
      return "cl_int";
    case DType::i16:
      return "cl_short";
    case DType::i8:
      return "cl_char";
    case DType::u64:
      return "cl_ulong";
    case DType::u32:
      return "cl_uint";
    case DType::u16:
      return "cl_ushort";
    case DType::u8:
      return "cl_uchar";
  }
  return "void";
}

std::string literal(DType dtype, double value) {
  const bool narrow = dtype == DType::f16 || dtype == DType::bf16;
  return narrow ? fmt::format("{}({})", type_name(dtype), bits_of(dtype, value))
                : number(value, type_name(dtype));
}

std::string set_argument(const Exporting& exporting, const core::Arg& arg) {
  if (const auto* buffer = std::get_if<core::BufferArg>(&arg.value))
    return fmt::format("launch.buffer({});", cpp_name(buffer->name));
  if (const auto* integer = std::get_if<core::IntegerArg>(&arg.value))
    return fmt::format("launch.integer({});", cpp(integer->expr));
  if (const auto* typed = std::get_if<core::TypedIntegerArg>(&arg.value))
    return fmt::format("launch.scalar({}({}));", type_name(typed->dtype), cpp(typed->expr));
  if (const auto* real = std::get_if<core::TypedFloatArg>(&arg.value))
    return fmt::format("launch.scalar({});", literal(real->dtype, real->value));
  if (const auto* local = std::get_if<core::LocalArg>(&arg.value))
    return fmt::format("launch.local({});", cpp(local->bytes));
  const auto* scalar = std::get_if<core::ScalarArg>(&arg.value);
  for (const auto& known : exporting.task.scalars)
    if (scalar != nullptr && known.name == scalar->name)
      return fmt::format("launch.scalar({});",
                         known.expression
                             ? fmt::format("{}({})", type_name(known.dtype), cpp_name(known.name))
                             : literal(known.dtype, known.value));
  return "";  // tensor maps are refused when the plan is read
}

std::string launch_code(const Exporting& exporting, const core::Launch& launch) {
  const auto kernels = kernels_of(exporting.candidate.plan);
  const auto index = std::find(kernels.begin(), kernels.end(), launch.kernel) - kernels.begin();
  return launch_block(launch, [&](const std::string& indent) {
    std::string out = fmt::format("{}launch.start({});\n", indent, index);
    for (const auto& arg : launch.args) out += indent + set_argument(exporting, arg) + "\n";
    return out + fmt::format(
                     "{}if (const cl_int error = launch.launch({}, {}); error != CL_SUCCESS) "
                     "return error;\n",
                     indent, dims(launch.grid), dims(launch.block));
  });
}

// A raw string whose end does not occur in the text. Compilers limit the length of one literal, so
// it comes in pieces.
std::string raw_string(const std::string& text) {
  constexpr std::size_t piece = 8000;
  std::string mark = "hone";
  while (text.find(")" + mark + "\"") != std::string::npos) mark += "_";
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += piece)
    out += fmt::format("{}R\"{}({}){}\"", out.empty() ? "" : "\n    ", mark, text.substr(at, piece),
                       mark);
  return out.empty() ? "\"\"" : out;
}

std::string fact_value(const std::string& fact) {
  if (fact == "sm_count") return "hone_fact<cl_uint>(queue, CL_DEVICE_MAX_COMPUTE_UNITS)";
  if (fact == "warp_size")
    return "std::max<int64_t>(1, hone_fact<cl_uint>(queue, "
           "CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT))";
  if (fact == "shared_per_block")
    return "int64_t(hone_fact<cl_ulong>(queue, CL_DEVICE_LOCAL_MEM_SIZE))";
  if (fact == "l2_bytes")
    return "int64_t(hone_fact<cl_ulong>(queue, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE))";
  return "int64_t(hone_fact<size_t>(queue, CL_DEVICE_MAX_WORK_GROUP_SIZE))";
}

TensorText tensor_text(const std::string& name, DType dtype, const std::string& elements,
                       bool is_input) {
  TensorText text{"cl_mem " + name,
                  fmt::format("  cl_mem {} = device_tensor<{}>(context, {});\n", name,
                              type_name(dtype), elements),
                  ""};
  if (!is_input)
    text.print = fmt::format(
        "  {{\n    {0} first{{}};\n    must(clEnqueueReadBuffer(queue, {1}, CL_TRUE, 0, sizeof "
        "first, &first, 0, nullptr, nullptr), \"clEnqueueReadBuffer\");\n"
        "    std::printf(\"{1}[0] = %g\\n\", double(first));\n  }}\n",
        type_name(dtype), name);
  return text;
}

}  // namespace

std::vector<ExportedFile> export_opencl(const Exporting& exporting) {
  const core::Plan& plan = exporting.candidate.plan;
  Gaps gaps = common_gaps(exporting);
  add_tensors(exporting, gaps, tensor_text);
  std::string facts, sum, scratch, launches, options;
  for (const auto& fact : device_facts_used(exporting))
    facts += fmt::format("  [[maybe_unused]] const int64_t {} = {};\n", fact, fact_value(fact));
  for (const auto& buffer : plan.scratch) {
    const std::string bytes =
        fmt::format("hone_padded(queue, {} * {})", core::size_of(buffer.dtype),
                    product(expressions(buffer.shape)));
    sum += fmt::format("  hone_bytes += {};  // {}\n", bytes, buffer.name);
    scratch += fmt::format("  const cl_mem {} = launch.take(workspace, {});\n",
                           cpp_name(buffer.name), bytes);
  }
  for (const auto& launch : plan.launches) launches += launch_code(exporting, launch);
  for (const auto& [name, value] : exporting.point) options += fmt::format(" -D{}={}", name, value);
  std::vector<std::string> quoted;
  for (const auto& name : kernels_of(plan)) quoted.push_back("\"" + name + "\"");
  gaps.insert({{"facts", facts},
               {"workspace_sum", sum},
               {"workspace_argument", scratch.empty() ? "" : ", workspace"},
               {"scratch", scratch},
               {"launches", launches},
               {"options", options},
               {"kernel_names", joined(quoted, ", ")},
               {"source", raw_string(exporting.candidate.source)}});
  return {{exporting.function + ".h", filled("export/opencl.h", gaps)},
          {exporting.function + ".cpp", filled("export/opencl.cpp", gaps)},
          {exporting.function + "_example.cpp", filled("export/opencl_example.cpp", gaps)},
          {"Makefile", filled("export/opencl_makefile", gaps)}};
}

}  // namespace hone::exports
