#pragma once
// For headers that declare describe() for their structs: see base/fields.h.
namespace hone::base {
class Fields;
}
