#include "text/admission_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::text {
namespace {

using judge::AdmissionCheck;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Verdict = AdmissionCheck::Verdict;

AdmissionCheck zeros_must_fail(const std::string& case_name, double figure, Verdict verdict) {
  AdmissionCheck check;
  check.name = "zeros";
  check.case_name = case_name;
  check.output = "y";
  check.expectation = "must fail";
  check.has_figures = true;
  check.figure = figure;
  check.bound = 1;
  check.verdict = verdict;
  if (verdict != Verdict::ok) check.text = "Zeros would pass.";
  return check;
}

TEST(AdmissionText, ShowsOfEveryCheckTheCaseNearestToGoingWrong) {
  judge::Admission admission;
  admission.cases = {"small", "large"};
  admission.checks = {zeros_must_fail("small", 30, Verdict::ok),
                      zeros_must_fail("large", 20, Verdict::ok)};
  EXPECT_THAT(
      admission_text("copy", admission, std::nullopt, {}),
      AllOf(
          HasSubstr("large"), Not(HasSubstr("small")),
          HasSubstr(
              "copy is admitted (2 cases, no device for it here: with the C++ reference alone)")));
}

TEST(AdmissionText, ExplainsWhatIsNotInOrderOnce) {
  judge::Admission admission;
  admission.cases = {"small", "large"};
  admission.checks = {zeros_must_fail("small", 0.5, Verdict::failed),
                      zeros_must_fail("large", 0.7, Verdict::failed)};
  admission.notes = {"the seed was not judged"};
  core::DeviceInfo device;
  device.id = "fake:1";
  device.name = "fake GPU";
  EXPECT_THAT(admission_text("copy", admission, device, {}),
              AllOf(HasSubstr("failed on case small and 1 more: Zeros would pass.\n"),
                    HasSubstr("note: the seed was not judged\n"),
                    HasSubstr("copy is not admitted (2 cases, fake:1 fake GPU)")));
}

}  // namespace
}  // namespace hone::text
