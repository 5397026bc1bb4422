#include "hone_binary.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "base/error.h"
#include "device/device.h"

extern char** environ;

namespace hone::end_to_end {

Hone::Hone() : folder_("hone-test") { base::make_folder(home()); }

Finished Hone::run(std::vector<std::string> words) const {
  words.insert(words.begin(), HONE_BINARY);
  std::vector<std::string> variables = environment_;  // the first of a name counts
  variables.push_back("HONE_HOME=" + home().string());
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  std::vector<char*> argv, envp;
  for (auto& word : words) argv.push_back(word.data());
  for (auto& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  const std::string out = folder_.path() / "out", err = folder_.path() / "err";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) base::fail(base::ExitCode::environment, "{} cannot be started", words[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), base::read_file(out), base::read_file(err)};
}

bool has_opencl() {
  static const bool found = [] {
    for (const auto& backend : device::discover())
      if (backend.language == core::Language::opencl && backend.available) return true;
    return false;
  }();
  return found;
}

}  // namespace hone::end_to_end
