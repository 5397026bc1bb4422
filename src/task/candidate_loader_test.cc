#include "task/candidate_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/files.h"

namespace hone::task {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string good =
    "/* hone 1\n[[launch]]\nkernel = \"k\"\ngrid = [1]\nblock = [1]\nargs = []\n*/\n";

class CandidateFile : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return folder_.path() / name;
  }
  // The only complaint about a file, without the folder's name.
  std::string complaint(const std::string& name, const std::string& text) {
    return complaint(write(name, text));
  }
  std::string complaint(const fs::path& path) {
    const auto candidate = load_candidate(path);
    if (candidate) return "";
    auto first = candidate.error().at(0);
    first.file = fs::path(first.file).filename().string();
    return base::render(first, "");
  }
  base::TemporaryFolder folder_{"hone-candidate-test"};
};

TEST_F(CandidateFile, IsKnownByItsLanguageAndSource) {
  const auto cu = load_candidate(write("a.cu", good)), cl = load_candidate(write("a.cl", good)),
             fake = load_candidate(write("b.fake", good));
  ASSERT_TRUE(cu.ok() && cl.ok() && fake.ok());
  EXPECT_EQ(cu->language, core::Language::cuda);
  EXPECT_EQ(cl->language, core::Language::opencl);
  EXPECT_EQ(fake->language, core::Language::fake);
  EXPECT_EQ(cu->name, "a.cu");
  EXPECT_NE(cu->hash, cl->hash);
  EXPECT_EQ(cu->hash, candidate_from(good, core::Language::cuda, "elsewhere.cu")->hash);
  EXPECT_EQ(cu->hash.size(), 64u);
}

TEST_F(CandidateFile, MayNotBeEmptyBinaryOrForeign) {
  EXPECT_EQ(complaint("a.cu", ""), "a.cu: the file is empty");
  EXPECT_EQ(complaint("a.cu", " \n\t\n"), "a.cu: the file is empty");
  EXPECT_EQ(complaint("a.cu", std::string("ab\nc\0d", 6)),
            "a.cu:2:2: there is a NUL byte: this is a binary file, not a source");
  EXPECT_EQ(complaint("a.cu", "ok\n\xff\xfe"),
            "a.cu:2:1: this is not UTF-8: save the file as UTF-8 text");
  EXPECT_EQ(complaint("a.cu", "\xed\xa0\x80"),
            "a.cu:1:1: this is not UTF-8: save the file as UTF-8 text");
  EXPECT_EQ(complaint("a.cu", "\xc0\xaf"),
            "a.cu:1:1: this is not UTF-8: save the file as UTF-8 text");
  EXPECT_THAT(complaint("a.cu", "\xef\xbb\xbf" + good), HasSubstr("byte order mark"));
  EXPECT_EQ(complaint("a.cu", good + "// größe, 漢字, 🙂\n"), "");
}

TEST_F(CandidateFile, MayNotBeHuge) {
  const auto path = write("a.cu", good);
  fs::resize_file(path, 100'000'000);
  EXPECT_EQ(complaint(path),
            "a.cu: the file has 100 MB; 1048 kB is the most that is read: is this a source?");
  EXPECT_FALSE(
      candidate_from(std::string(largest_source + 1, ' '), core::Language::cuda, "a.cu").ok());
}

TEST_F(CandidateFile, MustBeAFileOfAKnownKind) {
  EXPECT_EQ(complaint(folder_.path() / "none.cu"), "none.cu: there is no such file");
  EXPECT_THAT(complaint("a.txt", good),
              HasSubstr("the language is told by the file's ending, .cu (CUDA), .cl (OpenCL) or "
                        ".py (Python), and 'a.txt' has none of them"));
  fs::create_directory(folder_.path() / "d.cu");
  EXPECT_EQ(complaint(folder_.path() / "d.cu"), "d.cu: this is a folder, not a file");
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe.cl").c_str(), 0600), 0);
  EXPECT_EQ(complaint(folder_.path() / "pipe.cl"), "pipe.cl: this is not a file");
}

TEST_F(CandidateFile, IsShownWithItsLine) {
  const auto path = write("a.cu", "/* hone 1\n[[lunch]]\n*/\n");
  const auto candidate = load_candidate(path);
  ASSERT_FALSE(candidate.ok());
  EXPECT_THAT(
      render_with_sources(candidate.error()),
      HasSubstr(":2:3: the plan has no key 'lunch': did you mean 'launch'?\n  [[lunch]]\n    ^"));
}

}  // namespace
}  // namespace hone::task
