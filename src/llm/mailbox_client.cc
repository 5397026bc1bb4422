#include "llm/mailbox_client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/fd.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "llm/prompt.h"

namespace hone::llm {
namespace fs = std::filesystem;
namespace {

constexpr auto poll_every =
    std::chrono::milliseconds(100);  // people and agents take seconds at the least
constexpr std::uint64_t most_answer = std::uint64_t{16} << 20;
constexpr std::size_t longest_stem = 120, hash_digits = 8;
// Where the file system cannot say whether a file is open for writing, it counts as whole after so
// many seconds without a change.
constexpr std::time_t settle_s = 3;

enum class Writers { none, some, not_known };

// The kernel grants a read lease only while no process has the file open for writing. A writer that
// comes in that moment waits until it is given back, and the signal that tells of it is one that is
// ignored.
Writers writers_of(int fd) {
  if (::fcntl(fd, F_SETSIG, SIGURG) != 0) return Writers::not_known;
  if (::fcntl(fd, F_SETLEASE, F_RDLCK) != 0)
    return errno == EAGAIN ? Writers::some : Writers::not_known;
  ::fcntl(fd, F_SETLEASE, F_UNLCK);
  return Writers::none;
}

std::string header_of(const Request& request, const std::string& name) {
  return fmt::format(
      "<!-- A question from hone.\n"
      "role: {0}\n"
      "step: {1}\n"
      "answer: write it to {2}.answer.md in this folder. Write it under another name first and "
      "rename it when it is whole.\n"
      "form: {3}\n"
      "-->\n\n",
      request.role, request.step, name,
      request.tool
          ? "a JSON object as the end of this file describes it, alone or in a fenced block"
          : "text, as this file asks for it");
}

Fault fault(FaultKind kind, std::string text) { return Fault{kind, std::move(text), {}, Usage{}}; }

}  // namespace

std::string mailbox_name(const Request& request) {
  std::string stem = request.step.substr(0, longest_stem);
  for (char& c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.' && c != '_') c = '_';
  if (stem.empty() || stem.front() == '.') stem.insert(0, "_");
  base::Hasher hasher;
  hasher.add(request.role).add(request.step).add(hash_of(request.prompt));
  return stem + "-" + hasher.hex().substr(0, hash_digits);
}

std::optional<std::string> whole_answer(const fs::path& path) {
  const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
    return std::nullopt;
  const auto writers = writers_of(fd.get());
  if (writers == Writers::some) return std::nullopt;
  if (writers == Writers::not_known && ::time(nullptr) < info.st_mtime + settle_s)
    return std::nullopt;
  std::string text = base::read_file(path, most_answer);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return std::nullopt;
  return text;
}

MailboxClient::MailboxClient(fs::path folder) : folder_(std::move(folder)) {
  base::make_folder(folder_);
}

base::Result<Reply, Fault> MailboxClient::ask(const Request& request, const Cancel& cancel) {
  const auto start = std::chrono::steady_clock::now();
  const std::string name = mailbox_name(request);
  const fs::path prompt = folder_ / (name + ".prompt.md"), answer = folder_ / (name + ".answer.md");
  if (!fs::exists(prompt))
    base::write_file_atomically(prompt, header_of(request, name) + whole_text(request));
  while (true) {
    std::error_code none;
    if (const auto size = fs::file_size(answer, none); !none && size > most_answer)
      return base::Failure{
          fault(FaultKind::malformed, fmt::format("{} has {} bytes; an answer has at most {}",
                                                  answer.string(), size, most_answer))};
    if (auto text = whole_answer(answer)) {
      Reply reply;
      reply.text = base::valid_utf8(std::move(*text));
      reply.model = "mailbox";
      reply.stop = "answered";
      reply.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      return reply;
    }
    if (cancel)
      return base::Failure{fault(FaultKind::cancelled, "stopped waiting for " + answer.string())};
    if (fs::exists(folder_ / "closed"))
      return base::Failure{
          fault(FaultKind::exhausted,
                fmt::format("the mailbox {0} was closed (remove {0}/closed to open it again)",
                            folder_.string()))};
    std::this_thread::sleep_for(poll_every);
  }
}

}  // namespace hone::llm
