#include "llm/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/json.h"

namespace hone::llm {
namespace {

using base::ExitCode;
using base::fail;

std::string line_of(const Request& request, const Reply& reply) {
  const auto line = [&](base::Fields& f) {
    f("role", request.role)("step", request.step)("prompt", hash_of(request.prompt));
    f("model", reply.model)("text", reply.text)("arguments", reply.arguments)("stop", reply.stop);
    f("seconds", reply.seconds);
    f.sparse("node", request.node).sparse("usage", reply.usage);
  };
  // Whatever a model writes, the file stays JSON.
  return base::write_json(line, base::in_one_line, base::KeyOrder::as_described) + "\n";
}

// Cuts off what a crash left half-written behind the last whole line.
void cut_torn_line(int fd, const std::string& file) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) fail(ExitCode::environment, "{}: {}", file, base::errno_text());
  off_t end = info.st_size;
  for (char last = 0; end > 0; --end)
    if (::pread(fd, &last, 1, end - 1) == 1 && last == '\n') break;
  if (end != info.st_size && ::ftruncate(fd, end) != 0)
    fail(ExitCode::environment, "{}: its torn last line cannot be removed: {}", file,
         base::errno_text());
}

// Processes may record into the same file.
class FileLock {
 public:
  explicit FileLock(int fd) : fd_(fd) {
    while (::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() { ::flock(fd_, LOCK_UN); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_;
};

}  // namespace

RecordClient::RecordClient(std::filesystem::path file, std::shared_ptr<LlmClient> asked)
    : file_(std::move(file)),
      asked_(std::move(asked)),
      fd_(::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (!fd_)
    fail(ExitCode::environment, "{}: answers cannot be recorded there: {}", file_.string(),
         base::errno_text());
  const FileLock lock(fd_.get());
  cut_torn_line(fd_.get(), file_.string());
}

void RecordClient::append(const std::string& line) {
  const std::lock_guard guard(mutex_);
  const FileLock lock(fd_.get());
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t n = ::write(fd_.get(), line.data() + at, line.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      fail(ExitCode::environment, "{}: an answer cannot be recorded: {}", file_.string(),
           base::errno_text());
    at += static_cast<std::size_t>(n);
  }
  if (::fsync(fd_.get()) != 0 && errno != EINVAL)  // a pipe or terminal has nothing to flush
    fail(ExitCode::environment, "{}: an answer cannot be recorded: {}", file_.string(),
         base::errno_text());
}

base::Result<Reply, Fault> RecordClient::ask(const Request& request, const Cancel& cancel) {
  auto result = asked_->ask(request, cancel);
  if (result) append(line_of(request, *result));
  return result;
}

}  // namespace hone::llm
