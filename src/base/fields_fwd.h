#pragma once
// For headers that declare describe() for their structs. They need not include base/fields.h, and
// what includes them is not compiled with it.
namespace hone::base {
class Fields;
}
