// Look-ups: polynomials whose coefficients are held in registers, and a table in memory.
#pragma once

enum {
  /// Pieces of a piecewise polynomial: what a register holds of their coefficients.
#if defined(__AVX2__) && !defined(__AVX512F__)
  HR_PIECES = 8,
#else
  HR_PIECES = 16,
#endif
  HR_LIGHT_DEGREE = 4,
  HR_SIGNAL_DEGREE = 3,
};

/// `row[index % HR_PIECES]` for each lane.
HR_INLINE hr_f32x16 hr_permute(const float *row, hr_u32x16 index) {
#if defined(__AVX512F__)
  return _mm512_permutexvar_ps((__m512i)index, _mm512_loadu_ps(row));
#elif defined(__AVX2__)
  const __m256 entries = _mm256_loadu_ps(row);
  const hr_f32x16 i = hr_bits_to_float(index);
  return hr_join(_mm256_permutevar8x32_ps(entries, (__m256i)hr_low(i)),
                 _mm256_permutevar8x32_ps(entries, (__m256i)hr_high(i)));
#else
  hr_f32x16 r;
  for (int k = 0; k < 16; k++) r[k] = row[index[k] & (HR_PIECES - 1)];
  return r;
#endif
}

/// A polynomial in `z` itself, its piece picked by the exponent and the first bits of the mantissa of `z`. Lanes of `z`
/// must be positive and normal.
#define HR_POLYNOMIAL(name, degree)                                                                       \
  HR_INLINE hr_f32x16 name(hr_polynomial p, hr_f32x16 z) {                                                \
    const hr_u32x16 piece = hr_float_to_bits(z) >> p.shift;                                               \
    hr_f32x16 r = hr_permute(p.rows, piece);                                                              \
    for (int k = 1; k <= degree; k++) r = hr_fma(r, z, hr_permute(p.rows + HR_PIECES * k, piece));        \
    return r;                                                                                             \
  }
/// Signal to a root of light.
HR_POLYNOMIAL(hr_light_polynomial, HR_LIGHT_DEGREE)
/// A root of light to signal.
HR_POLYNOMIAL(hr_signal_polynomial, HR_SIGNAL_DEGREE)
#undef HR_POLYNOMIAL

/// `table[index]` for each lane.
HR_INLINE hr_f32x16 hr_gather(const float *table, hr_u32x16 index) {
#if defined(__AVX512F__)
  return _mm512_i32gather_ps((__m512i)index, table, 4);
#elif defined(__AVX2__)
  const hr_f32x16 i = hr_bits_to_float(index);
  return hr_join(_mm256_i32gather_ps(table, (__m256i)hr_low(i), 4), _mm256_i32gather_ps(table, (__m256i)hr_high(i), 4));
#else
  hr_f32x16 r;
  for (int k = 0; k < 16; k++) r[k] = table[index[k]];
  return r;
#endif
}

/// `table[index]` for sixteen indices, one by one and as integers: half the time of a gather, and none of what vector
/// code around it needs.
HR_INLINE void hr_look_up(const float *table, const uint16_t *index, float *result) {
#pragma clang loop unroll(full) vectorize(disable)
  for (int k = 0; k < 16; k++) {
    uint32_t bits;
    memcpy(&bits, table + index[k], 4);
    __asm__("" : "+r"(bits));  // or they become vector loads, of which there are fewer at a time
    memcpy(result + k, &bits, 4);
  }
}

/// Adds to each lane of `sum` four neighbours from its index on, each times its weight: a vector of weights per neighbour.
/// Four are read at once and transposed, which takes a quarter of the loads that a gather of each does.
HR_INLINE hr_f32x16 hr_add_four(const float *row, const uint32_t *index, const float *weights, hr_f32x16 sum) {
  typedef float hr_f32x4 __attribute__((ext_vector_type(4)));
  hr_f32x16 lanes[4];
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++) {
    hr_f32x4 quads[4];
    for (int n = 0; n < 4; n++) memcpy(&quads[n], row + index[4 * n + k], sizeof quads[n]);
    lanes[k] = __builtin_shufflevector(__builtin_shufflevector(quads[0], quads[1], 0, 1, 2, 3, 4, 5, 6, 7),
                                       __builtin_shufflevector(quads[2], quads[3], 0, 1, 2, 3, 4, 5, 6, 7), 0, 1, 2, 3,
                                       4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
#define HR_LOW_PAIRS(a, b) \
  __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HR_HIGH_PAIRS(a, b) \
  __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define HR_FIRST_PAIRS(a, b) \
  __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define HR_LAST_PAIRS(a, b) \
  __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
  const hr_f32x16 a = HR_LOW_PAIRS(lanes[0], lanes[1]), b = HR_HIGH_PAIRS(lanes[0], lanes[1]);
  const hr_f32x16 c = HR_LOW_PAIRS(lanes[2], lanes[3]), d = HR_HIGH_PAIRS(lanes[2], lanes[3]);
  const hr_f32x16 values[4] = {HR_FIRST_PAIRS(a, c), HR_LAST_PAIRS(a, c), HR_FIRST_PAIRS(b, d), HR_LAST_PAIRS(b, d)};
#undef HR_LOW_PAIRS
#undef HR_HIGH_PAIRS
#undef HR_FIRST_PAIRS
#undef HR_LAST_PAIRS
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++) sum = hr_fma(values[k], hr_load_f32(weights + 16 * k), sum);
  return sum;
}

/// The bits of positive halves; 0 for others.
HR_INLINE hr_u16x16 hr_half_index(hr_f16x16 a) {
  const hr_i16x16 bits = (hr_i16x16)a;
  return (hr_u16x16)(bits > 0 ? bits : 0);
}

/// The same of the largest of three. Halves above zero are ordered as their bits are.
HR_INLINE hr_u16x16 hr_largest_half_index(hr_f16x16 a, hr_f16x16 b, hr_f16x16 c) {
  const hr_i16x16 x = (hr_i16x16)a, y = (hr_i16x16)b, z = (hr_i16x16)c;
  const hr_i16x16 larger = x > y ? x : y;
  return hr_half_index((hr_f16x16)(larger > z ? larger : z));
}

/// The same, of finite values: not a number counts as 0, infinity as the largest half.
HR_INLINE hr_u16x16 hr_largest_level(hr_f16x16 a, hr_f16x16 b, hr_f16x16 c) {
  const hr_i16x16 infinity = (hr_i16x16)(int16_t)0x7c00, highest = (hr_i16x16)(int16_t)0x7bff;
  hr_i16x16 x = (hr_i16x16)a, y = (hr_i16x16)b, z = (hr_i16x16)c;
  x &= x <= infinity, y &= y <= infinity, z &= z <= infinity;
  const hr_i16x16 level = (hr_i16x16)hr_largest_half_index((hr_f16x16)x, (hr_f16x16)y, (hr_f16x16)z);
  return (hr_u16x16)(level < highest ? level : highest);
}

/// The higher of two levels; as signed words, which the baseline can compare.
HR_INLINE hr_u16x16 hr_higher_level(hr_u16x16 a, hr_u16x16 b) {
  const hr_i16x16 x = (hr_i16x16)a, y = (hr_i16x16)b;
  return (hr_u16x16)(x > y ? x : y);
}
HR_INLINE uint16_t hr_highest_level(hr_u16x16 a) { return (uint16_t)__builtin_reduce_max((hr_i16x16)a); }

/// Adds four levels to their bins. Where they are one, as in flat areas, in one step: a bin that has just been written
/// is slow to be read.
HR_INLINE void hr_tally_four(const uint16_t *levels, uint32_t *bins) {
  uint64_t four;
  memcpy(&four, levels, sizeof four);
  if (four == (four >> 16 | four << 48)) {
    bins[levels[0]] += 4;
  } else {
    for (int k = 0; k < 4; k++) bins[levels[k]]++;
  }
}
