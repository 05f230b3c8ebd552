// SPDX-License-Identifier: Apache-2.0
// Variables that tell OpenMP and BLAS libraries how many threads to start and where would shrink the machine that is
// measured, without a word in the document.
#pragma once

namespace warpmark {

/// First thing in main: where such a variable is set (OMP_*, GOMP_*, KMP_*, OPENBLAS_NUM_THREADS, GOTO_NUM_THREADS),
/// starts the program anew without them, on the CPUs that it was started on; OpenMP's runtime narrows those before main
/// begins. Returns where there is none, or where the system refuses.
void drop_thread_variables(char** arguments);

}  // namespace warpmark
