#pragma once
// The archive's versions: numbered files under resources/sql/migrations, applied in order inside
// one transaction, and recorded.
#include "store/database.h"

namespace hone::store {

int latest_version();  // the number of the last migration this binary has

// Brings the database to the given version. Throws Error if it is newer than that, or something
// else than an archive; both leave it untouched.
void migrate(Database& database, int version = latest_version());
int version_of(Database& database);

}  // namespace hone::store
