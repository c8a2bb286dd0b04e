// Look-ups: an eight-entry table held in a register, and a table in memory.
#pragma once

/// `table[index & 7]` for each lane.
HR_INLINE hr_f32x16 hr_permute8(const float *table, hr_u32x16 index) {
#ifdef __AVX2__
  const __m256 entries = _mm256_loadu_ps(table);
  union { hr_u32x16 whole; __m256i half[2]; } i = {index};
  union { hr_f32x16 whole; __m256 half[2]; } r;
  r.half[0] = _mm256_permutevar8x32_ps(entries, i.half[0]);
  r.half[1] = _mm256_permutevar8x32_ps(entries, i.half[1]);
  return r.whole;
#else
  hr_f32x16 r;
  for (int k = 0; k < 16; k++) r[k] = table[index[k] & 7];
  return r;
#endif
}

/// `table[index]` for each lane.
HR_INLINE hr_f32x16 hr_gather(const float *table, hr_u32x16 index) {
#ifdef __AVX2__
  union { hr_u32x16 whole; __m256i half[2]; } i = {index};
  union { hr_f32x16 whole; __m256 half[2]; } r;
  r.half[0] = _mm256_i32gather_ps(table, i.half[0], 4);
  r.half[1] = _mm256_i32gather_ps(table, i.half[1], 4);
  return r.whole;
#else
  hr_f32x16 r;
  for (int k = 0; k < 16; k++) r[k] = table[index[k]];
  return r;
#endif
}

/// A polynomial per binary octave of `z`: rows of eight coefficients, highest power first, entry `exponent & 7`,
/// in the variable (mantissa - 1.5). Lanes of `z` must be positive and normal.
#define HR_OCTAVES(name, degree)                                                \
  HR_INLINE hr_f32x16 name(hr_f32x16 z, const float *rows) {                    \
    const hr_u32x16 bits = hr_float_to_bits(z);                                 \
    const hr_u32x16 octave = bits >> 23;                                        \
    const hr_f32x16 t = hr_bits_to_float((bits & 0x7fffffu) | 0x3f800000u) - 1.5f; \
    hr_f32x16 p = hr_permute8(rows, octave);                                    \
    for (int k = 1; k <= degree; k++) p = hr_fma(p, t, hr_permute8(rows + 8 * k, octave)); \
    return p;                                                                   \
  }
HR_OCTAVES(hr_octaves5, 5)
#undef HR_OCTAVES

/// The piecewise linear function `s` at `x`; not a number counts as its lowest argument.
HR_INLINE hr_f32x16 hr_evaluate(hr_segments s, hr_f32x16 x) {
  x = hr_min(hr_max(x, (hr_f32x16)(s.lowest)), (hr_f32x16)(s.highest));
  const hr_u32x16 index = ((hr_float_to_bits(x) >> 16) - s.first) << 1;
  return hr_fma(x, hr_gather(s.segments + 1, index), hr_gather(s.segments, index));
}
