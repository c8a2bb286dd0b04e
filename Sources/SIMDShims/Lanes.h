// Lanes as bits, choices among lanes, halves of vectors.
#pragma once

HR_INLINE hr_f32x16 hr_bits_to_float(hr_u32x16 a) { return (hr_f32x16)a; }
HR_INLINE hr_u32x16 hr_float_to_bits(hr_f32x16 a) { return (hr_u32x16)a; }

#ifdef __AVX2__
HR_INLINE __m256 hr_low(hr_f32x16 a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7); }
HR_INLINE __m256 hr_high(hr_f32x16 a) { return __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15); }
HR_INLINE hr_f32x16 hr_join(__m256 low, __m256 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
#endif

/// `mask` lanes are all ones or all zeros.
HR_INLINE hr_u32x16 hr_select_bits(hr_i32x16 mask, hr_u32x16 yes, hr_u32x16 no) {
  hr_u32x16 m = (hr_u32x16)mask;
  return (yes & m) | (no & ~m);
}
