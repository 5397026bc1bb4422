#include "runner/oracle.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
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
namespace fs = std::filesystem;

constexpr double compile_seconds = 120, start_seconds = 120;
constexpr const char* describe_text = R"({"op":"describe"})";
constexpr std::uint64_t largest_object = 256u << 20, alignment = 4096;

SandboxSpec oracle_sandbox() {
  SandboxSpec spec;
  // Several times the tensors of a large case, but no more than the machine has.
  constexpr std::uint64_t most = 64ull << 30, least = 4ull << 30;
  spec.memory_bytes = std::clamp<std::uint64_t>(device::available_host_bytes(), least, most);
  if (!isolation_problem().empty()) spec.isolation = Isolation::limits;
  return spec;
}

struct OracleAnswer {
  std::string text;
  AnswerHead head;
  std::vector<Fd> fds;
};

OracleAnswer answer_of(Sandboxed& process, const std::string& what, double seconds,
                       const ReferenceLimit& limit = {}) {
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
  auto head = head_of(packet->text);
  if (!head) base::fail(ExitCode::bad_input, "{} gave no usable answer", what);
  if (head->broken) base::fail(ExitCode::environment, "{}", *head->broken);
  return {std::move(packet->text), *std::move(head), std::move(packet->fds)};
}

void refuse_error(const AnswerHead& head, const std::string& what) {
  if (head.error) base::fail(ExitCode::bad_input, "{}: {}", what, *head.error);
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
  send_packet(process.socket(),
              to_text(CompileReferenceOrder{real == DType::f64 ? "double" : "float"}),
              {files[0].get(), files[1].get(), files[2].get()});
  const auto [text, head, fds] = answer_of(process, what, compile_seconds, limit);
  if (fds.size() != 2) base::fail(ExitCode::environment, "{} gave no usable answer", what);
  bool built = false;
  base::read_json(text, [&](base::Fields& f) { f.lenient("built", built); });
  if (!built)
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

// The places of tensors in an arena.
struct Layout {
  std::vector<PlacedTensor> tensors;
  std::uint64_t bytes = 0;

  void add(const ReferenceTensor& tensor, std::uint64_t element) {
    tensors.push_back(
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
  send_packet(process.socket(), base::json_line([&](base::Fields& f) {
                f("op", "problem")("form", form)("threads", std::thread::hardware_concurrency());
                f("device", gpu ? "any" : "cpu");
              }),
              {source.get()});
  refuse_error(answer_of(process, what, start_seconds, limit).head, what);
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

std::string describe_python(const core::Task& task, const Python& python, double seconds,
                            const std::function<void(const std::string&)>& say) {
  ReferenceLimit starting;
  starting.say = say;
  Sandboxed process = start_oracle(task, python, has_gpu(), starting);
  send_packet(process.socket(), describe_text);
  const std::string what = (task.folder / "reference.py").string();
  const double allowed = task.own_check ? task.own_check->seconds : seconds;
  ReferenceLimit limit;
  limit.call_seconds = allowed;
  limit.say = say;
  limit.deadline =
      ReferenceLimit::Clock::now() + std::chrono::duration_cast<ReferenceLimit::Clock::duration>(
                                         std::chrono::duration<double>(allowed));
  while (true) {
    if (!wait_and_tell(process.socket(), limit.seconds_left(), limit.teller(what, allowed)))
      base::fail(ExitCode::bad_input, "{} did not finish within {:.3g} s", what, allowed);
    OracleAnswer answer = answer_of(process, what, allowed);
    std::optional<std::string> progress;
    base::read_json(answer.text, [&](base::Fields& f) { f.sparse("progress", progress); });
    if (progress) {
      if (say) say(*progress);
      continue;
    }
    refuse_error(answer.head, what);
    return std::move(answer.text);
  }
}

namespace {

void describe(base::Fields& f, const FunctionQuestion& question) {
  f("source", question.source)("file", question.file)("reference_function", question.function);
  f("example", question.example);
  if (question.kernel_file.empty()) return;
  f("kernel", question.kernel);
  f("kernel_file", question.kernel_file)("entry", question.entry);
}

}  // namespace

std::string describe_function(const FunctionQuestion& question, const std::string& what,
                              const Python& python, double seconds,
                              const std::function<void(const std::string&)>& say) {
  ReferenceLimit limit;
  limit.say = say;
  Sandboxed process =
      start_oracle("function", base::json_line([&](base::Fields& f) { describe(f, question); }),
                   what, python, has_gpu(), limit);
  send_packet(process.socket(), describe_text);
  const auto tell =
      limit.teller(fmt::format("the reference of {} on its example inputs", what), seconds);
  if (!wait_and_tell(process.socket(), seconds, tell))
    base::fail(ExitCode::bad_input,
               "{}: the reference did not finish within {:.3g} s on its example inputs "
               "(--reference-seconds): does it loop for ever, or are they too large for it?",
               what, seconds);
  OracleAnswer answer = answer_of(process, what, seconds);
  if (answer.head.error) {
    // What is wrong with one of the files, or with the example that was typed, is said with its
    // name.
    const std::string& error = *answer.head.error;
    const bool named =
        error.starts_with("--example ") || error.starts_with(question.file + " ") ||
        error.starts_with((question.kernel_file.empty() ? "?" : question.kernel_file) + " ");
    base::fail(ExitCode::bad_input, "{}{}", named ? "" : what + ": ", error);
  }
  return std::move(answer.text);
}

Oracle::Oracle(const core::Task& task) : task_(task), limit_(reference_limit(task)) {}

// A process that did not answer in time is ended: it would go on with the old call, and answer the
// next one with it.
AnswerHead Oracle::answer(Loaded& worker, const std::string& what) {
  const double most = limit_.seconds_left();
  if (!wait_and_tell(worker.process.socket(), most, limit_.teller(what, most))) {
    worker = Loaded();
    limit_.fail(what);
  }
  return answer_of(worker.process, what, limit_.call_seconds).head;
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

std::vector<ScalarValue> scalars_of(const core::Task& task, const core::Case& which) {
  std::vector<ScalarValue> list;
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

void Oracle::ask_python(const std::string& order, const std::string& what, int arena) {
  Sandboxed& process = python();
  send_packet(process.socket(), order, {arena});
  refuse_error(answer(python_, what), what);
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
  ask_python(base::json_line([&](base::Fields& f) {
               f("op", "draw")("seed", seed)("inputs", layout.tensors)("bytes", layout.bytes);
             }),
             fmt::format("drawing inputs of task {} for case {}", task_.name, which.name),
             arena.fd());
  for (std::size_t i = 0; i < inputs.size(); ++i) take(i, arena.at(layout.tensors[i].offset));
}

void Oracle::call(const core::Case& which, DType real, const std::vector<ReferenceTensor>& inputs,
                  const std::vector<ReferenceTensor>& outputs,
                  const std::function<void(std::size_t, void*)>& fill,
                  const std::function<void(std::size_t, const void*)>& take) {
  Layout in, out;
  for (const auto& tensor : inputs) in.add(tensor, core::size_of(tensor.dtype));
  out.bytes = in.bytes;
  for (const auto& tensor : outputs) out.add(tensor, 8);
  ReferenceOrder order{in.tensors, out.tensors, which.bindings, out.bytes, scalars_of(task_, which),
                       ""};
  Arena arena(out.bytes);
  for (std::size_t i = 0; i < inputs.size(); ++i) fill(i, arena.at(in.tensors[i].offset));

  const std::string what =
      fmt::format("the reference of task {} on case {}", task_.name, which.name);
  if (task_.reference_py) {
    order.precision = core::name_of(real);
    ask_python(to_text(order), what, arena.fd());
    for (std::size_t i = 0; i < outputs.size(); ++i) take(i, arena.at(out.tensors[i].offset));
    return;
  }
  const bool first = !(real == DType::f64 ? double_ : single_).running;
  const std::string object = first ? compiled(task_, real, limit_) : "";
  Loaded& oracle = loaded(real);
  const Fd file = first ? memory_file(object, "reference") : Fd();
  std::vector<int> fds = {arena.fd()};
  if (first) fds.push_back(file.get());
  send_packet(oracle.process.socket(), to_text(order), fds);
  oracle.running = true;
  refuse_error(answer(oracle, what), what);
  for (std::size_t i = 0; i < outputs.size(); ++i) take(i, arena.at(out.tensors[i].offset));
}

}  // namespace hone::runner
