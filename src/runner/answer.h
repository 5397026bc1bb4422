#pragma once
// A worker's answer as it came over the wire. Plain data.
#include <string>
#include <vector>

#include "base/fd.h"
#include "runner/messages.h"

namespace hone::runner {

struct Answer {
  std::string text;  // a JSON object
  AnswerHead head;
  std::vector<base::Fd> fds;
};

}  // namespace hone::runner
