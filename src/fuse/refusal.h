// Kind and Refusal are public: this is where the joins get them from.

#pragma once

#include "vyre/fuse.h"
