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

/// `mask` lanes are all ones or all zeros.
HR_INLINE hr_f32x16 hr_select(hr_i32x16 mask, hr_f32x16 yes, hr_f32x16 no) {
  return hr_bits_to_float(hr_select_bits(mask, hr_float_to_bits(yes), hr_float_to_bits(no)));
}

HR_INLINE hr_i32x16 hr_greater(hr_f32x16 a, hr_f32x16 b) { return a > b; }

/// The larger lane; `b` where either is not a number.
HR_INLINE hr_f32x16 hr_max(hr_f32x16 a, hr_f32x16 b) { return hr_select(a > b, a, b); }
/// The smaller lane; `b` where either is not a number.
HR_INLINE hr_f32x16 hr_min(hr_f32x16 a, hr_f32x16 b) { return hr_select(a < b, a, b); }

HR_INLINE hr_f32x16 hr_sqrt(hr_f32x16 a) { return __builtin_elementwise_sqrt(a); }
