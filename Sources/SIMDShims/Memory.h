// Loads and stores without alignment, whole or the first `count` lanes.
#pragma once

#define HR_MEMORY(suffix, vector, element)                                            \
  HR_INLINE vector hr_load_##suffix(const element *p) {                               \
    vector v;                                                                         \
    memcpy(&v, p, sizeof v);                                                          \
    return v;                                                                         \
  }                                                                                   \
  HR_INLINE void hr_store_##suffix(element *p, vector v) { memcpy(p, &v, sizeof v); } \
  /* Lanes from `count` on repeat the last one, so that they stay ordinary values. */ \
  HR_INLINE vector hr_load_first_##suffix(const element *p, long count) {             \
    vector v;                                                                         \
    for (int k = 0; k < 16; k++) v[k] = p[k < count ? k : count - 1];                 \
    return v;                                                                         \
  }                                                                                   \
  HR_INLINE void hr_store_first_##suffix(element *p, vector v, long count) {          \
    for (int k = 0; k < 16; k++)                                                      \
      if (k < count) p[k] = v[k];                                                     \
  }
HR_MEMORY(u8, hr_u8x16, uint8_t)
HR_MEMORY(u16, hr_u16x16, uint16_t)
HR_MEMORY(f16, hr_f16x16, _Float16)
HR_MEMORY(f32, hr_f32x16, float)
#undef HR_MEMORY

/// a0 b0 a1 b1 ...
HR_INLINE hr_u16x32 hr_interleave(hr_u16x16 a, hr_u16x16 b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24, 9, 25, 10, 26,
                                 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
HR_INLINE hr_u16x16 hr_even_u16(hr_u16x32 a) {
  return __builtin_shufflevector(a, a, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
HR_INLINE hr_u16x16 hr_odd_u16(hr_u16x32 a) {
  return __builtin_shufflevector(a, a, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}
/// The neighbours before: the first lane twice, then the others but the last.
HR_INLINE hr_u16x16 hr_repeat_first_u16(hr_u16x16 a) {
  return __builtin_shufflevector(a, a, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
}
/// The neighbours after: all lanes but the first, then the last again.
HR_INLINE hr_u16x16 hr_repeat_last_u16(hr_u16x16 a) {
  return __builtin_shufflevector(a, a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
}
HR_INLINE hr_u16x32 hr_load_u16x32(const uint16_t *p) {
  hr_u16x32 v;
  memcpy(&v, p, sizeof v);
  return v;
}
HR_INLINE void hr_store_u16x32(uint16_t *p, hr_u16x32 v) { memcpy(p, &v, sizeof v); }
HR_INLINE hr_f32x16 hr_even_f32(hr_f32x16 low, hr_f32x16 high) {
  return __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
HR_INLINE hr_f32x16 hr_odd_f32(hr_f32x16 low, hr_f32x16 high) {
  return __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}
/// The last lane of `before`, then all but the last of `a`.
HR_INLINE hr_f32x16 hr_shift_in(hr_f32x16 before, hr_f32x16 a) {
  return __builtin_shufflevector(before, a, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
}
