#include "device/cuda_session.h"

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/resources.h"
#include "device/cuda_backend.h"
#include "device/cuda_compile.h"

namespace hone::device::cuda {
namespace {

constexpr std::size_t smallest_limit =
    1024;  // bytes; the driver rounds up to the least it supports

int ordinal_of(const core::DeviceInfo& info) {
  constexpr std::string_view prefix = "cuda:";
  int ordinal = -1;
  if (info.id.starts_with(prefix)) ordinal = std::atoi(info.id.c_str() + prefix.size());
  if (ordinal < 0)
    base::fail(base::ExitCode::bad_input,
               "'{}' is no CUDA device: they are named cuda:0, cuda:1, ...", info.id);
  return ordinal;
}

std::optional<std::filesystem::path> cache_file(const std::string& key) {
  try {
    return base::home_folder() / "cache" / "cuda" / (key + ".cubin");
  } catch (const base::Error&) {
    return std::nullopt;  // no home: compile each time
  }
}

}  // namespace

Session::Session(const core::DeviceInfo& info) : api_(require_driver()), arch_(info.arch) {
  check(api_.device_get(&device_, ordinal_of(info)), "looking up " + info.id);
  if (!info.uuid.empty() && uuid_of(device_) != info.uuid)
    base::fail(base::ExitCode::environment,
               "{} is now {}, but was {}: has CUDA_VISIBLE_DEVICES changed?", info.id,
               uuid_of(device_), info.uuid);
  // Spinning: a wait is part of every sample, and waking a sleeping thread costs tens of
  // microseconds. Local memory is kept at its largest size, because the driver would otherwise
  // shrink and grow it between kernels, inside a timed call.
  check(api_.context_create(&context_, context_spin | context_keep_local_memory, device_),
        "creating a context on " + info.id);
  // No cache lines that survive a flush.
  if (const Result result = api_.context_set_limit(limit_persisting_l2, 0);
      result != error_unsupported_limit)
    check(result, "setting the persisting L2 cache to nothing");
  // Candidates that use the heap or print are refused; a driver that will not shrink these buffers
  // keeps what no candidate can reach.
  (void)api_.context_set_limit(limit_heap_bytes, smallest_limit);
  (void)api_.context_set_limit(limit_printf_bytes, smallest_limit);
  check(api_.stream_create(&stream_, stream_non_blocking), "creating a stream");
}

Session::~Session() {
  if (context_ == nullptr) return;
  (void)api_.context_set_current(context_);
  if (stream_ != nullptr) (void)api_.stream_destroy(stream_);
  (void)api_.context_destroy(context_);
}

void Session::make_current() const {
  check(api_.context_set_current(context_), "making the context current");
}

int Session::attribute(DeviceAttribute which) const {
  int value = 0;
  return api_.device_attribute(&value, which, device_) == success ? value : 0;
}

Module Session::load_own(const std::string& name) const {
  const std::string cubin = own_cubin(name, arch_);
  Module module = nullptr;
  check(api_.module_load(&module, cubin.data(), 0, nullptr, nullptr), "loading Hone's own " + name);
  return module;
}

Function Session::own_kernel(Module module, const char* name) const {
  Function function = nullptr;
  check(api_.module_function(&function, module, name),
        std::string("looking up Hone's own kernel ") + name);
  if (api_.function_load != nullptr)
    check(api_.function_load(function), std::string("loading Hone's own kernel ") + name);
  return function;
}

std::string own_cubin(const std::string& name, const std::string& arch) {
  const std::string source = base::resource("cuda/" + name);
  base::Hasher hasher;
  hasher.add(source).add(arch).add(compiler_version());
  const auto file = cache_file(hasher.hex());
  std::error_code ec;
  if (file && std::filesystem::exists(*file, ec)) {
    try {
      return base::read_file(*file);
    } catch (const base::Error&) {  // unreadable: compile
    }
  }
  const BuildResult built = compile({.language = core::Language::cuda,
                                     .device_id = {},
                                     .arch = arch,
                                     .source = source,
                                     .name = name,
                                     .defines = {}});
  if (!built.ok)
    base::fail(base::ExitCode::environment,
               "Hone's own kernels (resources/cuda/{}) do not compile for {}:\n{}", name, arch,
               built.log);
  if (file) {
    try {
      base::make_folder(file->parent_path());
      base::write_file_atomically(*file, built.image);
    } catch (const base::Error&) {  // a full or read-only disk costs a compilation each time,
                                    // nothing else
    }
  }
  return built.image;
}

}  // namespace hone::device::cuda
