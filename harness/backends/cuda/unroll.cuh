// SPDX-License-Identifier: Apache-2.0
// Tells nvcc to unroll a loop that it would leave, whose arrays were memory then. g++, which compiles kernels for
// simulated devices, knows no such word.
#pragma once

#ifdef __CUDACC__
#define WARPMARK_UNROLL _Pragma("unroll")
#else
#define WARPMARK_UNROLL
#endif
