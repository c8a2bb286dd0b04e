// Conversions between lane types. Half-float conversion rounds to nearest, ties to even.
#pragma once

#if defined(__F16C__) || defined(__aarch64__)

HR_INLINE hr_f16x16 hr_to_half(hr_f32x16 a) { return __builtin_convertvector(a, hr_f16x16); }
HR_INLINE hr_f32x16 hr_from_half(hr_f16x16 a) { return __builtin_convertvector(a, hr_f32x16); }

#else

// Without F16C a conversion is a library call per lane; integer arithmetic does it forty times faster.
HR_INLINE hr_f16x16 hr_to_half(hr_f32x16 a) {
  const hr_u32x16 bits = hr_float_to_bits(a);
  const hr_u32x16 sign = (bits >> 16) & 0x8000u;
  const hr_u32x16 magnitude = bits & 0x7fffffffu;
  // Normal halves: rebias the exponent (127 - 15 = 112) and round half to even on the 13 bits that go.
  const hr_u32x16 normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  // Below 2^-14: adding 0.5 makes the float unit do the shift and the rounding.
  const hr_u32x16 half = (hr_u32x16)(126u << 23);
  const hr_u32x16 subnormal = hr_float_to_bits(hr_bits_to_float(magnitude) + hr_bits_to_float(half)) - half;
  hr_u32x16 r = hr_select_bits(magnitude < (113u << 23), subnormal, normal);
  r = hr_select_bits(magnitude >= (143u << 23), (hr_u32x16)(0x7c00u), r);  // 65536 and above: infinity
  r = hr_select_bits(magnitude > 0x7f800000u, (hr_u32x16)(0x7e00u), r);    // not a number
  return (hr_f16x16)__builtin_convertvector(r | sign, hr_u16x16);
}

HR_INLINE hr_f32x16 hr_from_half(hr_f16x16 a) {
  const hr_u32x16 h = __builtin_convertvector((hr_u16x16)a, hr_u32x16);
  const hr_u32x16 magnitude = (h & 0x7fffu) << 13;
  // Multiplying by 2^112 rebiases the exponent and normalises subnormals.
  hr_u32x16 r = hr_float_to_bits(hr_bits_to_float(magnitude) * 0x1p112f);
  r = hr_select_bits(magnitude >= (0x7c00u << 13), magnitude | 0x7f800000u, r);
  return hr_bits_to_float(r | ((h & 0x8000u) << 16));
}

#endif

HR_INLINE hr_f32x16 hr_from_u16(hr_u16x16 a) {
  return __builtin_convertvector(__builtin_convertvector(a, hr_i32x16), hr_f32x16);
}
HR_INLINE hr_u16x16 hr_widen_u8(hr_u8x16 a) { return __builtin_convertvector(a, hr_u16x16); }

/// Truncates; lanes must lie in 0...2^31.
HR_INLINE hr_u32x16 hr_to_u32(hr_f32x16 a) { return (hr_u32x16)__builtin_convertvector(a, hr_i32x16); }

#if defined(__AVX512F__)
/// Truncates and saturates; not a number becomes 0.
HR_INLINE hr_u16x16 hr_to_u16(hr_f32x16 a) {
  return (hr_u16x16)_mm512_cvtusepi32_epi16(_mm512_max_epi32(_mm512_cvttps_epi32(a), _mm512_setzero_si512()));
}
/// Truncates and saturates; not a number becomes 0.
HR_INLINE hr_u8x16 hr_to_u8(hr_f32x16 a) {
  return (hr_u8x16)_mm512_cvtusepi32_epi8(_mm512_max_epi32(_mm512_cvttps_epi32(a), _mm512_setzero_si512()));
}
#elif defined(__AVX2__)
/// Truncates and saturates; not a number becomes 0.
HR_INLINE hr_u16x16 hr_to_u16(hr_f32x16 a) {
  const __m256i words = _mm256_packus_epi32(_mm256_cvttps_epi32(hr_low(a)), _mm256_cvttps_epi32(hr_high(a)));
  return (hr_u16x16)_mm256_permute4x64_epi64(words, 0xd8);
}
/// Truncates and saturates; not a number becomes 0.
HR_INLINE hr_u8x16 hr_to_u8(hr_f32x16 a) {
  const __m256i words = (__m256i)hr_to_u16(a);
  return (hr_u8x16)_mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}
#else
HR_INLINE hr_i32x16 hr_to_i32(hr_f32x16 a, float highest) {
  return __builtin_convertvector(hr_min(hr_max(a, (hr_f32x16)0), (hr_f32x16)highest), hr_i32x16);
}
/// Truncates and saturates; not a number becomes 0.
HR_INLINE hr_u16x16 hr_to_u16(hr_f32x16 a) { return __builtin_convertvector(hr_to_i32(a, 65535), hr_u16x16); }
/// Truncates and saturates; not a number becomes 0.
HR_INLINE hr_u8x16 hr_to_u8(hr_f32x16 a) { return __builtin_convertvector(hr_to_i32(a, 255), hr_u8x16); }
#endif
