#pragma once
// Evidence of a wrong output, written for people: the wrong element, its index in every dimension,
// and its neighbours with the expected values. Also the names of input variants. Used on the
// judge's thread.
#include <string>

#include "core/task.h"
#include "judge/buffers.h"

namespace hone::judge {

// "At y[3][5]: ..."; "" for an index below 0.
std::string describe_element(device::TensorOps& ops, const Guarded& actual, const Guarded& expected,
                             std::int64_t index);
// Whether the elements that are not finite, from this one on, are NaN rather than infinite. Looks
// at the next thousand.
bool has_nans_from(device::TensorOps& ops, const Guarded& actual, std::int64_t index);
std::string variant_note(core::Variant variant);  // " (inputs: variant shifted)"; "" for plain
std::string_view name_of(core::Variant variant);

}  // namespace hone::judge
