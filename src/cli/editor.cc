#include "cli/editor.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/files.h"

extern char** environ;

namespace hone::cli {
namespace {

using base::ExitCode;
using base::fail;

// $EDITOR may carry options ("code --wait"): words, never a line for a shell.
std::vector<std::string> editor_words() {
  for (const char* name : {"VISUAL", "EDITOR"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
      std::istringstream stream(value);
      std::vector<std::string> words;
      for (std::string word; stream >> word;) words.push_back(word);
      if (!words.empty()) return words;
    }
  fail(ExitCode::usage, "no editor is set: give the new text behind the id, or set EDITOR");
}

}  // namespace

std::string edited(const std::string& text) {
  const base::TemporaryFolder folder("hone-edit");
  const auto file = folder.path() / "finding.txt";
  base::write_file_atomically(file, text + "\n");
  std::vector<std::string> words = editor_words();
  words.push_back(file.string());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // The signals that this process keeps blocked are the editor's own business.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, argv[0], nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    fail(ExitCode::environment, "the editor {} cannot be started: {}; set EDITOR to another",
         words[0], std::strerror(error));
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail(ExitCode::environment, "the editor {} did not end well: nothing was changed", words[0]);
  std::string saved = base::read_file(file, base::largest_text_file);
  saved.erase(saved.find_last_not_of(" \t\r\n") + 1);
  return saved;
}

}  // namespace hone::cli
