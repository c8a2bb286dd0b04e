// A converter of pixel format and size: same matrix, same range on both sides. `struct SwsContext` is opaque up to
// 7 and open from 8 on, so Swift sees neither.
#pragma once
#include <libswscale/swscale.h>

typedef struct hr_converter hr_converter;

/// One side of a conversion. Chroma sample (0, 0) lies at (chroma_x, chroma_y) in 256ths of a luma sample; 0 on an
/// axis that is not subsampled.
typedef struct {
  int width, height;
  enum AVPixelFormat format;
  int chroma_x, chroma_y;
} hr_conversion_side;

HR_INLINE void hr_converter_free(hr_converter *converter) { sws_freeContext((struct SwsContext *)converter); }

HR_INLINE hr_converter *hr_converter_create(
    hr_conversion_side from, hr_conversion_side to, int matrix, int full_range) {
  int is_scaling = from.width != to.width || from.height != to.height;
  int flags = SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
  struct SwsContext *sws = sws_alloc_context();
  if (!sws) return NULL;
  av_opt_set_int(sws, "srcw", from.width, 0);
  av_opt_set_int(sws, "srch", from.height, 0);
  av_opt_set_int(sws, "dstw", to.width, 0);
  av_opt_set_int(sws, "dsth", to.height, 0);
  av_opt_set_int(sws, "src_format", from.format, 0);
  av_opt_set_int(sws, "dst_format", to.format, 0);
  av_opt_set_int(sws, "src_h_chr_pos", from.chroma_x, 0);
  av_opt_set_int(sws, "src_v_chr_pos", from.chroma_y, 0);
  av_opt_set_int(sws, "dst_h_chr_pos", to.chroma_x, 0);
  av_opt_set_int(sws, "dst_v_chr_pos", to.chroma_y, 0);
  av_opt_set_int(sws, "src_range", full_range, 0);
  av_opt_set_int(sws, "dst_range", full_range, 0);
  av_opt_set_int(sws, "sws_flags", flags | (is_scaling ? SWS_LANCZOS : SWS_BILINEAR), 0);
  av_opt_set(sws, "sws_dither", "none", 0);
  const int *coefficients = sws_getCoefficients(matrix);
  sws_setColorspaceDetails(sws, coefficients, full_range, coefficients, full_range, 0, 1 << 16, 1 << 16);
  if (sws_init_context(sws, NULL, NULL) < 0) {
    sws_freeContext(sws);
    return NULL;
  }
  return (hr_converter *)sws;
}

/// Converts the rows first, first + step, ... of a picture to the same rows of another: all of them (0, 1) or those of a
/// field (0 or 1, 2).
HR_INLINE int hr_converter_run(hr_converter *converter, const AVFrame *from, AVFrame *to, int first, int step) {
  const uint8_t *source[4];
  uint8_t *target[4];
  int source_stride[4], target_stride[4];
  for (int i = 0; i < 4; i++) {
    source[i] = from->data[i] ? from->data[i] + (ptrdiff_t)first * from->linesize[i] : NULL;
    target[i] = to->data[i] ? to->data[i] + (ptrdiff_t)first * to->linesize[i] : NULL;
    source_stride[i] = from->linesize[i] * step;
    target_stride[i] = to->linesize[i] * step;
  }
  return sws_scale(
      (struct SwsContext *)converter, source, source_stride, 0, from->height / step, target, target_stride);
}
