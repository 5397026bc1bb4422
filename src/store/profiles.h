#pragma once
// Profiles in the archive: what explaining a candidate's time came to, recorded whole.
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/advice.h"
#include "store/archive.h"

namespace hone::store {

// Its task and candidate have to be recorded before. Gives the new profile's id.
std::string record_profile(Archive& archive, const core::Profile& profile,
                           const std::string& device_name, Time created = now());

struct ProfileRecord {
  std::string id;
  Time created{};
  std::string task_name, candidate_name, device_name;
  core::Profile profile;
};
ProfileRecord get_profile(Archive& archive, const std::string& id);  // a whole id; see find_by_id()

// A profile as a line of a list.
struct ProfileLine {
  std::string id;
  Time created{};
  std::string task_name, candidate, candidate_name, case_name;  // candidate: hash
  double seconds = 0;
  std::string bound, device_name;
  int advice = 0;
};
void describe(base::Fields& fields, const ProfileLine& line);         // in JSON: see base/fields.h
std::vector<ProfileLine> list_profiles(Archive& archive, int limit);  // newest first
std::vector<ProfileLine> profiles_of(Archive& archive, const std::string& candidate, int limit);

// ---- for the other subjects
std::int64_t row_of_profile(Archive& archive, const std::string& id);

}  // namespace hone::store
