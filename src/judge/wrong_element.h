#pragma once
// The evidence of a wrong output for a person: the element, its index in every dimension, and its neighbours.
#include <string>

#include "core/task.h"
#include "judge/buffers.h"

namespace hone::judge {

std::string describe_element(device::Workbench& bench, const Guarded& actual, const Guarded& expected,
                             std::int64_t index);
std::string variant_note(core::Variant variant);  // " (on inputs with a shifted mean)"; "" for plain
std::string_view name_of(core::Variant variant);

}  // namespace hone::judge
