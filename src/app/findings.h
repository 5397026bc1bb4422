#pragma once
// `hone findings`: what was learned, to list, add, edit and delete.
#include <string>
#include <vector>

#include "app/common_options.h"
#include "base/fields_fwd.h"
#include "store/findings.h"

namespace hone::app {

struct FindingsRequest : CommonOptions {
  std::string task, about;  // the task's name; an architecture or a device's name; "": any
  int limit = 50;
};
struct AddFindingRequest : CommonOptions {
  std::string task, about;  // likewise
  std::string text;         // sentences
};
struct FindingRequest : CommonOptions {
  std::string id;  // or a prefix of one
};
struct EditFindingRequest : FindingRequest {
  std::string text;
};

struct FindingsResult {
  std::vector<store::Finding> findings;  // newest first
};
struct EditedFinding {
  store::Finding finding;
  bool changed = true;  // false: it had this text already
};

FindingsResult findings(const FindingsRequest& request);
// A text that is empty or longer than a finding may be is an Error.
store::Finding add_finding(const AddFindingRequest& request);
EditedFinding edit_finding(const EditFindingRequest& request);  // it keeps its id
store::Finding delete_finding(
    const FindingRequest& request);  // as it is now; a later show still has it
store::Finding show_finding(const FindingRequest& request);

void describe(
    base::Fields& fields,
    const FindingsResult& result);  // {"findings": [...]}; one by itself: store/findings.h

}  // namespace hone::app
