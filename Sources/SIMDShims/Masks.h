// Comparisons and choices lane by lane, as each tier does them best.
#pragma once

#if defined(__AVX512F__)
/// A lane is a bit.
typedef __mmask16 hr_mask;
#define HR_COMPARISON(name, relation, predicate) \
  HR_INLINE hr_mask name(hr_f32x16 a, hr_f32x16 b) { return _mm512_cmp_ps_mask(a, b, predicate); }
HR_INLINE hr_mask hr_equal_u16(hr_u16x16 a, uint16_t b) {
  return _mm256_cmpeq_epi16_mask((__m256i)a, _mm256_set1_epi16((short)b));
}
HR_INLINE hr_mask hr_above_u16(hr_u16x16 a, uint16_t b) {
  return _mm256_cmpgt_epu16_mask((__m256i)a, _mm256_set1_epi16((short)b));
}
HR_INLINE hr_f16x16 hr_choose_f16(hr_mask mask, hr_f16x16 yes, hr_f16x16 no) {
  return (hr_f16x16)_mm256_mask_blend_epi16(mask, (__m256i)no, (__m256i)yes);
}
HR_INLINE hr_u16x16 hr_add_where(hr_u16x16 a, hr_mask mask, uint16_t addend) {
  return (hr_u16x16)_mm256_mask_add_epi16((__m256i)a, mask, (__m256i)a, _mm256_set1_epi16((short)addend));
}
#else
/// A lane is all ones or all zeros.
typedef hr_i16x16 hr_mask;
#define HR_COMPARISON(name, relation, predicate) \
  HR_INLINE hr_mask name(hr_f32x16 a, hr_f32x16 b) { return __builtin_convertvector(a relation b, hr_i16x16); }
HR_INLINE hr_mask hr_equal_u16(hr_u16x16 a, uint16_t b) { return (hr_mask)(a == b); }
HR_INLINE hr_mask hr_above_u16(hr_u16x16 a, uint16_t b) { return (hr_mask)(a > b); }
HR_INLINE hr_f16x16 hr_choose_f16(hr_mask mask, hr_f16x16 yes, hr_f16x16 no) {
  return (hr_f16x16)(((hr_i16x16)yes & mask) | ((hr_i16x16)no & ~mask));
}
HR_INLINE hr_u16x16 hr_add_where(hr_u16x16 a, hr_mask mask, uint16_t addend) { return a + ((hr_u16x16)mask & addend); }
#endif
/// Lanes with a < b; none where either is not a number.
HR_COMPARISON(hr_less, <, _CMP_LT_OQ)
#undef HR_COMPARISON

HR_INLINE hr_mask hr_either(hr_mask a, hr_mask b) { return a | b; }
/// Lanes of `a` that are not of `b`.
HR_INLINE hr_mask hr_without(hr_mask a, hr_mask b) { return a & ~b; }

HR_INLINE hr_f16x16 hr_splat_f16(_Float16 a) { return (hr_f16x16)a; }
