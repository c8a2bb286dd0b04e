// Sixteen-lane vector primitives for the row kernels.
//
// Swift's own SIMD types lack good code for half-float conversion, table look-ups by permutation and gathers.
// Clang vector types import as SIMD16<...>, and these functions inline into Swift. Every one has a form without
// instruction-set extensions, so that the baseline tier computes the same thing.
#pragma once

#include <stdint.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef float hr_f32x16 __attribute__((ext_vector_type(16)));
typedef int32_t hr_i32x16 __attribute__((ext_vector_type(16)));
typedef uint32_t hr_u32x16 __attribute__((ext_vector_type(16)));
typedef int16_t hr_i16x16 __attribute__((ext_vector_type(16)));
typedef uint16_t hr_u16x16 __attribute__((ext_vector_type(16)));
typedef uint16_t hr_u16x32 __attribute__((ext_vector_type(32)));
typedef uint8_t hr_u8x16 __attribute__((ext_vector_type(16)));
typedef _Float16 hr_f16x16 __attribute__((ext_vector_type(16)));

#define HR_INLINE static inline __attribute__((always_inline))

#include "Lanes.h"
#include "Arithmetic.h"
#include "Conversions.h"
#include "Memory.h"
#include "Masks.h"
#include "Parameters.h"
#include "Tables.h"
#include "Tallies.h"
#include "Transposition.h"
#include "Kernels.h"

/// Whether this processor runs code made for x86-64-v3 (AVX2, FMA, F16C).
static inline int hr_cpu_has_avx2(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("x86-64-v3");
#else
  return 0;
#endif
}

/// Whether it runs code made for x86-64-v4 (AVX-512 F, BW, CD, DQ, VL).
static inline int hr_cpu_has_avx512(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("x86-64-v4");
#else
  return 0;
#endif
}
