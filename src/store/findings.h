#pragma once
// Findings: distilled knowledge with its source, offered to later prompts. Edited by a new version,
// deleted by a mark; nothing is lost.
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "store/archive.h"

namespace hone::store {

struct Finding {
  std::string id;      // given by the archive, stays through edits
  Time created{};      // of this version
  std::string task;    // name of the task it is about; "": any
  std::string device;  // architecture or device name it is about ("sm_90a", "cpu"); "": any
  std::string text;    // sentences
  std::string source;  // a document, "probe", "run ID, experiment 00012", "user"
  std::string run;     // the run that learned it; "": none
  bool deleted = false;
};
void describe(base::Fields& fields, const Finding& finding);  // in JSON: see base/fields.h
// Gives its id; where the same sentence is there already for this task and device, that one's.
std::string add_finding(Archive& archive, const Finding& finding);
void edit_finding(Archive& archive, const std::string& id_or_prefix, const std::string& text);
void delete_finding(Archive& archive, const std::string& id_or_prefix);
Finding get_finding(Archive& archive, const std::string& id_or_prefix);

struct FindingFilter {
  std::string task, device;  // findings about these or about any; "": no matter
  bool everything = false;   // no filter at all
  int limit = 1000;
};
std::vector<Finding> findings(Archive& archive,
                              const FindingFilter& filter);  // newest first, without deleted ones

}  // namespace hone::store
