// libjxl: JPEG XL pictures.
#pragma once

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/resizable_parallel_runner.h>
#include <jxl/version.h>

// The colour profile of decoded samples or of the file. libjxl 0.9 took away an argument that was not used.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define HR_JXL_UNUSED_FORMAT NULL,
#else
#define HR_JXL_UNUSED_FORMAT
#endif

static inline JxlDecoderStatus hr_jxl_encoded_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, JxlColorEncoding *encoding) {
  return JxlDecoderGetColorAsEncodedProfile(decoder, HR_JXL_UNUSED_FORMAT target, encoding);
}
static inline JxlDecoderStatus hr_jxl_icc_profile_size(
    const JxlDecoder *decoder, JxlColorProfileTarget target, size_t *size) {
  return JxlDecoderGetICCProfileSize(decoder, HR_JXL_UNUSED_FORMAT target, size);
}
static inline JxlDecoderStatus hr_jxl_icc_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *profile, size_t size) {
  return JxlDecoderGetColorAsICCProfile(decoder, HR_JXL_UNUSED_FORMAT target, profile, size);
}
