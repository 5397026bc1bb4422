// Building with a cache: an entry's name is a hash of everything that goes into the build; it is
// written under another name and renamed into place, so that any number of processes can share the
// cache.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "runner/messages.h"
#include "runner/runner.h"
#include "runner/seconds_since.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;
using base::Failure;
using nlohmann::json;

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

std::optional<Built> from_cache(const fs::path& place) {
  std::error_code ec;
  if (!fs::is_regular_file(place / "meta.json", ec)) return std::nullopt;
  try {
    const auto meta = json::parse(base::read_file(place / "meta.json"));
    Built built;
    built.cached = true;
    built.result.ok = true;
    built.result.image = base::read_file(place / "image", largest_image);
    if (base::sha256_hex(built.result.image) != meta.at("image"))
      return std::nullopt;  // damaged: build again
    built.result.log = meta.at("log");
    built.result.forbidden = meta.at("forbidden").get<std::vector<std::string>>();
    built.result.traits = meta.at("traits").get<std::vector<std::string>>();
    return built;
  } catch (const std::exception&) {
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
    base::write_file_atomically(aside / "meta.json", json{{"image", base::sha256_hex(result.image)},
                                                          {"log", valid_utf8(result.log)},
                                                          {"forbidden", result.forbidden},
                                                          {"traits", result.traits}}
                                                         .dump());
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
  json message = to_json(request);
  message["device"] = device::lasting_id(info);
  send_packet(process.socket(), json{{"op", "build"}, {"request", message}}.dump(), {source.get()});
  if (!wait_readable(process.socket(), seconds)) {
    process.kill();
    return Failure{Fault{core::Outcome::build_failed,
                         fmt::format("the compiler did not finish within {:.3g} s", seconds)}};
  }
  const auto packet = receive_packet(process.socket());
  if (!packet)
    return Failure{Fault{core::Outcome::build_failed,
                         fmt::format("the compiler {}: {}", process.wait_end().text,
                                     valid_utf8(process.take_log()))}};
  const auto body = json::parse(packet->text, nullptr, false);
  if (body.is_object() && body.contains("broken"))
    base::fail(base::ExitCode::environment, "{}: {}", info.id,
               body.value("broken", std::string("?")));
  if (!body.is_object() || packet->fds.size() != 2)
    return Failure{Fault{core::Outcome::build_failed, "the compiler's answer makes no sense"}};
  Built built;
  built.result.ok = body.value("built", false);
  built.result.image = read_memory_file(packet->fds[0], largest_image);
  built.result.log = read_memory_file(packet->fds[1], largest_image);
  built.result.forbidden = body.value("forbidden", std::vector<std::string>());
  built.result.traits = body.value("traits", std::vector<std::string>());
  if (built.result.ok) into_cache(place, built.result);
  built.seconds = seconds_since(start);
  return built;
}

}  // namespace hone::runner
