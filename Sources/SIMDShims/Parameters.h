// What the row kernels are told. C structures, so that every tier's module shares one layout.
#pragma once

/// A piecewise polynomial: rows of a coefficient per piece, highest power first. The piece is (bits of z) >> shift.
typedef struct {
  const float *rows;
  uint32_t shift;
} hr_polynomial;

/// Code values to linear light: z = code * gain + offset per component (the Y'CbCr matrix folded in), then the
/// square or the fourth power of a polynomial of z.
typedef struct {
  float luma_gain;                                // all components
  float red_from_cr, green_from_cb, green_from_cr, blue_from_cb;
  float red_offset, green_offset, blue_offset;
  float lowest, highest;                          // range of z for signals 0...1
  int is_fourth_power;
  hr_polynomial polynomial;
} hr_linearization;

/// Pixels that gains are looked up for at a time, and room for them.
enum { HR_GAIN_BLOCK = 128 };
typedef struct {
  float gain[HR_GAIN_BLOCK], scene[HR_GAIN_BLOCK];
  uint16_t index[HR_GAIN_BLOCK];
} hr_gain_block;

/// A knee: identity up to `start`, then rolled off over `span`; both as shares of what may be reached.
typedef struct {
  float start, span;
  float before;                                   // a little below `start`, so that a difference to it is not zero
  float end;                                      // start + span
} hr_knee;

/// BT.2446-1 method A on signals normalised to the content's peak.
typedef struct {
  float input_gain;                               // buffer to content peak = 1
  float root_gain, root_offset;                   // square root of light to z
  float power_gain, power_offset;                 // signal to z
  hr_polynomial root, power;                      // z to signal (power 1/2.4), z to the root of light (power 1.2)
  const float *curve;                             // Y'SDR / Y' at Y' = index / 32767
  float kr, kg, kb;                               // Y' from R'G'B'
  float cr_gain;                                  // C'r = (R' - Y') * cr_gain
  float output_gain;                              // display peak = 1 to buffer
} hr_bt2446a;

/// What a gain is taken from: a weighted sum of the components, and the largest and the smallest in other primaries.
typedef struct {
  float weights[3];
  float largest, smallest;
  float matrix[9];                                // into the primaries of largest and smallest, row by row
  float limit;                                    // largest component after the gain
} hr_mix;

/// The gamut map with soft floors.
typedef struct {
  float floors[3];                                // of components, as shares of the largest
  float highest_floor;
  float changed_from;                             // largest component up to which a colour is neither clipped nor a highlight
  float highlight_start, highlight_scale;         // where highlights begin, and 1 / (the headroom less that)
  float least_way, way_gain;                      // way to the largest = share² (least_way + way_gain c (2 largest - c))
} hr_perceptual;

/// What a mapping does to the light before its gamut.
typedef enum {
  HR_TONE_SCALE,
  HR_TONE_LUMINANCE_GAIN,
  HR_TONE_MAXIMUM_GAIN,
  HR_TONE_MIXED_GAIN,
  HR_TONE_BT2446A,
} hr_tone;

/// How a mapping comes into the display's primaries.
typedef enum {
  HR_GAMUT_KEEP,
  HR_GAMUT_CONVERT,
  HR_GAMUT_CLIP,
  HR_GAMUT_COMPRESS,
  HR_GAMUT_PERCEPTUAL,
} hr_gamut;

/// From linear content light to linear display light.
typedef struct {
  hr_tone tone;
  hr_gamut gamut;
  int is_scene_light;                             // the luminance gain comes before the tone step
  float scale;                                    // without a tone curve: buffer units in to buffer units out
  float scene_luminance[3];                       // weights of the luminance that luminance_gain takes
  float luminance[3];                             // luminance row of the source primaries
  const float *luminance_gain;                    // HLG OOTF or its inverse, at the bits of the half luminance
  const float *maximum_gain;                      // at the bits of the half max(R, G, B)
  const float *mixed_gain;                        // at the bits of the half mix
  hr_mix mix;
  hr_bt2446a bt2446a;
  float matrix[9];                                // source primaries to the display's, row by row
  float headroom;                                 // largest value that the display shows
  hr_knee saturation, brightness;                 // gamut compression
  hr_perceptual perceptual;
} hr_mapping;

/// Roots of linear light to signal: V = polynomial of z = root * gain + offset, where root is 1 at full signal.
typedef struct {
  float gain, offset;
  hr_polynomial polynomial;
  float kr, kg, kb;                               // Y' from R'G'B'
} hr_signal;

/// The edge of a gamut: a colour is outside where a component is below -floor.
typedef struct {
  float matrix[9];                                // source primaries to the gamut's plus the tolerance, row by row
  float floor;
} hr_gamut_boundary;

/// Which colours the wide-colour highlight leaves as they are.
typedef enum {
  HR_HIGHLIGHT_CHROMATICITY,                      // outside of the gamut
  HR_HIGHLIGHT_RANGE,                             // the same, or a component above its pixel's limit
  HR_HIGHLIGHT_LUMINANCE,                         // luminance above `limit`
} hr_highlight_kind;

/// The wide-colour highlight: other colours turn grey, or to a tint near the edge.
typedef struct {
  hr_highlight_kind kind;
  int has_tint;
  hr_gamut_boundary boundary;
  float excess[3];                                // weights of what a component may be above its limit, and the tolerance
  float luminance[3];
  float limit;
  float gray[3];                                  // weights of the grey
  float near[3];                                  // weights of the smallest component that is not near the edge
  float near_level;                               // of a limit, from where light is near it
  float tint[3];                                  // the colour of luminance 1
} hr_highlight;

enum {
  HR_ZONES = 8,
  HR_SECTORS = 6,
};

/// Steps of a mix of the components, padded with infinity.
typedef struct {
  float weights[3];
  float levels[HR_ZONES];
} hr_zones;

/// Hues as sectors of a plane: x = horizontal / unit and y = vertical / unit, each a mix of the components. Sector k goes
/// from direction k to the next one, counter-clockwise, less than half a turn on.
typedef struct {
  float horizontal[3], vertical[3], unit[3];
  float neutral;                                  // square of the distance from the origin below which there is no hue
  float x[HR_SECTORS], y[HR_SECTORS];             // directions
} hr_hues;

/// What pixels are painted with by their codes.
typedef struct {
  float gray[3];                                  // weights of the grey
  int count;                                      // codes that are painted; others stay as they are
  int gray_code;                                  // the code that is grey; -1 where none is
  const _Float16 *colors;                         // R, G and B of each code
} hr_palette;

/// Weights of a sum of the components.
typedef struct {
  float red, green, blue;
} hr_weights;

/// Levels of half floats, counted by columns.
typedef struct {
  const uint16_t *levels;                         // at the bits of the half, 65,536
  const uint32_t *offsets;                        // of each pixel: where the bins of its column begin
  int are_fours;                                  // four pixels from a multiple of four on are of one column
} hr_column_tally;

/// Two signal differences as the bins of a plane: first - second and third - second, weighted.
typedef struct {
  const float *signals;                           // at the bits of a half, 65,536
  float x_first, x_third, y_first, y_third;       // in bins
} hr_vector_plane;

/// CIE 1976 u', v' as the bins of a plane.
typedef struct {
  float matrix[9];                                // light to CIE XYZ, row by row
  float least;                                    // Y, in the unit of the light, of which there is a chromaticity
  float bins_per_unit;
} hr_chromaticity_plane;

/// u' and v' of pixels in 1/65536, added up.
typedef struct {
  int64_t pixels, sum_u, sum_v;
  int32_t least_u, least_v, most_u, most_v;
} hr_chromaticity_sums;

/// What each element of a row at another width is the weighted sum of: neighbours from a start on.
typedef struct {
  const uint32_t *starts;                         // of whole vectors of elements
  const float *weights;                           // of each vector of elements: one vector per neighbour
  long taps;                                      // neighbours, a multiple of four
} hr_resampling;

/// Signal to code value: value * gain + threshold, limited to 0...highest and truncated.
typedef struct {
  float gain, highest;
  const float *thresholds;                        // 64 values of this row: code of signal 0, and 0..<1 to round by
} hr_quantization;
