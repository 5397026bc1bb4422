#include "runner/messages.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "base/json_probe.h"

namespace hone::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<Order> all_orders() {
  return {OpenOrder{"opencl:0", true, 4},
          LoadOrder{{"rows", "columns"}},
          BlockOrder{1ull << 40},
          DropOrder{},
          PlanOrder{},
          PrepareRequest{.plan = 3,
                         .sets = {{{0, 0}, {1, 256}}, {{2, 0}, {1, 512}}},
                         .fresh_addresses = false,
                         .flush = true,
                         .skip_launch = 2,
                         .marked = {0, 4},
                         .record = true,
                         .one_by_one = true},
          GoOrder{},
          ActivitiesOrder{},
          BuildOrder{{core::Language::cuda,
                      "cuda:0",
                      "sm_90a",
                      "",
                      "seed.cu",
                      {{"BLOCK", "256"}, {"VEC", "4"}},
                      true,
                      7}},
          InspectOrder{{"/usr/bin/nvdisasm", "{}"}},
          ReferenceOrder{{{"x", "f32", 100, 0}},
                         {{"y", "f64", 10, 4096}},
                         {{"n", 100}},
                         8192,
                         {{"alpha", false, 0, 0.5}, {"k", true, -3, 0}},
                         "f32"},
          PythonOrder{"/usr/bin/python3", "worker.py", {"candidate"}},
          CompileReferenceOrder{"double"}};
}

TEST(Orders, ArriveAsTheyWereSent) {
  for (const Order& order : all_orders()) {
    const std::string text = to_text(order);
    const Order arrived = order_from(text);
    EXPECT_EQ(arrived.index(), order.index()) << text;
    EXPECT_EQ(to_text(arrived), text);
  }
  EXPECT_EQ(to_text(GoOrder{}), go_text) << "which the worker compares without reading it";
}

TEST(Orders, AreRefusedWhereverTheyAreCut) {
  for (const Order& order : all_orders()) {
    const std::string text = to_text(order);
    for (std::size_t size = 0; size < text.size(); ++size)
      EXPECT_THROW(order_from(text.substr(0, size)), base::Error) << text.substr(0, size);
  }
}

TEST(Orders, AreRefusedWhereTheyMakeNoSense) {
  for (const char* text :
       {"", "null", "[]", "7", "\"go\"", "{}", R"({"op":7})", R"({"op":"format the disk"})",
        R"({"op":"load"})", R"({"op":"load","kernels":"rows"})", R"({"op":"load","kernels":[1]})",
        R"({"op":"block","bytes":-1})", R"({"op":"block","bytes":"many"})",
        R"({"op":"block","bytes":1e30})", R"({"op":"open","device":null})",
        R"({"op":"reference","inputs":[["x","f32"]]})"})
    EXPECT_THROW(order_from(text), base::Error) << text;
}

TEST(Orders, ABatchOfEqualCallsIsSentOnce) {
  const device::BindingSet set = {{0, 0}, {1, 256}};
  PrepareRequest once{.sets = {set}}, often{.sets = std::vector(1000, set)};
  EXPECT_LT(to_text(often).size(), to_text(once).size() + 10) << "packets are small";
  EXPECT_EQ(std::get<PrepareRequest>(order_from(to_text(often))).sets, often.sets);
  PrepareRequest differing{.sets = {set, {{0, 0}, {1, 512}}, set}};
  EXPECT_EQ(std::get<PrepareRequest>(order_from(to_text(differing))).sets, differing.sets);
}

core::ResolvedPlan a_plan() {
  core::ResolvedPlan plan;
  using Role = core::ResolvedBuffer::Role;
  plan.buffers = {{"x", Role::input, core::DType::bf16, {4, 8}, 64},
                  {"y", Role::output, core::DType::f32, {4}, 16},
                  {"partial", Role::scratch, core::DType::u8, {100}, 100}};
  plan.tensormaps = {{"x_map", 0, {4, 8}, {2, 8}, {1, 1}, 128, 0, 256, true}};
  core::ResolvedArg buffer{.kind = core::ResolvedArg::Kind::buffer, .index = 1, .text = "y"};
  core::ResolvedArg scalar{
      .kind = core::ResolvedArg::Kind::scalar, .dtype = core::DType::f64, .text = "f64(0.1)"};
  const double value = 0.1;
  std::memcpy(scalar.bits.data(), &value, sizeof value);
  core::ResolvedArg integer{.integer = std::numeric_limits<std::int64_t>::min(), .text = "n"};
  plan.launches = {{.kernel = "rows",
                    .plan_index = 2,
                    .grid = {7, 1, 1},
                    .block = {256, 1, 1},
                    .cluster = {2, 1, 1},
                    .shared = 49152,
                    .cooperative = true,
                    .args = {buffer, scalar, integer}}};
  return plan;
}

TEST(Plans, ArriveWithEveryNumber) {
  const std::string text = to_text(a_plan());
  const core::ResolvedPlan plan = plan_from(text);
  EXPECT_EQ(to_text(plan), text);
  const auto& args = plan.launches.at(0).args;
  double value = 0;
  std::memcpy(&value, args.at(1).bits.data(), sizeof value);
  EXPECT_EQ(value, 0.1) << "to the last bit";
  EXPECT_EQ(args.at(2).integer, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(plan.tensormaps.at(0).swizzle, 128);
  EXPECT_EQ(plan.buffers.at(2).role, core::ResolvedBuffer::Role::scratch);
}

TEST(Plans, AreRefusedWhereverTheyAreCut) {
  const std::string text = to_text(a_plan());
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_THROW(plan_from(text.substr(0, size)), base::Error) << size;
}

TEST(Plans, OfATypeThatIsNotKnownAreRefused) {
  std::string text = to_text(a_plan());
  text.replace(text.find("\"bf16\""), 6, "\"bf17\"");
  EXPECT_THAT([&] { plan_from(text); }, ThrowsMessage<base::Error>(HasSubstr("bf17")));
}

// ---- what comes back from a process in which a candidate's code has run

TEST(AnswerHead, IsReadFromWhateverAWorkerSends) {
  const auto read = [](const char* text) {
    const auto head = head_of(text);
    return !head
               ? std::string("nothing")
               : fmt::format("broken {} error {} ok {} wrong {} id {}", head->broken.value_or("-"),
                             head->error.value_or("-"), head->ok, head->wrong, head->id);
  };
  const std::pair<const char*, const char*> expected[] = {
      {R"({"ok":true})", "broken - error - ok true wrong false id -1"},
      {R"({"id":3})", "broken - error - ok false wrong false id 3"},
      {R"({"error":"no kernel","wrong":1})", "broken - error no kernel ok false wrong true id -1"},
      {R"({"broken":"out of memory"})", "broken out of memory error - ok false wrong false id -1"},
      // Of the wrong kind: it is still an error, and its text is not believed.
      {R"({"error":{"a":[1]}})", "broken - error ? ok false wrong false id -1"},
      {R"({"broken":null})", "broken ? error - ok false wrong false id -1"},
      {R"({"id":"3"})", "broken - error - ok false wrong false id -1"},
      {R"({"id":1e99})", "broken - error - ok false wrong false id -1"},
      {"{}", "broken - error - ok false wrong false id -1"},
      {"", "nothing"},
      {"[]", "nothing"},
      {"null", "nothing"},
      {"{\"ok\":true", "nothing"},
      {"{\"ok\":true}{\"ok\":true}", "nothing"},
  };
  for (const auto& [text, told] : expected) EXPECT_EQ(read(text), told) << text;
}

TEST(AnswerHead, OfADeepNestingIsNoCrash) {
  const std::string deep = "{\"ok\":" + std::string(60000, '[') + std::string(60000, ']') + "}";
  const auto head = head_of(deep);
  EXPECT_TRUE(!head || head->ok);
}

TEST(Loaded, TellsKernelsWithTheirParameters) {
  using Kind = device::KernelParameter::Kind;
  device::KernelInfo rows{"rows", {{Kind::buffer, 8, "float*", "x"}, {Kind::local, 0, "", ""}}};
  rows.registers = 32;
  rows.max_threads = 1024;
  const Loaded loaded = loaded_from(to_text(std::vector{rows}));
  ASSERT_EQ(loaded.kernels.size(), 1u);
  const auto& kernel = loaded.kernels[0];
  EXPECT_EQ(kernel.name, "rows");
  EXPECT_EQ(kernel.registers, 32);
  EXPECT_EQ(kernel.shared_bytes, -1) << "not told";
  ASSERT_EQ(kernel.parameters.size(), 2u);
  EXPECT_EQ(kernel.parameters[0].type, "float*");
  EXPECT_EQ(kernel.parameters[1].kind, Kind::local);
  EXPECT_TRUE(loaded.notes.empty());
}

TEST(Loaded, IsRefusedWhereItMakesNoSense) {
  for (const char* answer :
       {"", "{}", R"({"kernels":7})", R"({"kernels":[7]})", R"({"kernels":[{"name":"rows"}]})",
        R"({"kernels":[],"notes":7})", R"({"kernels":[{"name":["rows"],"parameters":[]}]})"})
    EXPECT_THROW(loaded_from(answer), base::Error) << answer;
}

TEST(CallReports, ArriveAsTheyWereSent) {
  const auto report = report_from(to_text(device::CallReport{false, "launch 2: bad", 1e-6, 2e-3}));
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.error, "launch 2: bad");
  EXPECT_EQ(report.device_seconds, 1e-6);
  EXPECT_EQ(report.runner_seconds, 2e-3);
}

TEST(CallReports, OfNoTimeAreRefused) {
  const auto with = [](const char* device, const char* wall) {
    return fmt::format(R"({{"ok":true,"error":"","device":{},"wall":{}}})", device, wall);
  };
  EXPECT_EQ(report_from(with("0.5", "1")).device_seconds, 0.5);
  for (const char* bad : {"null", "\"nan\"", "\"inf\"", "\"-inf\"", "\"0.5\"", "[0.5]", "1e999"}) {
    EXPECT_THROW(report_from(with(bad, "1")), base::Error) << bad;
    EXPECT_THROW(report_from(with("1", bad)), base::Error) << bad;
  }
  EXPECT_THROW(report_from(R"({"ok":true,"error":""})"), base::Error);
  EXPECT_THROW(report_from(R"({"ok":"yes","error":"","device":1,"wall":1})"), base::Error);
}

TEST(Activities, ArriveAndThoseOfAnotherVersionAreLeftOut) {
  using Kind = device::Activity::Kind;
  const std::vector<device::Activity> sent = {{Kind::kernel, 1, 2, 0, 7, "rows"},
                                              {Kind::sync, 2, 3, -1, 0, ""}};
  EXPECT_EQ(activities_from(to_text(sent)).size(), 2u);
  EXPECT_EQ(activities_from(to_text(sent)).at(0).name, "rows");
  for (const int kind : {5, 200, -1})
    EXPECT_THAT(activities_from(fmt::format(R"([[{},1,2,0,0,"x"]])", kind)), ElementsAre()) << kind;
}

TEST(Activities, WithoutATimeAreRefused) {
  for (const char* text : {R"([[0,"nan",2,0,0,"x"]])", R"([[0,1,"inf",0,0,"x"]])",
                           R"([[0,1,null,0,0,"x"]])", R"([[0,1,2,0,0]])", R"({"a":1})", "[7]", ""})
    EXPECT_THROW(activities_from(text), base::Error) << text;
}

TEST(Answers, OfAnyBytesAreJson) {
  for (const std::string& text : {std::string("quote \" and \\"), std::string("\xff\xfe"),
                                  std::string("zero\0", 5), std::string("line\nbreak")}) {
    const auto head = head_of(broken(text));
    ASSERT_TRUE(head);
    EXPECT_TRUE(head->broken);
    EXPECT_EQ(base::JsonProbe(error_answer(text))["error"].kind(), "string");
  }
  EXPECT_EQ(head_of(error_answer("no kernel"))->error, "no kernel");
  EXPECT_TRUE(head_of(ok_answer)->ok);
}

}  // namespace
}  // namespace hone::runner
