// Stands in for the C library's header, which NVRTC does not have.
#pragma once
// assert() is built into the compiler, and off: Hone defines NDEBUG.
