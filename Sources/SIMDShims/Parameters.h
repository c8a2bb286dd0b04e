// What the row kernels are told. C structures, so that every tier's module shares one layout.
#pragma once

/// Code values to linear light: z = code * gain + offset per component (the Y'CbCr matrix folded in), then the
/// fourth power of a polynomial per octave of z.
typedef struct {
  float luma_gain;                                // all components
  float red_from_cr, green_from_cb, green_from_cr, blue_from_cb;
  float red_offset, green_offset, blue_offset;
  float lowest, highest;                          // range of z for signals 0...1
  const float *octaves;                           // 6 rows of 8
} hr_linearization;

/// A function of one positive variable, linear in each of 128 segments per octave: a + b * x.
typedef struct {
  const float *segments;                          // a, b of each segment
  float lowest, highest;                          // x is clamped to these
  uint32_t first;                                 // (bits of lowest) >> 16
} hr_segments;

/// A knee: identity up to `start`, then rolled off so that the limit arrives at `start + span`.
typedef struct {
  float start, span;
} hr_knee;

/// BT.2446-1 method A on signals normalised to the content's peak.
typedef struct {
  float input_gain;                               // buffer to content peak = 1
  float root_gain, root_offset;                   // square root of light to the octave variable z
  float power_gain, power_offset;                 // signal to the octave variable z
  const float *root_octaves;                      // light to signal (power 1/2.4)
  const float *power_octaves;                     // signal to light (power 2.4), fourth root of it
  hr_segments curve;                              // Y'SDR / Y' over Y'
  float kr, kg, kb;                               // Y' from R'G'B'
  float cr_gain;                                  // C'r = (R' - Y') * cr_gain
  float output_gain;                              // display peak = 1 to buffer
} hr_bt2446a;

/// What a mapping does to the light before its gamut.
typedef enum {
  HR_TONE_SCALE,
  HR_TONE_LUMINANCE_GAIN,
  HR_TONE_MAXIMUM_GAIN,
  HR_TONE_BT2446A,
} hr_tone;

/// How a mapping comes into the display's primaries.
typedef enum {
  HR_GAMUT_KEEP,
  HR_GAMUT_CLIP,
  HR_GAMUT_COMPRESS,
} hr_gamut;

/// From linear content light to linear display light.
typedef struct {
  hr_tone tone;
  hr_gamut gamut;
  int is_scene_light;                             // the luminance gain comes before the tone step
  float scale;                                    // without a tone curve: buffer units in to buffer units out
  float scene_luminance[3];                       // weights of the luminance that luminance_gain takes
  float luminance[3];                             // luminance row of the source primaries
  hr_segments luminance_gain;                     // gain over luminance (HLG OOTF or its inverse)
  hr_segments maximum_gain;                       // gain over max(R, G, B)
  hr_bt2446a bt2446a;
  float matrix[9];                                // source primaries to the display's, row by row
  float headroom;                                 // largest value that the display shows
  hr_knee saturation, brightness;                 // gamut compression
} hr_mapping;

/// Linear light to signal: V = polynomial per octave of z = root(x * gain) * scale + offset, where root is the square
/// or the fourth root.
typedef struct {
  int is_quartic_root;
  float gain;                                     // buffer units to 1 = full signal
  float scale, offset;
  const float *octaves;                           // 6 rows of 8
  float kr, kg, kb;                               // Y' from R'G'B'
  float cb_gain, cr_gain;                         // C'b = (B' - Y') * cb_gain
} hr_signal;

/// Signal to code value: clamp(value * gain + offset + threshold, 0, highest), truncated.
typedef struct {
  float gain, offset, highest;
  const float *thresholds;                        // 64 values in 0..<1 of this row, the dither or 0.5 each
} hr_quantization;
