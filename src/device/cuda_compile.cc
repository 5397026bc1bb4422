#include "device/cuda_compile.h"

#include <memory>

#include "base/error.h"
#include "base/resources.h"
#include "device/cuda_api.h"
#include "device/cuda_image.h"
#include "device/cuda_toolkit.h"
#include "device/ptx_disturb.h"
#include "device/ptx_lines.h"
#include "device/ptx_traits.h"

namespace hone::device::cuda {
namespace {

const Nvrtc& require_nvrtc() {
  const Nvrtc& table = nvrtc();
  if (!table.missing.empty())
    base::fail(base::ExitCode::environment, "CUDA sources cannot be compiled: {}: {}",
               table.missing, nvrtc_fix);
  return table;
}

void check_nvrtc(int result, const char* doing) {
  if (result != 0)
    base::fail(base::ExitCode::environment, "NVRTC: {}: {}", doing, nvrtc().error_string(result));
}

constexpr int first_with_no_cache = 13;  // major version of NVRTC that is sure to know --no-cache

// NVRTC has no C library, yet cuda.h and many sources include <stdint.h> and the like. These stand
// in for it.
struct StandInHeaders {
  std::vector<std::string> names, texts;
  std::vector<const char*> name_pointers, text_pointers;

  StandInHeaders() {
    const std::string prefix = "cuda/include/";
    for (const auto& name : base::resource_names(prefix)) {
      names.push_back(name.substr(prefix.size()));
      texts.push_back(base::resource(name));
    }
    for (const auto& name : names) name_pointers.push_back(name.c_str());
    for (const auto& text : texts) text_pointers.push_back(text.c_str());
  }
};

std::vector<std::string> options_for(const BuildRequest& request) {
  std::vector<std::string> options = {
      "--gpu-architecture=" + request.arch, "--std=c++17", "--ptxas-options=-v",
      "--define-macro=NDEBUG"};  // assert() would print, which device code may not
  if (request.line_info) options.emplace_back("--generate-line-info");
  // NVRTC keeps a cache through the driver, which it starts for that, in whatever process compiles.
  // Hone has a cache of its own.
  int major = 0, minor = 0;
  if (nvrtc().version(&major, &minor) == 0 && major >= first_with_no_cache)
    options.emplace_back("--no-cache");
  for (const auto& folder : header_folders(nvrtc().path))
    options.push_back("--include-path=" + folder);
  for (const auto& [name, value] : request.defines)
    options.push_back("--define-macro=" + name + "=" + value);
  return options;
}

template <typename Size, typename Get>
std::string fetch(Program program, Size size, Get get, const char* what) {
  std::size_t bytes = 0;
  check_nvrtc(size(program, &bytes), what);
  std::string text(bytes, '\0');
  if (bytes > 0) check_nvrtc(get(program, text.data()), what);
  return text;
}

void drop_final_nul(std::string& text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
}

}  // namespace

namespace {

struct Compiled {
  BuildResult result;
  std::string ptx;
};

Compiled compile_once(const BuildRequest& request) {
  const Nvrtc& table = require_nvrtc();
  const StandInHeaders headers;
  Program program = nullptr;
  check_nvrtc(table.create(&program, request.source.c_str(), request.name.c_str(),
                           static_cast<int>(headers.names.size()), headers.text_pointers.data(),
                           headers.name_pointers.data()),
              "taking in a source");
  const auto destroy = [&](Program* p) { table.destroy(p); };
  const std::unique_ptr<Program, decltype(destroy)> owned(&program, destroy);
  const auto options = options_for(request);
  std::vector<const char*> pointers;
  for (const auto& option : options) pointers.push_back(option.c_str());

  const int outcome = table.compile(program, static_cast<int>(pointers.size()), pointers.data());
  Compiled made;
  BuildResult& result = made.result;
  result.log = fetch(program, table.log_size, table.log, "reading the compiler's log");
  drop_final_nul(result.log);
  if (outcome != 0) {
    if (result.log.empty())
      result.log = fmt::format("{}: NVRTC: {}", request.name, table.error_string(outcome));
    return made;
  }
  result.image = fetch(program, table.cubin_size, table.cubin, "reading the cubin");
  made.ptx = fetch(program, table.ptx_size, table.ptx, "reading the PTX");
  drop_final_nul(made.ptx);
  result.ok = !result.image.empty();
  if (!result.ok)
    result.log += fmt::format("{}: NVRTC made no cubin for {}: name a real architecture (sm_90a)\n",
                              request.name, request.arch);
  return made;
}

}  // namespace

BuildResult compile(const BuildRequest& request) {
  if (request.arch.empty())
    base::fail(base::ExitCode::bad_input,
               "{}: no architecture to compile for: name one, such as sm_90a", request.name);
  if (request.source.find('\0') != std::string::npos)
    return {.log = request.name + ": the source holds a zero byte: it is no text"};
  auto [result, ptx] = compile_once(request);
  if (!result.ok) return std::move(result);
  // ptxas names lines of the PTX, which a reader does not have. Compiled with line information, the
  // PTX tells the source's.
  if (names_ptx_lines(result.log) && request.disturb == 0) {
    BuildRequest with_lines = request;
    with_lines.line_info = true;
    const auto again = request.line_info ? Compiled{result, ptx} : compile_once(with_lines);
    result.log = with_source_lines(again.result.log, again.ptx, request.name);
  }
  result.forbidden = forbidden_things(result.image, ptx);
  result.traits = ptx_traits(ptx);
  if (request.disturb != 0) result.image = disturb_ptx(ptx, request.disturb).ptx;
  return std::move(result);
}

std::string compiler_version() {
  const Nvrtc& table = nvrtc();
  int major = 0, minor = 0;
  if (!table.missing.empty() || table.version(&major, &minor) != 0) return {};
  return fmt::format("NVRTC {}.{}", major, minor);
}

}  // namespace hone::device::cuda
