// Stands in for the C library's header, which NVRTC does not have.
#pragma once
// Device code may not print; the header is here so that sources that include it compile.
