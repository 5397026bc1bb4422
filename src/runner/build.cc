// Building with a cache: an entry's name is a hash of everything that goes into the build; it is
// written under another name and renamed into place, so that any number of processes can share the
// cache.
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "runner/messages.h"
#include "runner/runner.h"
#include "runner/seconds_since.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;
using base::Failure;

constexpr std::uint64_t largest_image = 256u << 20;
constexpr const char* cache_version = "2";

std::string cache_key(const device::BuildRequest& request, const core::DeviceInfo& info) {
  base::Hasher hasher;
  hasher.add(cache_version)
      .add(core::name_of(request.language))
      .add(request.source)
      .add(request.name)
      .add(request.arch)
      .add(info.compiler);
  if (request.language != core::Language::cuda) hasher.add(info.uuid).add(info.driver);
  for (const auto& [name, value] : request.defines) hasher.add(name).add(value);
  if (request.line_info) hasher.add("line information");
  if (request.disturb != 0) hasher.add("disturbed").add(std::to_string(request.disturb));
  return hasher.hex();
}

fs::path cache_place(const std::string& key) {
  return base::home_folder() / "cache" / "build" / key.substr(0, 2) / key.substr(2);
}

// What lies beside the image in the cache.
struct Kept {
  std::string image_hash;
  device::BuildResult result;
};

void describe(base::Fields& f, Kept& kept) {
  f("image", kept.image_hash)("log", kept.result.log)("forbidden", kept.result.forbidden);
  f("traits", kept.result.traits);
}

std::optional<Built> from_cache(const fs::path& place) {
  std::error_code ec;
  if (!fs::is_regular_file(place / "meta.json", ec)) return std::nullopt;
  try {
    auto kept = base::from_json<Kept>(base::read_file(place / "meta.json"));
    if (!kept) return std::nullopt;
    Built built;
    built.cached = true;
    built.result = std::move(kept->result);
    built.result.ok = true;
    built.result.image = base::read_file(place / "image", largest_image);
    if (base::sha256_hex(built.result.image) != kept->image_hash)
      return std::nullopt;  // damaged: build again
    return built;
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

void into_cache(const fs::path& place, const device::BuildResult& result) {
  try {
    base::make_folder(place.parent_path());
    const fs::path aside =
        place.parent_path() /
        fmt::format(".{}.{}", place.filename().string().substr(0, 16), ::getpid());
    base::make_folder(aside);
    base::write_file_atomically(aside / "image", result.image);
    base::write_file_atomically(aside / "meta.json",
                                base::json_line(Kept{base::sha256_hex(result.image), result}));
    std::error_code ec;
    fs::rename(aside, place, ec);
    if (ec) {  // another process has written the same entry, or a damaged one is there
      fs::remove_all(place, ec);
      fs::rename(aside, place, ec);
      if (ec) fs::remove_all(aside, ec);
    }
  } catch (const base::Error&) {
    // A full or read-only disk: the build itself is fine.
  }
}

}  // namespace

base::Result<Built, Fault> build(const device::BuildRequest& request, const core::DeviceInfo& info,
                                 double seconds) {
  const auto start = Clock::now();
  const fs::path place = cache_place(cache_key(request, info));
  if (auto built = from_cache(place)) {
    built->seconds = seconds_since(start);
    return *std::move(built);
  }
  SandboxSpec spec;
  spec.gpu = request.language == core::Language::opencl &&
             !core::capabilities(info).native_code;  // OpenCL's compiler is part of the driver
  if (!isolation_problem().empty()) spec.isolation = Isolation::limits;
  Sandboxed process = start_sandboxed(spec);
  const base::Fd source = memory_file(request.source, "source");
  BuildOrder order{request};
  order.request.device_id = device::lasting_id(info);
  send_packet(process.socket(), to_text(order), {source.get()});
  if (!wait_readable(process.socket(), seconds)) {
    process.kill();
    return Failure{Fault{core::Outcome::build_failed,
                         fmt::format("the compiler did not finish within {:.3g} s", seconds)}};
  }
  const auto packet = receive_packet(process.socket());
  if (!packet)
    return Failure{Fault{core::Outcome::build_failed,
                         fmt::format("the compiler {}: {}", process.wait_end().text,
                                     base::valid_utf8(process.take_log()))}};
  const Failure no_sense{
      Fault{core::Outcome::build_failed, "the compiler's answer makes no sense"}};
  const auto head = head_of(packet->text);
  if (head && head->broken)
    base::fail(base::ExitCode::environment, "{}: {}", info.id, *head->broken);
  if (!head || packet->fds.size() != 2) return no_sense;
  Built built;
  try {
    base::read_json(packet->text, [&](base::Fields& f) {
      f.optional("built", built.result.ok).optional("forbidden", built.result.forbidden);
      f.optional("traits", built.result.traits);
    });
  } catch (const base::Error&) {
    return no_sense;
  }
  built.result.image = read_memory_file(packet->fds[0], largest_image);
  built.result.log = read_memory_file(packet->fds[1], largest_image);
  if (built.result.ok) into_cache(place, built.result);
  built.seconds = seconds_since(start);
  return built;
}

}  // namespace hone::runner
