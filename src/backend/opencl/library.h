// OpenCL's C interface as a table of functions that is filled at run time.
//
// Types and constants come from CL/cl.h; libOpenCL.so.1, which finds the drivers, is opened when
// OpenCL is first asked for. So a program with vyre in it starts on a machine without OpenCL. An
// application that links OpenCL itself shares its library with vyre: both call the same functions,
// and handles pass between them.
//
// Threads: any, at any time. The library stays open until the process ends.

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "base/error.h"

namespace vyre::backend::opencl {

struct Api {
#define VYRE_OPENCL_FUNCTION(name) decltype(&::name) name = nullptr;
#include "backend/opencl/api_functions.def"
#undef VYRE_OPENCL_FUNCTION
};

// `backend` error: the library is missing or too old; the message says what to install.
Expected<Api> load_api(const char* library);

// Whether this machine has OpenCL. The first call opens the library.
Expected<void> has_api();

// The table. Only for callers behind a has_api that succeeded, as all that have an OpenCL handle.
const Api& api();

}  // namespace vyre::backend::opencl
