#pragma once
// `hone profile`: why is a candidate slow, what to do, and how much should that gain? A recorded
// profile can be explained again by the present tools, on any machine.
#include <optional>
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/error.h"
#include "base/fields_fwd.h"
#include "core/advice.h"
#include "core/device_info.h"
#include "core/evaluation.h"

namespace hone::app {

struct ProfileRequest : CommonOptions {
  std::string task, candidate;
  std::string case_name;           // "": the timed case that takes longest
  std::vector<std::string> set;    // NAME=VALUE for tunables
  std::vector<std::string> tools;  // programs of the user's that give advice too
  bool source = true;              // samples of source lines, which take seconds
  bool energy = false;             // joules too, which takes windows of several seconds
  bool sanitize = false;           // the vendor's checkers too
  CallLimit limit;
};

struct ProfileResult {
  core::DeviceInfo device;
  std::optional<core::Profile>
      profile;               // nothing: the candidate is not accepted, and `refusal` says why
  core::Evaluation refusal;  // only an accepted candidate is profiled
  std::string id;            // in the archive; "": it is not recorded
  std::optional<base::Error> not_recorded;  // a result that cannot be recorded is told all the same
};

ProfileResult profile(const ProfileRequest& request, Sink& sink);
void describe(base::Fields& fields, const ProfileResult& result);

struct ExplainAgainRequest : CommonOptions {
  std::string profile;             // id of a recorded one
  std::vector<std::string> tools;  // programs of the user's that give advice too
};

struct ExplainAgainResult {
  core::Profile profile;
  std::string id;  // of the recording
};

// Nothing is measured, and nothing recorded.
ExplainAgainResult explain_again(const ExplainAgainRequest& request);
void describe(base::Fields& fields, const ExplainAgainResult& result);

}  // namespace hone::app
