#include "runner/oracle.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/resources.h"
#include "device/host_tensor_ops.h"
#include "runner/python.h"
#include "runner/trim_log.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using base::ExitCode;
using base::Fd;
using core::DType;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr double compile_seconds = 120, start_seconds = 120;
constexpr std::uint64_t largest_object = 256u << 20, alignment = 4096;

SandboxSpec oracle_sandbox() {
  SandboxSpec spec;
  // Several times the tensors of a large case, but no more than the machine has.
  constexpr std::uint64_t most = 64ull << 30, least = 4ull << 30;
  spec.memory_bytes = std::clamp<std::uint64_t>(device::available_host_bytes(), least, most);
  if (!isolation_problem().empty()) spec.isolation = Isolation::limits;
  return spec;
}

json answer_of(Sandboxed& process, const std::string& what, double seconds,
               const ReferenceLimit& limit = {}, std::vector<Fd>* fds = nullptr) {
  if (const double most = limit.at_most(seconds);
      !wait_and_tell(process.socket(), most, limit.teller(what, most))) {
    if (limit.over()) limit.fail(what);
    base::fail(ExitCode::bad_input, "{} did not finish within {:.3g} s", what, seconds);
  }
  auto packet = receive_packet(process.socket());
  if (!packet) {
    const std::string log = process.take_log();
    base::fail(ExitCode::bad_input, "{} {}{}", what, process.wait_end().text,
               log.empty() ? "" : ": " + log);
  }
  auto body = json::parse(packet->text, nullptr, false);
  if (!body.is_object()) base::fail(ExitCode::bad_input, "{} gave no usable answer", what);
  if (body.contains("broken"))
    base::fail(ExitCode::environment, "{}", body.value("broken", std::string("?")));
  if (fds != nullptr) *fds = std::move(packet->fds);
  return body;
}

// Compiled objects are cached like other builds: under a hash of everything that goes into them.
std::string compiled(const core::Task& task, DType real, const ReferenceLimit& limit) {
  const std::string header = base::resource("include/hone/reference.h"),
                    abi = base::resource("include/hone/reference_abi.h");
  base::Hasher hasher;
  hasher.add("reference 1").add(task.reference_cc).add(core::name_of(real)).add(header).add(abi);
  // Because of -march=native, an object is for this processor only.
  const std::string cpu = base::read_file("/proc/cpuinfo");
  hasher.add(cpu.substr(cpu.find("flags"), 2000));
  const std::string key = hasher.hex();
  const fs::path place =
      base::home_folder() / "cache" / "reference" / key.substr(0, 2) / (key.substr(2) + ".so");
  std::error_code ec;
  if (fs::is_regular_file(place, ec)) return base::read_file(place);

  const std::string what =
      fmt::format("the compilation of {}", (task.folder / "reference.cc").string());
  Sandboxed process = start_sandboxed(oracle_sandbox());
  const Fd files[] = {memory_file(task.reference_cc, "source"), memory_file(header, "header"),
                      memory_file(abi, "abi")};
  send_packet(
      process.socket(),
      json{{"op", "compile_reference"}, {"real", real == DType::f64 ? "double" : "float"}}.dump(),
      {files[0].get(), files[1].get(), files[2].get()});
  std::vector<Fd> fds;
  const json body = answer_of(process, what, compile_seconds, limit, &fds);
  if (fds.size() != 2) base::fail(ExitCode::environment, "{} gave no usable answer", what);
  if (!body.value("built", false))
    base::fail(ExitCode::bad_input, "{} does not compile:\n{}",
               (task.folder / "reference.cc").string(),
               trim_log(read_memory_file(fds[1], largest_object)));
  std::string object = read_memory_file(fds[0], largest_object);
  try {
    base::make_folder(place.parent_path());
    base::write_file_atomically(place, object);
  } catch (const base::Error&) {
    // A full or read-only disk: the reference will be compiled again.
  }
  return object;
}

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// All tensors of one call, in one memory file.
class Arena {
 public:
  explicit Arena(std::uint64_t bytes) : bytes_(bytes), fd_(::memfd_create("tensors", MFD_CLOEXEC)) {
    if (!fd_ || ::ftruncate(fd_.get(), static_cast<off_t>(bytes)) != 0)
      base::fail(ExitCode::environment, "{} MiB for a reference cannot be allocated: {}",
                 bytes >> 20, base::errno_text());
    base_ = static_cast<char*>(
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0));
    if (base_ == MAP_FAILED)
      base::fail(ExitCode::environment, "{} MiB for a reference cannot be mapped: {}", bytes >> 20,
                 base::errno_text());
  }
  ~Arena() { ::munmap(base_, bytes_); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  char* at(std::uint64_t offset) { return base_ + offset; }
  int fd() const { return fd_.get(); }

 private:
  std::uint64_t bytes_;
  Fd fd_;
  char* base_ = nullptr;
};

// The places of tensors in an arena, and the list of them for the process: [name, dtype, elements,
// offset] each.
struct Layout {
  json described = json::array();
  std::vector<std::uint64_t> at;
  std::uint64_t bytes = 0;

  void add(const ReferenceTensor& tensor, std::uint64_t element) {
    at.push_back(bytes);
    described.push_back(
        {tensor.name, std::string(core::name_of(tensor.dtype)), tensor.elements, bytes});
    bytes += aligned(static_cast<std::uint64_t>(tensor.elements) * element);
  }
};

// A Python with the problem loaded. `what` is its file, for messages.
Sandboxed start_oracle(const std::string& form, const std::string& problem, const std::string& what,
                       const Python& python, bool gpu, const ReferenceLimit& limit = {}) {
  SandboxSpec spec = oracle_sandbox();
  spec.gpu = gpu;
  Sandboxed process = start_python(python, "oracle.py", spec);
  const Fd source = memory_file(problem, "reference.py");
  send_packet(process.socket(),
              json{{"op", "problem"},
                   {"form", form},
                   {"threads", std::thread::hardware_concurrency()},
                   {"device", gpu ? "any" : "cpu"}}
                  .dump(),
              {source.get()});
  const json body = answer_of(process, what, start_seconds, limit);
  if (body.contains("error"))
    base::fail(ExitCode::bad_input, "{}: {}", what, body.value("error", std::string("?")));
  return process;
}

Sandboxed start_oracle(const core::Task& task, const Python& python, bool gpu,
                       const ReferenceLimit& limit = {}) {
  return start_oracle(task.reference_form,
                      task.own_check ? task.own_check->problem : *task.reference_py,
                      (task.folder / "reference.py").string(), python, gpu, limit);
}

// A GPU draws and computes problems of many gigabytes in seconds, a CPU in minutes.
bool has_gpu() { return fs::exists("/dev/nvidiactl"); }

}  // namespace

nlohmann::json describe_python(const core::Task& task, const Python& python, double seconds,
                               const std::function<void(const std::string&)>& say) {
  ReferenceLimit starting;
  starting.say = say;
  Sandboxed process = start_oracle(task, python, has_gpu(), starting);
  send_packet(process.socket(), json{{"op", "describe"}}.dump());
  const std::string what = (task.folder / "reference.py").string();
  const double allowed = task.own_check ? task.own_check->seconds : seconds;
  ReferenceLimit limit;
  limit.call_seconds = allowed;
  limit.say = say;
  limit.deadline =
      ReferenceLimit::Clock::now() + std::chrono::duration_cast<ReferenceLimit::Clock::duration>(
                                         std::chrono::duration<double>(allowed));
  json body;
  do {
    if (!wait_and_tell(process.socket(), limit.seconds_left(), limit.teller(what, allowed)))
      base::fail(ExitCode::bad_input, "{} did not finish within {:.3g} s", what, allowed);
    body = answer_of(process, what, allowed);
    if (say && body.contains("progress")) say(body.value("progress", std::string()));
  } while (body.contains("progress"));
  if (body.contains("error"))
    base::fail(ExitCode::bad_input, "{}: {}", what, body.value("error", std::string("?")));
  return body;
}

nlohmann::json describe_function(const nlohmann::json& question, const std::string& what,
                                 const Python& python, double seconds,
                                 const std::function<void(const std::string&)>& say) {
  ReferenceLimit limit;
  limit.say = say;
  Sandboxed process = start_oracle("function", question.dump(), what, python, has_gpu(), limit);
  send_packet(process.socket(), json{{"op", "describe"}}.dump());
  const auto tell =
      limit.teller(fmt::format("the reference of {} on its example inputs", what), seconds);
  if (!wait_and_tell(process.socket(), seconds, tell))
    base::fail(ExitCode::bad_input,
               "{}: the reference did not finish within {:.3g} s on its example inputs "
               "(--reference-seconds): does it loop for ever, or are they too large for it?",
               what, seconds);
  json body = answer_of(process, what, seconds);
  if (body.contains("error")) {
    const std::string error = body.value("error", std::string("?"));
    // What is wrong with one of the files, or with the example that was typed, is said with its
    // name.
    const bool named = error.starts_with("--example ") ||
                       error.starts_with(question.value("file", "?") + " ") ||
                       error.starts_with(question.value("kernel_file", "?") + " ");
    base::fail(ExitCode::bad_input, "{}{}", named ? "" : what + ": ", error);
  }
  return body;
}

Oracle::Oracle(const core::Task& task) : task_(task), limit_(reference_limit(task)) {}

// A process that did not answer in time is ended: it would go on with the old call, and answer the
// next one with it.
json Oracle::answer(Loaded& worker, const std::string& what) {
  const double most = limit_.seconds_left();
  if (!wait_and_tell(worker.process.socket(), most, limit_.teller(what, most))) {
    worker = Loaded();
    limit_.fail(what);
  }
  return answer_of(worker.process, what, limit_.call_seconds);
}

Oracle::Loaded& Oracle::loaded(DType real) {
  Loaded& slot = real == DType::f64 ? double_ : single_;
  if (!slot.running) slot.process = start_sandboxed(oracle_sandbox());
  return slot;
}

Sandboxed& Oracle::python() {
  if (!python_.running) {
    python_.process = start_oracle(task_, find_python(), false, limit_);
    python_.running = true;
  }
  return python_.process;
}

json scalars_json(const core::Task& task, const core::Case& which) {
  json list = json::array();
  for (const auto& scalar : task.scalars) {
    const auto integer = scalar.expression ? scalar.expression->evaluate(which.bindings)
                                           : base::Result<std::int64_t, base::ExprError>(0);
    const std::int64_t whole = integer ? *integer : 0;
    // A kernel gets the value rounded to the scalar's type, so that the reference gets the same.
    std::array<unsigned char, 8> bits{};
    core::store_double(scalar.dtype, scalar.value, bits.data());
    const double value = scalar.expression ? static_cast<double>(whole)
                                           : core::load_as_double(scalar.dtype, bits.data());
    list.push_back({scalar.name, scalar.expression.has_value(), whole, value});
  }
  return list;
}

void Oracle::ask_python(const json& message, const std::string& what, int arena) {
  Sandboxed& process = python();
  send_packet(process.socket(), message.dump(), {arena});
  const json body = answer(python_, what);
  if (body.contains("error"))
    base::fail(ExitCode::bad_input, "{}: {}", what, body.value("error", std::string("?")));
}

void Oracle::draw(const core::Case& which, std::uint64_t seed,
                  const std::vector<ReferenceTensor>& inputs,
                  const std::function<void(std::size_t, const void*)>& take) {
  if (!task_.reference_py)
    base::fail(ExitCode::bad_input,
               "task {}: only a reference.py can draw inputs (draw = {{ kind = \"problem\" }})",
               task_.name);
  Layout layout;
  for (const auto& tensor : inputs) layout.add(tensor, core::size_of(tensor.dtype));
  Arena arena(layout.bytes);
  ask_python(
      {{"op", "draw"}, {"seed", seed}, {"inputs", layout.described}, {"bytes", layout.bytes}},
      fmt::format("drawing inputs of task {} for case {}", task_.name, which.name), arena.fd());
  for (std::size_t i = 0; i < inputs.size(); ++i) take(i, arena.at(layout.at[i]));
}

void Oracle::call(const core::Case& which, DType real, const std::vector<ReferenceTensor>& inputs,
                  const std::vector<ReferenceTensor>& outputs,
                  const std::function<void(std::size_t, void*)>& fill,
                  const std::function<void(std::size_t, const void*)>& take) {
  Layout in, out;
  for (const auto& tensor : inputs) in.add(tensor, core::size_of(tensor.dtype));
  out.bytes = in.bytes;
  for (const auto& tensor : outputs) out.add(tensor, 8);
  json message = {{"op", "reference"},        {"inputs", in.described},
                  {"outputs", out.described}, {"sizes", which.bindings},
                  {"bytes", out.bytes},       {"scalars", scalars_json(task_, which)}};
  Arena arena(out.bytes);
  for (std::size_t i = 0; i < inputs.size(); ++i) fill(i, arena.at(in.at[i]));

  const std::string what =
      fmt::format("the reference of task {} on case {}", task_.name, which.name);
  if (task_.reference_py) {
    message["precision"] = core::name_of(real);
    ask_python(message, what, arena.fd());
    for (std::size_t i = 0; i < outputs.size(); ++i) take(i, arena.at(out.at[i]));
    return;
  }
  const bool first = !(real == DType::f64 ? double_ : single_).running;
  const std::string object = first ? compiled(task_, real, limit_) : "";
  Loaded& oracle = loaded(real);
  const Fd file = first ? memory_file(object, "reference") : Fd();
  std::vector<int> fds = {arena.fd()};
  if (first) fds.push_back(file.get());
  send_packet(oracle.process.socket(), message.dump(), fds);
  oracle.running = true;
  const json body = answer(oracle, what);
  if (body.contains("error"))
    base::fail(ExitCode::bad_input, "{}: {}", what, body.value("error", std::string("?")));
  for (std::size_t i = 0; i < outputs.size(); ++i) take(i, arena.at(out.at[i]));
}

}  // namespace hone::runner
