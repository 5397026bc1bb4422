#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/prompts.h"

namespace hone::agents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

core::DeviceInfo gpu(core::Language language, const std::string& name, const std::string& arch) {
  core::DeviceInfo info;
  info.language = language;
  info.name = name;
  info.arch = arch;
  return info;
}

std::vector<std::string> first_lines(const core::DeviceInfo& device) {
  std::vector<std::string> lines;
  for (const auto& card : knowledge_for(device)) lines.push_back(card.substr(0, card.find('\n')));
  return lines;
}

TEST(Knowledge, ComesForTheDeviceMostSpecificFirst) {
  using core::Language;
  EXPECT_THAT(first_lines(gpu(Language::cuda, "NVIDIA H200", "sm_90a")),
              ElementsAre(HasSubstr("Hopper"), HasSubstr("GPU")));
  EXPECT_THAT(first_lines(gpu(Language::cuda, "NVIDIA A100", "sm_80")),
              ElementsAre(HasSubstr("Ampere"), HasSubstr("GPU")));
  EXPECT_THAT(first_lines(gpu(Language::opencl, "gfx942:sramecc+:xnack-", "")),
              ElementsAre(HasSubstr("CDNA3"), HasSubstr("GPU")));
  EXPECT_THAT(first_lines(gpu(Language::cuda, "an older one", "sm_75")),
              ElementsAre(HasSubstr("GPU")));
  auto processor = gpu(Language::opencl, "AMD EPYC", "");
  processor.is_cpu = true;
  EXPECT_THAT(first_lines(processor), ElementsAre(HasSubstr("CPU")));
}

TEST(Knowledge, ComesByTheWordsOfATaskWhoseHardwareNobodyCanAsk) {
  const auto cards = knowledge_for(std::vector<std::string>{"gpu", "gfx942"});
  ASSERT_EQ(cards.size(), 2u);
  EXPECT_THAT(cards[0].substr(0, cards[0].find('\n')), HasSubstr("CDNA3"));
  EXPECT_TRUE(knowledge_for(std::vector<std::string>{}).empty());
}

TEST(Mission, TellsOfAnExternalTaskWhatItSaysAndNothingOfADevice) {
  const auto device = gpu(core::Language::cuda, "NVIDIA H200", "sm_90a");
  core::Task task;
  EXPECT_EQ(mission_for(task, device).language, "CUDA C++");
  EXPECT_EQ(mission_for(task, device).device.name, device.name);
  EXPECT_EQ(mission_for(task, device).knowledge, knowledge_for(device));
  task.external.emplace();
  task.external->statement = "Write a HIP kernel that adds.";
  task.external->language = "HIP";
  task.external->knowledge = {"gfx942"};
  const auto mission = mission_for(task, device);
  EXPECT_EQ(mission.external, task.external->statement);
  EXPECT_EQ(mission.language, "HIP");
  EXPECT_EQ(mission.device.name, "");
  EXPECT_EQ(mission.knowledge, knowledge_for(task.external->knowledge));
}

}  // namespace
}  // namespace hone::agents
