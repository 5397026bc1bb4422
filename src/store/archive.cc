#include "store/archive.h"

#include <sys/random.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/files.h"
#include "store/migrations.h"

namespace hone::store {
namespace fs = std::filesystem;
namespace {

using base::ExitCode;
using base::fail;

fs::path with_folder(const fs::path& path) {
  try {
    if (path.has_parent_path()) base::make_folder(path.parent_path());
  } catch (const base::Error& error) {
    fail(ExitCode::archive,
         "{}. The archive needs it: make it writable, or set HONE_HOME to a folder that is",
         error.what());
  }
  return path;
}

Found::Kind kind_named(const std::string& name) {
  if (name == "candidate") return Found::Kind::candidate;
  return name == "profile" ? Found::Kind::profile : Found::Kind::evaluation;
}

}  // namespace

Archive::Archive(const fs::path& path)
    : database_(std::make_unique<Database>(with_folder(path))),
      objects_(path.parent_path() / "objects") {}

Archive Archive::open(const fs::path& path) {
  Archive archive(path);
  migrate(archive.database());
  return archive;
}

Archive Archive::empty() { return open(":memory:"); }

fs::path Archive::default_path() { return base::home_folder() / "archive.db"; }

int Archive::version() { return version_of(*database_); }

ArchiveCounts Archive::counts() {
  ArchiveCounts counts;
  if (Query query = database_->query("counts"); query.step())
    query.read(counts.tasks, counts.candidates, counts.evaluations, counts.comparisons,
               counts.tuning_runs, counts.research_runs);
  return counts;
}

std::vector<std::string> Archive::check() {
  std::vector<std::string> complaints;
  std::string text, parent;
  std::int64_t row = 0;
  for (Query query = database_->query("integrity_check"); query.step();) {
    query.read(text);
    if (text != "ok") complaints.push_back(text);
  }
  for (Query query = database_->query("foreign_key_check"); query.step();) {
    query.read(text, row, parent);
    complaints.push_back(
        fmt::format("row {} of {} names a row of {} that is not there", row, text, parent));
  }
  for (Query query = database_->query("changeable_tables"); query.step();) {
    query.read(text);
    complaints.push_back(
        fmt::format("{} is not append-only: a trigger that guards it is missing", text));
  }
  return complaints;
}

std::string new_id() {
  unsigned char bytes[id_digits / 2];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    fail(ExitCode::environment, "the system gives no random numbers: {}", base::errno_text());
  std::string id;
  for (const unsigned char byte : bytes) id += fmt::format("{:02x}", byte);
  return id;
}

std::string short_hash(const std::string& hash) { return hash.substr(0, short_hash_digits); }

std::string checked_prefix(const std::string& prefix) {
  std::string lower = prefix;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  const bool digits = std::all_of(lower.begin(), lower.end(),
                                  [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (!digits || lower.size() < shortest_prefix)
    fail(ExitCode::bad_input,
         "'{}' is no id: an id is {} or more hexadecimal digits, as `hone log` prints them", prefix,
         shortest_prefix);
  return lower;
}

std::vector<std::string> read_ids(Query query) {
  std::vector<std::string> ids;
  while (query.step()) query.read(ids.emplace_back());
  return ids;
}

Found find_by_id(Archive& archive, const std::string& id_or_prefix) {
  constexpr int listed = 8;
  const std::string prefix = checked_prefix(id_or_prefix);
  std::vector<Found> found;
  std::string lines, kind, id, name;
  for (Query query = archive.database().query("find_by_prefix", prefix, listed + 1);
       query.step();) {
    query.read(kind, id, name);
    found.push_back({kind_named(kind), id});
    if (id == prefix) return found.back();
    lines += found.size() <= listed ? fmt::format("\n  {} {} ({})", kind, id, name) : "\n  ...";
  }
  if (found.empty())
    fail(ExitCode::bad_input,
         "no candidate, evaluation or profile has an id that begins with {}: `hone log` lists "
         "evaluations",
         prefix);
  if (found.size() > 1)
    fail(ExitCode::bad_input, "several ids begin with {}: give more digits of the one you mean{}",
         prefix, lines);
  return found.front();
}

}  // namespace hone::store
