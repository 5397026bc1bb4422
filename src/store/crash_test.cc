// Processes that are killed, that work at the same time, and that meet a full or read-only disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include "store/test_support.h"

namespace hone::store {
namespace {

using testing::a_candidate;
using testing::a_task;
using ::testing::AllOf;
using testing::an_evaluation;
using testing::ChildReport;
using ::testing::HasSubstr;
using testing::in_child;
using ::testing::IsEmpty;
using testing::say;

struct ArchiveOfManyProcesses : ::testing::Test {
  base::TemporaryFolder folder{"hone-store-test"};
  std::filesystem::path path = folder.path() / "home/archive.db";

  // Records evaluations and reports each id once it has been recorded. The sizes differ, so that a
  // kill falls into different places.
  static void record_and_report(const std::filesystem::path& path, int report, int count,
                                const std::string& name) {
    Archive archive = Archive::open(path);
    record_task(archive, a_task());
    for (int i = 0; i < count; ++i) {
      CandidateRecord candidate = a_candidate(name + std::to_string(i));
      if (i % 3 == 0) candidate.source.append(largest_inline_text, 'x');
      record_candidate(archive, candidate);
      core::Evaluation evaluation = an_evaluation(a_task(), candidate);
      evaluation.cases[0].samples.resize(static_cast<std::size_t>(1 + 500 * (i % 7)), 1.0);
      say(report, record_evaluation(archive, evaluation, "H200") + "\n");
    }
  }

  static std::vector<std::string> whole_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text.substr(0, text.rfind('\n') + 1));
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
};

TEST_F(ArchiveOfManyProcesses, HoldsEverythingThatWasReportedBeforeAKill) {
  constexpr int rounds = 20;
  std::vector<std::string> reported;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t reports = static_cast<std::size_t>(1 + round * 7 % 11);
    const ChildReport child = in_child(
        [&](int report) {
          record_and_report(path, report, 1'000'000, "writer" + std::to_string(round) + "-");
        },
        [&](const std::string& output) {
          return static_cast<std::size_t>(std::count(output.begin(), output.end(), '\n')) >=
                 reports;
        });
    ASSERT_TRUE(WIFSIGNALED(child.status)) << child.output;
    for (auto& line : whole_lines(child.output)) reported.push_back(std::move(line));

    Archive archive = Archive::open(path);
    EXPECT_THAT(archive.check(), IsEmpty());
    EXPECT_GE(archive.counts().evaluations, static_cast<std::int64_t>(reported.size()));
  }
  Archive archive = Archive::open(path);
  for (const std::string& id : reported) {
    const EvaluationRecord record = get_evaluation(archive, id);
    EXPECT_EQ(record.evaluation.cases.size(), 2u);
    EXPECT_FALSE(get_candidate(archive, record.evaluation.key.candidate).source.empty());
  }
}

// The file-size limit kills a process inside the write that passes it, so each round dies in the
// middle of writing, somewhere else.
TEST_F(ArchiveOfManyProcesses, HoldsEverythingThatWasReportedBeforeDyingInAWrite) {
  constexpr int rounds = 12, first_limit = 300'001, step = 77'777;
  for (int round = 0; round < rounds; ++round) {
    const auto round_path = folder.path() / std::to_string(round) / "archive.db";
    const ChildReport child = in_child([&](int report) {
      const rlimit limit{static_cast<rlim_t>(first_limit + round * step), RLIM_INFINITY};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      record_and_report(round_path, report, 1'000'000, "writer");
    });
    ASSERT_TRUE(WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGXFSZ) << child.output;
    Archive archive = Archive::open(round_path);
    EXPECT_THAT(archive.check(), IsEmpty());
    for (const std::string& id : whole_lines(child.output))
      EXPECT_EQ(get_evaluation(archive, id).id, id);
  }
}

TEST_F(ArchiveOfManyProcesses, TakesRecordsFromSeveralAtOnce) {
  constexpr int writers = 4, each = 12;
  // The writers start together, in an archive that none of them finds there.
  std::vector<pid_t> children;
  int gate[2];
  ASSERT_EQ(::pipe(gate), 0);
  for (int w = 0; w < writers; ++w) {
    const pid_t child = ::fork();
    if (child == 0) {
      char go = 0;
      ::close(gate[1]);
      if (::read(gate[0], &go, 1) != 0) ::_exit(4);  // until the parent closes its end
      try {
        const int nowhere = ::open("/dev/null", O_WRONLY);
        record_and_report(path, nowhere, each, "writer" + std::to_string(w) + "-");
        ::_exit(0);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        ::_exit(2);
      }
    }
    children.push_back(child);
  }
  ::close(gate[0]);
  ::close(gate[1]);
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  Archive archive = Archive::open(path);
  EXPECT_EQ(archive.counts().evaluations, writers * each);
  EXPECT_THAT(archive.check(), IsEmpty());
}

TEST_F(ArchiveOfManyProcesses, CanBeReadWhileSomebodyWrites) {
  Archive writer = Archive::open(path);
  record_task(writer, a_task());
  ArchiveTransaction batch(writer);
  record_task(writer, a_task("unfinished"));
  Archive reader = Archive::open(path);
  EXPECT_EQ(reader.counts().tasks, 1);
  batch.commit();
  EXPECT_EQ(reader.counts().tasks, 2);
}

// What happened when the child's disk was full: how many evaluations it reported, and the text of
// its Error.
void fill(const std::filesystem::path& path, int report) {
  try {
    ArchiveOfManyProcesses::record_and_report(path, report, 1'000'000, "writer");
  } catch (const base::Error& error) {
    say(report, error.code() == base::ExitCode::archive
                    ? std::string("archive: ") + error.what()
                    : std::string("wrong code: ") + error.what());
    return;
  }
  say(report, "no Error");
}

TEST_F(ArchiveOfManyProcesses, SaysThatTheDiskIsFullAndLosesNothing) {
  const ChildReport child = in_child([&](int report) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1'000'000, 1'000'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    fill(path, report);
  });
  EXPECT_TRUE(child.ended_well());
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("\narchive: "), HasSubstr("space"), HasSubstr("HONE_HOME")));
  const auto reported = whole_lines(child.output);
  EXPECT_GT(reported.size(), 3u);
  Archive archive = Archive::open(path);
  EXPECT_THAT(archive.check(), IsEmpty());
  for (const std::string& id : reported) EXPECT_EQ(get_evaluation(archive, id).id, id);
}

// A namespace of the child's own, in which it may mount; false where the system does not allow
// that.
bool enter_own_mounts() {
  const uid_t user = ::getuid();
  if (::unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  if (user != 0) std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}
constexpr const char* no_mounts = "no mounts here";

TEST_F(ArchiveOfManyProcesses, StaysWholeOnARealFullDisk) {
  std::filesystem::create_directories(path.parent_path());
  const ChildReport child = in_child([&](int report) {
    if (!enter_own_mounts() ||
        ::mount("tmpfs", path.parent_path().c_str(), "tmpfs", 0, "size=1m") != 0)
      return say(report, no_mounts);
    fill(path, report);
    // The mount goes with the child, so the child looks itself: it frees nothing, and still can
    // read.
    Archive archive = Archive::open(path);
    for (const std::string& complaint : archive.check()) say(report, "\ncomplaint: " + complaint);
    say(report, fmt::format("\nheld {}", archive.counts().evaluations));
  });
  if (child.output == no_mounts) GTEST_SKIP() << "mounting is not allowed here";
  EXPECT_TRUE(child.ended_well()) << child.output;
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("\narchive: "), HasSubstr("space"), HasSubstr("HONE_HOME")));
  EXPECT_THAT(child.output, ::testing::Not(HasSubstr("complaint")));
  const auto ids = std::count(
      child.output.begin(),
      child.output.begin() + static_cast<std::ptrdiff_t>(child.output.find("archive: ")), '\n');
  EXPECT_GT(ids, 3);
  EXPECT_THAT(child.output, HasSubstr(fmt::format("held {}", ids)));
}

TEST_F(ArchiveOfManyProcesses, SaysThatTheFolderIsReadOnly) {
  Archive::open(path);
  const ChildReport child = in_child([&](int report) {
    const std::string folder_text = path.parent_path().string();
    const char* home = folder_text.c_str();
    if (!enter_own_mounts() || ::mount(home, home, nullptr, MS_BIND, nullptr) != 0 ||
        ::mount(nullptr, home, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0)
      return say(report, no_mounts);
    fill(path, report);
  });
  if (child.output == no_mounts) GTEST_SKIP() << "mounting is not allowed here";
  EXPECT_TRUE(child.ended_well()) << child.output;
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("archive: "), HasSubstr("writable"), HasSubstr("HONE_HOME")));
}

TEST(ArchiveWhereNoFolderCanBeMade, SaysWhatToDo) {
  try {
    Archive::open("/proc/hone/archive.db");
    FAIL() << "no Error";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.code(), base::ExitCode::archive);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("/proc/hone"), HasSubstr("HONE_HOME")));
  }
}

}  // namespace
}  // namespace hone::store
