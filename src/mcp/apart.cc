#include "mcp/apart.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <mutex>

#include "base/fields.h"
#include "base/resources.h"
#include "base/supervisor.h"

extern char** environ;

namespace hone::mcp {
namespace {

using base::ExitCode;
using Clock = std::chrono::steady_clock;

constexpr int poll_ms = 50;
// What ends at the next good place gets longer than what ends at once.
constexpr auto grace_of_a_search = std::chrono::seconds(20), grace = std::chrono::seconds(2);
constexpr std::size_t longest_line = std::size_t{64} << 20;

// A line between the two processes: one of these is there.
struct Line {
  std::optional<std::string> say, step, begun;
  std::optional<double> part, seconds_left;
  std::optional<Answer> answer;
  std::optional<std::string> error;
  int code = 0;
};
void describe(base::Fields& f, Line& line) {
  f.sparse("say", line.say).sparse("step", line.step).sparse("begun", line.begun);
  f.sparse("part", line.part).sparse("seconds_left", line.seconds_left);
  f.sparse("answer", line.answer).sparse("error", line.error).sparse("code", line.code);
}

class LineSink : public app::Sink {
 public:
  LineSink(const std::atomic<bool>& cancelled, const std::function<void(const std::string&)>& print)
      : cancelled_(cancelled), print_(print) {}
  void put(Line line) {
    const std::lock_guard lock(mutex_);
    print_(base::json_line(line));
  }
  void say(const std::string& sentence) override {
    Line line;
    line.say = sentence;
    put(std::move(line));
  }
  void step(const app::Step& step) override {
    Line line;
    line.step = step.text;
    line.part = step.part;
    line.seconds_left = step.seconds_left;
    put(std::move(line));
  }
  const std::atomic<bool>& cancelled() const override { return cancelled_; }

 private:
  const std::atomic<bool>& cancelled_;
  const std::function<void(const std::string&)>& print_;
  std::mutex mutex_;
};

Line error_of(ExitCode code, const std::string& text) {
  Line line;
  line.error = text;
  line.code = static_cast<int>(code);
  return line;
}

Line answered(const std::string& name, const std::string& request_text, LineSink& sink) {
  const auto request = base::from_json<ApartRequest>(request_text);
  if (!request) return error_of(ExitCode::internal, "the call cannot be read: " + request.error());
  const Tool* tool = find_tool(name);
  if (tool == nullptr) return error_of(ExitCode::usage, "there is no tool " + name);
  Call call{request->place, sink, request->evals};
  call.begun = [&](const std::string& run) {
    Line line;
    line.begun = run;
    sink.put(std::move(line));
  };
  Line line;
  line.answer = tool->run(request->arguments, call);
  return line;
}

base::Fd file_with(const std::string& text) {
  base::Fd fd(::memfd_create("hone-call", MFD_CLOEXEC));
  std::size_t at = 0;
  while (fd && at < text.size()) {
    const ssize_t n = ::write(fd.get(), text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) at += static_cast<std::size_t>(n);
  }
  if (!fd || at < text.size() || ::lseek(fd.get(), 0, SEEK_SET) != 0)
    base::fail(ExitCode::environment, "a call cannot be given its arguments: {}",
               base::errno_text());
  return fd;
}

std::vector<std::string> words_of(const Tool& tool) {
  std::vector<std::string> words = {std::filesystem::read_symlink("/proc/self/exe").string()};
  if (!base::resource_folder().empty())
    words.insert(words.end(), {"--resources", base::resource_folder().string()});
  words.insert(words.end(), {"call", tool.name});
  return words;
}

std::vector<std::string> environment() {
  std::vector<std::string> rows;
  for (char** row = environ; *row != nullptr; ++row) rows.emplace_back(*row);
  return rows;
}

class Process {
 public:
  Process(const Tool& tool, const ApartRequest& request)
      : input_(file_with(base::json_line(request))),
        supervisor_(words_of(tool), environment(), {input_.get(), out_.writer.get(), STDERR_FILENO},
                    true) {
    out_.writer.reset();
    ::fcntl(out_.reader.get(), F_SETFL, O_NONBLOCK);
  }
  // Asked to end, then once more, which ends a search at once; then finish() kills it.
  void end(std::chrono::seconds wait) {
    const auto now = Clock::now();
    if (asked_ > 0 && now < last_signal_ + wait) return;
    if (asked_++ < 2)
      supervisor_.signal(SIGTERM);
    else
      out_.reader.reset();
    last_signal_ = now;
  }
  bool ending() const { return asked_ > 0; }
  // The next whole line, waiting a moment for it; false: there is none yet, or there was the last.
  bool next(std::string& line) {
    const auto end = text_.find('\n', from_);
    if (end == std::string::npos) {
      text_.erase(0, from_);
      from_ = 0;
      if (!over()) read();
      return false;
    }
    line = text_.substr(from_, end - from_);
    from_ = end + 1;
    return true;
  }
  bool over() const { return !out_.reader; }
  int finish() { return supervisor_.finish(); }

 private:
  void read() {
    pollfd fd{out_.reader.get(), POLLIN, 0};
    ::poll(&fd, 1, poll_ms);
    char part[1 << 16];
    const ssize_t n = ::read(out_.reader.get(), part, sizeof part);
    if (n > 0) text_.append(part, static_cast<std::size_t>(n));
    if (n == 0 || text_.size() > longest_line) out_.reader.reset();
    // Its workers may hold the stream open for longer than it lives.
    if (n < 0 && supervisor_.ended()) out_.reader.reset();
  }

  base::Pipe out_ = base::make_pipe();
  base::Fd input_;
  base::Supervisor supervisor_;
  std::string text_;
  std::size_t from_ = 0;
  int asked_ = 0;
  Clock::time_point last_signal_{};
};

std::string how_it_ended(int status) {
  return WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                             : fmt::format("with exit code {}", WEXITSTATUS(status));
}

void tell(const Line& line, const ApartWatcher& watcher) {
  if (line.say) watcher.say(*line.say);
  if (line.step) watcher.step({*line.step, line.part, line.seconds_left});
  if (line.begun) watcher.begun(*line.begun);
}

}  // namespace

void describe(base::Fields& f, ApartRequest& request) {
  f("place", request.place)("arguments", request.arguments)("evals", request.evals);
}

void serve_call(const std::string& tool, const std::string& request,
                const std::atomic<bool>& cancelled,
                const std::function<void(const std::string&)>& print) {
  LineSink sink(cancelled, print);
  Line line;
  try {
    line = answered(tool, request, sink);
  } catch (const base::Error& error) {
    line = error_of(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    line = error_of(ExitCode::environment, "there is not enough memory: end other programs");
  } catch (const std::exception& error) {
    line = error_of(
        ExitCode::internal,
        std::string("this is a mistake in hone itself, please report it: ") + error.what());
  }
  sink.put(std::move(line));
}

Answer call_apart(const Tool& tool, const ApartRequest& request, const ApartWatcher& watcher) {
  Process process(tool, request);
  std::optional<Line> last;
  auto before = Clock::now();
  for (std::string text;;) {
    if (process.next(text)) {
      auto line = base::from_json<Line>(text);
      if (!line) continue;
      tell(*line, watcher);
      if (line->answer || line->error) last = *std::move(line);
    } else if (process.over()) {
      break;
    }
    const auto now = Clock::now();
    const std::chrono::duration<double> taken = now - std::exchange(before, now);
    const End end = watcher.to_end(taken.count());
    if (end != End::no || process.ending())
      process.end(tool.finishes && end != End::now ? grace_of_a_search : grace);
  }
  const int status = process.finish();
  if (last && last->answer) return *std::move(last->answer);
  if (last) throw base::Error(static_cast<ExitCode>(last->code), *last->error);
  if (process.ending()) base::fail(ExitCode::interrupted, "the call was ended before its time");
  base::fail(ExitCode::internal,
             "the process of this call ended {} without a word: this is a mistake in hone itself, "
             "please report it",
             how_it_ended(status));
}

}  // namespace hone::mcp
