// All of vyre that an application needs: devices, programs, problems, tuning, and launches with
// what was tuned. The mathematics behind it is in vyre/substrate/.

#pragma once

#include "vyre/agree.h"
#include "vyre/builder.h"
#include "vyre/call.h"
#include "vyre/config.h"
#include "vyre/cuda.h"
#include "vyre/decisions.h"
#include "vyre/device.h"
#include "vyre/error.h"
#include "vyre/explain.h"
#include "vyre/fuse.h"
#include "vyre/opencl.h"
#include "vyre/problem.h"
#include "vyre/program.h"
#include "vyre/recording.h"
#include "vyre/runtime.h"
#include "vyre/space.h"
#include "vyre/tune.h"
#include "vyre/vulkan.h"
