#pragma once
// Runs from before the journal (archives of version 5), whose state stands as JSON under the names
// of steps ("g003/selection", "incumbent/003") and as rows of nodes and experiments. The one place
// that knows these names. Such a run is read as the records that a journal of it would have: it can
// be listed, reported, exported and replayed, but not continued.
#include <optional>
#include <string>
#include <vector>

#include "core/records.h"
#include "store/archive.h"

namespace hone::run {

bool is_old_run(store::Archive& archive, const std::string& run);
std::vector<core::Record> read_old_run(store::Archive& archive, const std::string& run);
[[noreturn]] void refuse_to_continue(const std::string& run);

// "g003/writer-2/try-1", "seed/translation/try-1", "seed/given-0". Nothing: it names no place.
std::optional<core::NodePosition> place_of_step(const std::string& step);

}  // namespace hone::run
