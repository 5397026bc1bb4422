#include "app/findings.h"

#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"

namespace hone::app {
namespace {

using base::ExitCode;

constexpr std::size_t largest_finding = 64u
                                        << 10;  // more is a document: `hone learn` digests those

std::string finding_text_from(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (text.empty()) base::fail(ExitCode::usage, "a finding needs a text");
  if (text.size() > largest_finding)
    base::fail(ExitCode::bad_input,
               "a finding has at most {} KiB: `hone learn FILE` digests whole documents",
               largest_finding >> 10);
  return text;
}

}  // namespace

FindingsResult findings(const FindingsRequest& request) {
  auto archive = archive_to_read(request);
  return {store::findings(archive, {request.task, request.about, false, request.limit})};
}

store::Finding add_finding(const AddFindingRequest& request) {
  auto archive = archive_for(request);
  store::Finding finding;
  finding.task = request.task;
  finding.device = request.about;
  finding.text = finding_text_from(request.text);
  finding.source = "user";
  return store::get_finding(archive, store::add_finding(archive, finding));
}

EditedFinding edit_finding(const EditFindingRequest& request) {
  auto archive = archive_to_read(request);
  const store::Finding before = store::get_finding(archive, request.id);
  const std::string text = finding_text_from(request.text);
  if (text == before.text) return {before, false};
  store::edit_finding(archive, before.id, text);
  return {store::get_finding(archive, before.id), true};
}

store::Finding delete_finding(const FindingRequest& request) {
  auto archive = archive_to_read(request);
  store::delete_finding(archive, request.id);
  return store::get_finding(archive, request.id);
}

store::Finding show_finding(const FindingRequest& request) {
  auto archive = archive_to_read(request);
  return store::get_finding(archive, request.id);
}

void describe(base::Fields& f, const FindingsResult& result) { f("findings", result.findings); }

}  // namespace hone::app
