// SPDX-License-Identifier: Apache-2.0
// Which sanitizer this is compiled with: g++ says it by a macro of its own, clang by a feature.
#pragma once

#if defined(__has_feature)
#define WARPMARK_HAS_SANITIZER(name) __has_feature(name)
#else
#define WARPMARK_HAS_SANITIZER(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || WARPMARK_HAS_SANITIZER(address_sanitizer)
#define WARPMARK_UNDER_ASAN
#endif
#if defined(__SANITIZE_THREAD__) || WARPMARK_HAS_SANITIZER(thread_sanitizer)
#define WARPMARK_UNDER_TSAN
#endif
