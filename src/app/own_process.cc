#include "app/own_process.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

#include "base/error.h"
#include "base/resources.h"

namespace hone::app {

void die_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() == 1) ::_exit(static_cast<int>(base::ExitCode::interrupted));
}

std::vector<std::string> options_of_resources() {
  if (base::resource_folder().empty()) return {};
  return {"--resources", base::resource_folder().string()};
}

std::string error_of(const run::Finished& finished) {
  std::string text = finished.err;
  const auto at = text.rfind("hone: ");
  if (at != std::string::npos) text.erase(0, at + 6);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace hone::app
