// Arithmetic on float lanes.
#pragma once

/// a * b + c, fused where the tier has it (a library call per lane where it has not).
HR_INLINE hr_f32x16 hr_fma(hr_f32x16 a, hr_f32x16 b, hr_f32x16 c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_elementwise_fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// Whether any lane has a > b.
HR_INLINE int hr_any_greater(hr_f32x16 a, hr_f32x16 b) {
#if defined(__AVX512F__)
  return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
#elif defined(__AVX2__)
  return _mm256_movemask_ps(_mm256_or_ps(_mm256_cmp_ps(hr_low(a), hr_low(b), _CMP_GT_OQ),
                                         _mm256_cmp_ps(hr_high(a), hr_high(b), _CMP_GT_OQ)));
#else
  return __builtin_reduce_or(a > b);
#endif
}

// As instructions: a comparison and a choice are not always recognised as a maximum, and cost twice as much.
#if defined(__AVX512F__)
#define HR_EXTREME(name, instruction, relation) \
  HR_INLINE hr_f32x16 name(hr_f32x16 a, hr_f32x16 b) { return _mm512_##instruction##_ps(a, b); }
#elif defined(__AVX2__)
#define HR_EXTREME(name, instruction, relation)                            \
  HR_INLINE hr_f32x16 name(hr_f32x16 a, hr_f32x16 b) {                     \
    return hr_join(_mm256_##instruction##_ps(hr_low(a), hr_low(b)),        \
                   _mm256_##instruction##_ps(hr_high(a), hr_high(b)));     \
  }
#else
#define HR_EXTREME(name, instruction, relation) \
  HR_INLINE hr_f32x16 name(hr_f32x16 a, hr_f32x16 b) { return a relation b ? a : b; }
#endif
/// The larger lane; `b` where either is not a number.
HR_EXTREME(hr_max, max, >)
/// The smaller lane; `b` where either is not a number.
HR_EXTREME(hr_min, min, <)
#undef HR_EXTREME

/// Lanes with a < b as -1, others as 0; of the first `count` lanes.
HR_INLINE hr_i32x16 hr_less_first(hr_f32x16 a, hr_f32x16 b, long count) {
  const hr_i32x16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return (a < b) & (lane < (hr_i32x16)(int32_t)(count < 16 ? count : 16));
}
HR_INLINE int32_t hr_sum_i32(hr_i32x16 a) { return __builtin_reduce_add(a); }

HR_INLINE hr_f32x16 hr_sqrt(hr_f32x16 a) { return __builtin_elementwise_sqrt(a); }

/// `yes` in lanes where `a` has its sign bit set.
HR_INLINE hr_f32x16 hr_select_negative(hr_f32x16 a, hr_f32x16 yes, hr_f32x16 no) {
  return (hr_f32x16)hr_select_bits((hr_i32x16)a >> 31, (hr_u32x16)yes, (hr_u32x16)no);
}

/// Lanes limited to the range of finite half floats; not a number becomes 0.
HR_INLINE hr_f32x16 hr_limit_to_half(hr_f32x16 a) {
  const hr_f32x16 number = (hr_f32x16)((hr_i32x16)a & (a == a));
  return hr_min(hr_max(number, (hr_f32x16)-65504.0f), (hr_f32x16)65504.0f);
}
