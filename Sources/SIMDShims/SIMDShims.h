#pragma once
#include <stdint.h>
typedef float hr_f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 hr_f16x16 __attribute__((ext_vector_type(16)));
#define HR_INLINE static inline __attribute__((always_inline))
HR_INLINE hr_f16x16 hr_half(hr_f32x16 a) { return __builtin_convertvector(a, hr_f16x16); }
HR_INLINE hr_f32x16 hr_float(hr_f16x16 a) { return __builtin_convertvector(a, hr_f32x16); }
HR_INLINE hr_f32x16 hr_load_f32(const float *p) { hr_f32x16 v; __builtin_memcpy(&v, p, sizeof v); return v; }
HR_INLINE hr_f16x16 hr_load_f16(const _Float16 *p) { hr_f16x16 v; __builtin_memcpy(&v, p, sizeof v); return v; }
HR_INLINE void hr_store_f16(_Float16 *p, hr_f16x16 v) { __builtin_memcpy(p, &v, sizeof v); }
