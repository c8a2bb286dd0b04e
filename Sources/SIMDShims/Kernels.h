// The row kernels of one tier. Rows named "scratch" have room for 32 elements before the first and after the last;
// coded rows end exactly at `count`.
#pragma once

#define HR_ROW(type) type *_Nonnull
#define HR_KERNEL(name) void (*_Nonnull name)

/// Three half-float rows of linear light.
typedef struct {
  HR_ROW(_Float16) red;
  HR_ROW(_Float16) green;
  HR_ROW(_Float16) blue;
} hr_light_rows;

/// Three scratch rows of floats: roots of R, G, B, or R', G', B', or Y', B' - Y', R' - Y'.
typedef struct {
  HR_ROW(float) first;
  HR_ROW(float) second;
  HR_ROW(float) third;
} hr_float_rows;

/// Two coded chroma rows that a luma row lies between, with weights in quarters or eighths.
typedef struct {
  HR_ROW(const uint16_t) above;
  HR_ROW(const uint16_t) below;
  uint16_t weight_above, weight_below;
} hr_chroma_rows;

/// The full-width chroma rows that a coded row is made of: one, the mean of two, or three, whose middle one has half of
/// the weight. Where there are fewer than three, the last of them is given again.
typedef struct {
  HR_ROW(float) first;
  HR_ROW(float) second;
  HR_ROW(float) third;
  int count;
  float lean;                                     // of three rows: weights 1/4 - lean, 1/2, 1/4 + lean
} hr_row_filter;

typedef struct {
  /// Pieces of the tier's piecewise polynomials.
  int pieces;

  /// Eight-bit samples to words.
  HR_KERNEL(widen)(HR_ROW(const uint8_t) source, HR_ROW(uint16_t) scratch, long count);
  /// `count` pairs of interleaved words, shifted down, to a row each.
  HR_KERNEL(split)(HR_ROW(const uint16_t) source, int shift, HR_ROW(uint16_t) cb, HR_ROW(uint16_t) cr, long count);
  /// `count` words, every `step`th of the source.
  HR_KERNEL(pick)(HR_ROW(const uint16_t) source, int step, HR_ROW(uint16_t) target, long count);
  /// Bilinear up-sampling of `count` chroma samples to twice as many, times 4 times the sum of the weights.
  /// `siting` 0: between two luma columns, 1: on the even ones, 2: repeated instead.
  HR_KERNEL(upsample)(hr_chroma_rows source, int siting, HR_ROW(uint16_t) scratch, long count);
  /// Y'CbCr words at luma resolution to linear light.
  HR_KERNEL(linearize_ycbcr)(const hr_linearization *_Nonnull p, HR_ROW(const uint16_t) y, HR_ROW(const uint16_t) cb,
                             HR_ROW(const uint16_t) cr, hr_light_rows light, long count);
  /// One R'G'B' component to linear light; gain and offset are those of luma and red.
  HR_KERNEL(linearize_component)(const hr_linearization *_Nonnull p, HR_ROW(const uint16_t) source,
                                 HR_ROW(_Float16) light, long count);
  /// The level of each pixel, which is the bits of the half max(R, G, B, 0): not a number counts as 0, infinity as the
  /// largest half.
  HR_KERNEL(levels)(hr_light_rows light, HR_ROW(uint16_t) scratch, long count);
  /// The same of light times the mapping's luminance gain, without rounding to half float before that.
  HR_KERNEL(scene_levels)(const hr_mapping *_Nonnull p, hr_light_rows light, HR_ROW(uint16_t) scratch, long count);
  /// Counts each level in its bin of `bins`, of which there are 0x7c00, and raises `columns` to the levels where they
  /// are higher. `levels` and `columns` are scratch.
  /// - Returns: The highest level.
  uint16_t (*_Nonnull tally)(HR_ROW(const uint16_t) levels, HR_ROW(uint32_t) bins, HR_ROW(uint16_t) columns, long count);
  /// Pixels that lie outside of a gamut; colours that are not finite are not counted.
  long (*_Nonnull count_outside)(const hr_gamut_boundary *_Nonnull p, hr_light_rows light, long count);
  /// The luminance gain of each pixel.
  HR_KERNEL(luminance_gains)(const hr_mapping *_Nonnull p, hr_light_rows light, HR_ROW(float) scratch, long count);
  /// The wide-colour highlight, in place. `limits` is a scratch row that HR_HIGHLIGHT_RANGE alone reads.
  HR_KERNEL(highlight)(const hr_highlight *_Nonnull p, hr_light_rows light, HR_ROW(const float) limits, long count);
  /// The code of each pixel: how many levels it is above.
  HR_KERNEL(zones)(const hr_zones *_Nonnull p, hr_light_rows light, HR_ROW(uint16_t) scratch, long count);
  /// The same of levels as `levels` makes them, above two steps.
  HR_KERNEL(level_zones)(HR_ROW(const uint16_t) levels, uint16_t low, uint16_t high, HR_ROW(uint16_t) scratch, long count);
  /// Adds to the code of each pixel outside of a gamut.
  HR_KERNEL(add_outside)(const hr_gamut_boundary *_Nonnull p, uint16_t addend, hr_light_rows light,
                         HR_ROW(uint16_t) scratch, long count);
  /// Adds to the code of each pixel that has a hue the number of its sector, from 1, times `unit`.
  HR_KERNEL(add_hues)(const hr_hues *_Nonnull p, uint16_t unit, hr_light_rows light, HR_ROW(uint16_t) scratch, long count);
  /// Paints pixels by their codes, in place.
  HR_KERNEL(paint)(const hr_palette *_Nonnull p, HR_ROW(const uint16_t) codes, hr_light_rows light, long count);
  /// A weighted sum of the components, in half float.
  HR_KERNEL(weigh)(const hr_weights *_Nonnull p, hr_light_rows light, HR_ROW(_Float16) scratch, long count);
  /// Counts the levels of `rows` rows of halves, `stride` elements apart, in the bins of their columns.
  HR_KERNEL(tally_levels)(const hr_column_tally *_Nonnull p, HR_ROW(const uint16_t) halves, long stride, long rows,
                          HR_ROW(uint16_t) bins, long count);
  /// Bins of a plane of signal differences.
  HR_KERNEL(vector_bins)(const hr_vector_plane *_Nonnull p, hr_light_rows light, HR_ROW(uint32_t) scratch, long count);
  /// Bins of the plane of u', v', one more for what has no chromaticity, and the sums of what has.
  HR_KERNEL(chromaticity_bins)(const hr_chromaticity_plane *_Nonnull p, hr_light_rows light, HR_ROW(uint32_t) scratch,
                               hr_chromaticity_sums *_Nonnull sums, long count);
  /// Counts each of `indices` in its bin.
  HR_KERNEL(tally_bins)(HR_ROW(const uint32_t) indices, HR_ROW(uint32_t) bins, long count);
  /// Content light to display light, in place.
  HR_KERNEL(map)(const hr_mapping *_Nonnull p, hr_light_rows light, long count);
  /// Content light to the square or fourth roots of display light, 1 at full signal, without rounding to half float.
  HR_KERNEL(map_to_roots)(const hr_mapping *_Nonnull p, hr_light_rows light, hr_float_rows target, int is_fourth,
                          long count);
  /// Roots of linear light to Y', B' - Y', R' - Y'.
  HR_KERNEL(signal)(const hr_signal *_Nonnull p, hr_float_rows roots, hr_float_rows target, long count);
  /// Roots of linear light to R', G', B'.
  HR_KERNEL(component_signal)(const hr_signal *_Nonnull p, hr_float_rows roots, hr_float_rows target, long count);
  /// The mean of rows, then every second column: means of pairs, or 1, 2, 1 around the even columns.
  /// `count` is the number of full-width columns.
  HR_KERNEL(reduce)(hr_row_filter source, int is_cosited, HR_ROW(float) scratch, long count);
  /// `count` elements from right to left.
  HR_KERNEL(reverse)(HR_ROW(const _Float16) source, HR_ROW(_Float16) target, long count);
  /// Columns of `source` to rows of `target`: element (column, row) to (row, column). Strides are in elements and may
  /// be negative.
  HR_KERNEL(transpose)(HR_ROW(const _Float16) source, long source_stride, HR_ROW(_Float16) target, long target_stride,
                       long columns, long rows);
  /// The weighted sum of `rows` rows, `stride` elements apart, limited to what half float holds.
  HR_KERNEL(weigh_rows)(HR_ROW(const _Float16) source, long stride, HR_ROW(const float) weights, long rows,
                        HR_ROW(float) scratch, long count);
  /// A scratch row of finite values at another width, in half float.
  HR_KERNEL(resample)(hr_resampling p, HR_ROW(const float) source, HR_ROW(_Float16) scratch, long count);
  /// Signal values to codes.
  HR_KERNEL(quantize8)(hr_quantization p, HR_ROW(const float) values, HR_ROW(uint8_t) target, long count);
  HR_KERNEL(quantize16)(hr_quantization p, HR_ROW(const float) values, HR_ROW(uint16_t) target, long count);
} hr_row_kernels;

#undef HR_ROW
#undef HR_KERNEL
