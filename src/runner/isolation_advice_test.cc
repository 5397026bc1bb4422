#include "runner/isolation_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::runner {
namespace {

using testing::HasSubstr;

TEST(IsolationAdvice, NamesTheSettingThatIsInTheWay) {
  EXPECT_THAT(isolation_advice({"0", "1", "1", true}),
              HasSubstr("sysctl -w user.max_user_namespaces=10000"));
  EXPECT_THAT(isolation_advice({"100", "0", "", true}),
              HasSubstr("sysctl -w kernel.unprivileged_userns_clone=1"));
  EXPECT_THAT(isolation_advice({"100", "1", "1", true}),
              HasSubstr("sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"));
  EXPECT_THAT(isolation_advice({"100", "", "0", true}),
              HasSubstr("--security-opt seccomp=unconfined"));
  EXPECT_THAT(isolation_advice({"100", "", "", false}), HasSubstr("unshare -Urmp --fork true"));
}

}  // namespace
}  // namespace hone::runner
