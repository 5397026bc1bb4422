#include "task/candidate_loader.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "task/plan_parser.h"

namespace hone::task {
namespace fs = std::filesystem;
namespace {

base::Failure<Diagnostics> failure(const std::string& file, base::Position at,
                                   std::string message) {
  return {Diagnostics{{file, at, std::move(message)}}};
}

// Length of the well-formed UTF-8 character at `at`; 0 if there is none. Overlong forms and
// surrogates are malformed.
std::size_t character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : (first & 0xf0) == 0xe0        ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90)) return 0;
  return length;
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  if (bytes < 10'000'000) return fmt::format("{} kB", bytes / 1000);
  return fmt::format("{} MB", bytes / 1'000'000);
}

// Why a text is no source; "" if it is one. `at` is set to the place.
std::string text_problem(std::string_view text, base::Position& at) {
  at = {1, 1};
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    at = {};
    return "the file is empty";
  }
  if (text.starts_with("\xef\xbb\xbf"))
    return "the file starts with a byte order mark: save it as UTF-8 without one";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character(text, i);
    if (length == 0) return "this is not UTF-8: save the file as UTF-8 text";
    if (text[i] == '\0') return "there is a NUL byte: this is a binary file, not a source";
    at = text[i] == '\n' ? base::Position{at.line + 1, 1}
                         : base::Position{at.line, at.column + static_cast<int>(length)};
    i += length;
  }
  return "";
}

}  // namespace

base::Result<std::string, Diagnostics> read_source(const fs::path& path, std::uint64_t limit) {
  const std::string name = path.string();
  std::error_code ec;
  const auto status =
      fs::status(path, ec);  // before opening: a pipe would block, a device never end
  if (!fs::exists(status)) return failure(name, {}, "there is no such file");
  if (!fs::is_regular_file(status))
    return failure(
        name, {}, fs::is_directory(status) ? "this is a folder, not a file" : "this is not a file");
  const auto size = fs::file_size(path, ec);
  if (!ec && size > limit)
    return failure(name, {},
                   fmt::format("the file has {}; {} is the most that is read: is this a source?",
                               size_text(size), size_text(limit)));
  std::string text;
  try {
    text = base::read_file(path, limit);
  } catch (const base::Error& error) {
    return failure("", {}, error.what());
  }
  base::Position at;
  if (auto problem = text_problem(text, at); !problem.empty())
    return failure(name, at, std::move(problem));
  return text;
}

std::string hash_of(std::string_view source, core::Language language) {
  return base::Hasher().add(core::name_of(language)).add(source).hex();
}

base::Result<core::Candidate, Diagnostics> candidate_from(std::string source,
                                                          core::Language language,
                                                          const std::string& name) {
  base::Position at;
  if (source.size() > largest_source)
    return failure(name, {},
                   fmt::format("the source has {}; {} is the most that is read",
                               size_text(source.size()), size_text(largest_source)));
  if (auto problem = text_problem(source, at); !problem.empty())
    return failure(name, at, std::move(problem));
  core::Candidate candidate;
  if (language != core::Language::external && language != core::Language::python) {
    auto plan = parse_plan(source, name, language);
    if (!plan) return base::Failure{plan.error()};
    candidate.plan = std::move(*plan);
  }
  candidate.hash = hash_of(source, language);
  candidate.source = std::move(source);
  candidate.language = language;
  candidate.name = name;
  return candidate;
}

base::Result<core::Candidate, Diagnostics> load_candidate(const fs::path& path) {
  static const std::map<std::string, core::Language> languages = {{".cu", core::Language::cuda},
                                                                  {".cl", core::Language::opencl},
                                                                  {".py", core::Language::python},
                                                                  {".fake", core::Language::fake}};
  const auto language = languages.find(path.extension().string());
  if (language == languages.end())
    return failure(path.string(), {},
                   fmt::format("the language is told by the file's ending, .cu (CUDA), .cl "
                               "(OpenCL) or .py (Python), and {} has none of them",
                               quote(path.filename().string())));
  auto source = read_source(path);
  if (!source) return base::Failure{source.error()};
  auto candidate = candidate_from(std::move(*source), language->second, path.string());
  if (candidate) candidate->name = path.filename().string();
  return candidate;
}

std::string render_with_sources(const Diagnostics& diagnostics) {
  std::map<std::string, std::string> texts;
  std::string out;
  for (const auto& diagnostic : diagnostics) {
    const auto [text, fresh] = texts.try_emplace(diagnostic.file);
    if (fresh && diagnostic.at.line > 0)
      if (auto read = read_source(diagnostic.file)) text->second = std::move(*read);
    out += (out.empty() ? "" : "\n") + base::render(diagnostic, text->second);
  }
  return out;
}

}  // namespace hone::task
