// The CUDA export: a .cu with the kernels behind a launcher, for nvcc.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/resources.h"
#include "core/source_lines.h"
#include "export/cpp_project.h"
#include "export/cpp_text.h"
#include "export/formats.h"

namespace hone::exports {
namespace {

using core::DType;

const char* type_name(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return "double";
    case DType::f32:
      return "float";
    case DType::f16:
      return "__half";
    case DType::bf16:
      return "__nv_bfloat16";
    case DType::i64:
      return "int64_t";
    case DType::i32:
      return "int32_t";
    case DType::i16:
      return "int16_t";
    case DType::i8:
      return "int8_t";
    case DType::u64:
      return "uint64_t";
    case DType::u32:
      return "uint32_t";
    case DType::u16:
      return "uint16_t";
    case DType::u8:
      return "uint8_t";
  }
  return "void";
}

std::string literal(DType dtype, double value) {
  if (dtype == DType::f16) return fmt::format("__half(__half_raw{{{}}})", bits_of(dtype, value));
  if (dtype == DType::bf16)
    return fmt::format("__nv_bfloat16(__nv_bfloat16_raw{{{}}})", bits_of(dtype, value));
  return number(value, type_name(dtype));
}

struct CudaArgument {
  std::string type, value;
};

CudaArgument argument(const Exporting& exporting, const core::Arg& arg) {
  if (const auto* buffer = std::get_if<core::BufferArg>(&arg.value))
    return {"HonePointer", fmt::format("HonePointer{{{}}}", cpp_name(buffer->name))};
  if (const auto* map = std::get_if<core::TensorMapArg>(&arg.value))
    return {"CUtensorMap", cpp_name(map->name)};
  if (const auto* integer = std::get_if<core::IntegerArg>(&arg.value))
    return {"int64_t", cpp(integer->expr)};
  if (const auto* typed = std::get_if<core::TypedIntegerArg>(&arg.value))
    return {type_name(typed->dtype),
            fmt::format("{}({})", type_name(typed->dtype), cpp(typed->expr))};
  if (const auto* real = std::get_if<core::TypedFloatArg>(&arg.value))
    return {type_name(real->dtype), literal(real->dtype, real->value)};
  const auto* scalar = std::get_if<core::ScalarArg>(&arg.value);
  for (const auto& known : exporting.task.scalars)
    if (scalar != nullptr && known.name == scalar->name)
      return {type_name(known.dtype),
              known.expression ? fmt::format("{}({})", type_name(known.dtype), cpp_name(known.name))
                               : literal(known.dtype, known.value)};
  return {"int64_t", "0"};  // local buffers are refused when the plan is read
}

const char* map_type(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return "CU_TENSOR_MAP_DATA_TYPE_FLOAT64";
    case DType::f32:
      return "CU_TENSOR_MAP_DATA_TYPE_FLOAT32";
    case DType::f16:
      return "CU_TENSOR_MAP_DATA_TYPE_FLOAT16";
    case DType::bf16:
      return "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16";
    case DType::i64:
      return "CU_TENSOR_MAP_DATA_TYPE_INT64";
    case DType::i32:
      return "CU_TENSOR_MAP_DATA_TYPE_INT32";
    default:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT8";
  }
}

struct Tensor {
  DType dtype;
  std::vector<base::Expr> shape;
};

Tensor tensor_named(const Exporting& exporting, const std::string& name) {
  for (const auto& input : exporting.task.inputs)
    if (input.name == name) return {input.dtype, input.shape};
  for (const auto& output : exporting.task.outputs)
    if (output.name == name) return {output.dtype, output.shape};
  for (const auto& scratch : exporting.candidate.plan.scratch)
    if (scratch.name == name) return {scratch.dtype, expressions(scratch.shape)};
  return {DType::f32, {}};
}

std::string braced(const std::vector<base::Expr>& list) {
  std::vector<std::string> parts;
  for (const auto& item : list) parts.push_back(fmt::format("int64_t({})", cpp(item)));
  return "{" + joined(parts, ", ") + "}";
}

std::string encode(const Exporting& exporting, const core::TensorMap& map,
                   const std::string& indent) {
  const Tensor tensor = tensor_named(exporting, map.tensor);
  const auto shape = map.shape.empty() ? tensor.shape : expressions(map.shape);
  const auto strides = map.element_strides.empty()
                           ? std::vector<base::Expr>(shape.size(), base::Expr(1))
                           : expressions(map.element_strides);
  const auto choice = [](const char* prefix, int bytes) {
    return fmt::format("{}_{}", prefix, bytes == 0 ? "NONE" : std::to_string(bytes) + "B");
  };
  return fmt::format(
      "{0}CUtensorMap {1};\n{0}if (const cudaError_t error = hone_encode(&{1}, {2}, {3}, {4}, {5}, "
      "{6}, {7}, {8}, {9}, {10}, {11});\n{0}    error != cudaSuccess)\n{0}  return error;\n",
      indent, cpp_name(map.name), map_type(tensor.dtype), core::size_of(tensor.dtype),
      cpp_name(map.tensor), braced(shape), braced(expressions(map.box)), braced(strides),
      choice("CU_TENSOR_MAP_INTERLEAVE", map.interleave),
      choice("CU_TENSOR_MAP_SWIZZLE", map.swizzle),
      map.l2 == 0 ? std::string("CU_TENSOR_MAP_L2_PROMOTION_NONE")
                  : fmt::format("CU_TENSOR_MAP_L2_PROMOTION_L2_{}B", map.l2),
      map.fill_nan ? "CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA"
                   : "CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE");
}

std::string launch_code(const Exporting& exporting, const core::Launch& launch, std::size_t index) {
  std::string values;
  for (const auto& arg : launch.args) values += ", " + argument(exporting, arg).value;
  const auto uses = [&](const core::TensorMap& map) {
    return std::any_of(launch.args.begin(), launch.args.end(), [&](const core::Arg& arg) {
      const auto* used = std::get_if<core::TensorMapArg>(&arg.value);
      return used != nullptr && used->name == map.name;
    });
  };
  return launch_block(launch, [&](const std::string& indent) {
    std::string out;
    for (const auto& map : exporting.candidate.plan.tensormaps)
      if (uses(map)) out += encode(exporting, map, indent);
    out += fmt::format(
        "{}HoneLaunch launch(stream, {}, {{{}}}, {{{}}}, {{{}}}, {});\n", indent,
        launch.shared ? cpp(launch.shared->expr) : "0", dims(launch.grid), dims(launch.block),
        launch.cluster.empty() ? "0, 0, 0" : dims(launch.cluster), launch.cooperative);
    return out + fmt::format(
                     "{0}if (const cudaError_t error = hone_launch_{1}(launch{2}); error != "
                     "cudaSuccess) return error;\n{0}hone_launched = true;\n",
                     indent, index, values);
  });
}

const char* fact_attribute(const std::string& fact) {
  if (fact == "sm_count") return "cudaDevAttrMultiProcessorCount";
  if (fact == "warp_size") return "cudaDevAttrWarpSize";
  if (fact == "shared_per_block") return "cudaDevAttrMaxSharedMemoryPerBlockOptin";
  if (fact == "l2_bytes") return "cudaDevAttrL2CacheSize";
  return "cudaDevAttrMaxThreadsPerBlock";
}

TensorText tensor_text(const std::string& name, DType dtype, const std::string& elements,
                       bool is_input) {
  const char* type = type_name(dtype);
  TensorText text{fmt::format("{}{}* {}", is_input ? "const " : "", type, name),
                  fmt::format("  {0}* {1} = device_tensor<{0}>({2});\n", type, name, elements), ""};
  if (!is_input && dtype != DType::f16 && dtype != DType::bf16)
    text.print = fmt::format(
        "  {{\n    {0} first{{}};\n    must(cudaMemcpy(&first, {1}, sizeof first, "
        "cudaMemcpyDeviceToHost), \"cudaMemcpy\");\n"
        "    std::printf(\"{1}[0] = %g\\n\", double(first));\n  }}\n",
        type, name);
  return text;
}

void add_scratch(const Exporting& exporting, Gaps& gaps) {
  std::string sum, scratch;
  for (const auto& buffer : exporting.candidate.plan.scratch) {
    const std::string bytes = fmt::format("hone_padded({} * {})", core::size_of(buffer.dtype),
                                          product(expressions(buffer.shape)));
    sum += fmt::format("  hone_bytes += {};  // {}\n", bytes, buffer.name);
    scratch += fmt::format("  void* const {} = hone_next;\n  hone_next += {};\n",
                           cpp_name(buffer.name), bytes);
  }
  if (!scratch.empty())
    scratch =
        "  if (workspace == nullptr) return cudaErrorInvalidValue;\n  char* hone_next = "
        "static_cast<char*>(workspace);\n" +
        scratch;
  gaps["workspace_sum"] = sum;
  gaps["scratch"] = scratch;
}

// Calls in the launcher, and behind the kernels what they call: there the kernels' own parameter
// types are known.
void add_launches(const Exporting& exporting, Gaps& gaps) {
  std::string launches, declarations, definitions, renames;
  const auto& all = exporting.candidate.plan.launches;
  for (std::size_t i = 0; i < all.size(); ++i) {
    launches += launch_code(exporting, all[i], i);
    std::string parameters, passed;
    for (std::size_t a = 0; a < all[i].args.size(); ++a) {
      parameters += fmt::format(", {} hone_{}", argument(exporting, all[i].args[a]).type, a);
      passed += fmt::format(", hone_{}", a);
    }
    const std::string signature =
        fmt::format("cudaError_t hone_launch_{}(const HoneLaunch& hone_l{})", i, parameters);
    declarations += signature + ";\n";
    definitions += fmt::format("{} {{ return hone_start(hone_l, {}{}); }}\n", signature,
                               all[i].kernel, passed);
  }
  // Kernels have C names: two exports in one program would clash.
  for (const auto& kernel : kernels_of(exporting.candidate.plan))
    renames += fmt::format("#define {} hone_{}_{}\n", kernel, exporting.function, kernel);
  gaps["launches"] = launches;
  gaps["declarations"] = declarations;
  gaps["definitions"] = definitions;
  gaps["renames"] = renames;
}

std::string includes(const Exporting& exporting) {
  std::set<DType> types;
  for (const auto& input : exporting.task.inputs) types.insert(input.dtype);
  for (const auto& output : exporting.task.outputs) types.insert(output.dtype);
  for (const auto& scalar : exporting.task.scalars) types.insert(scalar.dtype);
  for (const auto& launch : exporting.candidate.plan.launches)
    for (const auto& arg : launch.args)
      if (const auto* real = std::get_if<core::TypedFloatArg>(&arg.value))
        types.insert(real->dtype);
  return fmt::format("{}{}", types.contains(DType::bf16) ? "#include <cuda_bf16.h>\n" : "",
                     types.contains(DType::f16) ? "#include <cuda_fp16.h>\n" : "");
}

}  // namespace

std::vector<ExportedFile> export_cuda(const Exporting& exporting) {
  const core::Plan& plan = exporting.candidate.plan;
  Gaps gaps = common_gaps(exporting);
  add_tensors(exporting, gaps, tensor_text);
  add_scratch(exporting, gaps);
  add_launches(exporting, gaps);
  for (const auto& fact : device_facts_used(exporting))
    gaps["facts"] += fmt::format("  [[maybe_unused]] const int64_t {} = hone_fact({});\n", fact,
                                 fact_attribute(fact));
  gaps["facts"];  // there may be none
  gaps["includes"] = includes(exporting);
  gaps["source"] = core::without_line_restart(exporting.candidate.source);
  const bool maps = !plan.tensormaps.empty();
  const bool hopper =
      maps || std::any_of(plan.launches.begin(), plan.launches.end(),
                          [](const core::Launch& launch) { return !launch.cluster.empty(); });
  gaps["driver_include"] = maps ? "#include <cuda.h>\n" : "";
  gaps["tensormap_code"] = maps ? base::resource("export/cuda_tensormap.cu") : "";
  gaps["arch"] = hopper ? "sm_90a" : "native";
  return {{exporting.function + ".h", filled("export/cuda.h", gaps)},
          {exporting.function + ".cu", filled("export/cuda.cu", gaps)},
          {exporting.function + "_example.cu", filled("export/cuda_example.cu", gaps)},
          {"Makefile", filled("export/cuda_makefile", gaps)}};
}

}  // namespace hone::exports
