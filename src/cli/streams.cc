#include "cli/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "cli/failure.h"

namespace hone::cli {

void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void fill_closed_streams() {
  // Read-only, so that writing to what was closed is an error and does not pass for success.
  for (int fd = ::open("/dev/null", O_RDONLY); fd >= 0; fd = ::dup(fd))
    if (fd > STDERR_FILENO) {
      ::close(fd);
      return;
    }
}

int flush_output(int code) {
  std::cout.flush();
  if (std::cout.good() && std::ferror(stdout) == 0 && std::fflush(stdout) == 0) return code;
  return tell(base::Error(base::ExitCode::environment,
                          "standard output cannot be written (" + base::errno_text() +
                              "), so what was printed is not complete; the archive is not touched "
                              "by this (see `hone log`)"));
}

}  // namespace hone::cli
