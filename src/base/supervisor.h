#pragma once
// A process between this one and a command. It leads the command's process group, starts the
// command as its child, and ends the group when the command ends, when it is told to, or when this
// process is killed. Where sessions are to end too it adopts whatever the command leaves behind, in
// whatever session, and ends all of that. Made by fork, so between that and exec only what is safe
// after a fork of many threads is called.
#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"

namespace hone::base {

struct Pipe {
  Fd reader, writer;
};
Pipe make_pipe();  // not inherited by programs

struct Streams {
  int in = -1, out = -1, err = -1;
};

class Supervisor {
 public:
  // The first word is a path or is looked for in PATH. Throws Error where no process can be
  // started; a program that is not there ends with code 127 and says so.
  Supervisor(std::vector<std::string> words, std::vector<std::string> environment,
             const Streams& streams, bool end_sessions);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  bool ended() const;  // the command, and everything it left
  void signal(int number)
      const;     // to the command's process group; the supervisor itself heeds only SIGKILL
  int finish();  // ends what is left and waits for that; the command's status as of waitpid

 private:
  Pipe lifeline_ = make_pipe();  // both ends stay here: writing to a supervisor that is gone must
                                 // not be a SIGPIPE
  Fd status_;
  pid_t pid_ = -1;
};

}  // namespace hone::base
