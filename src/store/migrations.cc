#include "store/migrations.h"

#include <charconv>

#include "base/error.h"
#include "base/hash.h"
#include "base/resources.h"

namespace hone::store {
namespace {

using base::ExitCode;
using base::fail;

constexpr const char* migration_folder = "sql/migrations/";
constexpr std::int64_t application_id = 0x686f6e65;  // "hone"; the first migration sets it

struct Migration {
  int version = 0;
  std::string name;  // "001_evaluations.sql"
};

std::vector<Migration> all_migrations() {
  std::vector<Migration> migrations;
  for (const std::string& resource : base::resource_names(migration_folder)) {
    Migration migration{0, resource.substr(std::string_view(migration_folder).size())};
    std::from_chars(migration.name.data(), migration.name.data() + migration.name.size(),
                    migration.version);
    if (migration.version != static_cast<int>(migrations.size()) + 1)
      fail(ExitCode::environment,
           "resources/{}: migrations are numbered 1, 2, 3, ... without a gap, and {} is not the "
           "next one",
           migration_folder, migration.name);
    migrations.push_back(std::move(migration));
  }
  return migrations;
}

std::int64_t number(Database& database, const std::string& name) {
  std::int64_t value = 0;
  if (Query query = database.query(name); query.step()) query.read(value);
  return value;
}

void refuse_strangers(Database& database) {
  const bool ours = number(database, "application_id") == application_id;
  const bool empty = number(database, "count_tables") == 0;
  if (!ours && !empty)
    fail(ExitCode::archive,
         "{}: this is a database of another program. Move it away, or set HONE_HOME to another "
         "folder",
         database.path().string());
}

void refuse_newer(Database& database, int version) {
  if (const int found = version_of(database); found > version)
    fail(ExitCode::archive,
         "{}: this archive has version {}, and this hone knows versions up to {}. Use the newer "
         "hone that wrote it, or set HONE_HOME to another folder to start a new archive",
         database.path().string(), found, version);
}

void apply(Database& database, const Migration& migration) {
  const std::string script = base::resource(migration_folder + migration.name);
  database.run_script(script);
  if (version_of(database) != migration.version)
    fail(ExitCode::environment, "resources/{}{} must end with: PRAGMA user_version = {};",
         migration_folder, migration.name, migration.version);
  database.run("insert_migration", migration.version, migration.name, base::sha256_hex(script),
               now());
}

}  // namespace

int latest_version() { return static_cast<int>(all_migrations().size()); }
int version_of(Database& database) { return static_cast<int>(number(database, "user_version")); }

void migrate(Database& database, int version) {
  refuse_strangers(database);
  refuse_newer(database, version);
  if (version_of(database) == version) return;
  Transaction transaction(database);
  // Another process may have been faster: what is left to do is known only now that this one holds
  // the lock.
  refuse_newer(database, version);
  const int present = version_of(database);
  for (const Migration& migration : all_migrations())
    if (migration.version > present && migration.version <= version) apply(database, migration);
  transaction.commit();
}

}  // namespace hone::store
