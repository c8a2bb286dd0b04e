// LibRaw: camera raw. Its structures hold arrays that are too long for Swift.
#pragma once

#include <libraw/libraw.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HR_RAW static inline __attribute__((always_inline))

/// A file being read, and whether its data were damaged.
typedef struct {
  libraw_data_t *library;
  int is_damaged;
} hr_raw;

static inline void hr_raw_note_damage(void *damaged, const char *file, const int offset) { *(int *)damaged = 1; }

/// A reader that prints nothing; NULL without memory.
static inline hr_raw *hr_raw_create(unsigned max_megabytes) {
  hr_raw *raw = (hr_raw *)calloc(1, sizeof(hr_raw));
  if (!raw) return NULL;
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  raw->library = libraw_init(LIBRAW_OPIONS_NO_MEMERR_CALLBACK | LIBRAW_OPIONS_NO_DATAERR_CALLBACK);
#else
  // Nothing is called back for lack of memory any more.
  raw->library = libraw_init(LIBRAW_OPTIONS_NO_DATAERR_CALLBACK);
#endif
  if (!raw->library) {
    free(raw);
    return NULL;
  }
  libraw_set_dataerror_handler(raw->library, hr_raw_note_damage, &raw->is_damaged);
  // The scale of samples converted from floats would depend on the picture's content.
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  raw->library->params.max_raw_memory_mb = max_megabytes;
  raw->library->params.raw_processing_options &= ~LIBRAW_PROCESSING_CONVERTFLOAT_TO_INT;
#else
  raw->library->rawparams.max_raw_memory_mb = max_megabytes;
  raw->library->rawparams.options &= ~LIBRAW_RAWOPTIONS_CONVERTFLOAT_TO_INT;
#endif
  return raw;
}

static inline void hr_raw_free(hr_raw *raw) {
  libraw_close(raw->library);
  free(raw);
}

/// The bytes must outlive the reader.
HR_RAW int hr_raw_open(hr_raw *raw, const void *bytes, size_t count) {
  return libraw_open_buffer(raw->library, (void *)bytes, count);
}
HR_RAW int hr_raw_unpack(hr_raw *raw) { return libraw_unpack(raw->library); }

/// Numbers of a file, of which those of the samples are known once they are unpacked.
typedef struct {
  int raw_width, raw_height, left, top, width, height, flip;
  int is_dng, is_tilted, is_white_balanced, picture_count, colors;
  unsigned filters, black, white;
  unsigned black_rows, black_columns;
  float shutter, aperture, sensitivity, flash;
} hr_raw_numbers;

HR_RAW hr_raw_numbers hr_raw_describe(const hr_raw *raw) {
  const libraw_data_t *data = raw->library;
  return (hr_raw_numbers){
      .raw_width = data->sizes.raw_width,
      .raw_height = data->sizes.raw_height,
      .left = data->sizes.left_margin,
      .top = data->sizes.top_margin,
      .width = data->sizes.width,
      .height = data->sizes.height,
      .flip = data->sizes.flip,
      .is_dng = data->idata.dng_version != 0,
      .is_tilted = data->rawdata.ioparams.fuji_width != 0,
      .is_white_balanced = data->color.as_shot_wb_applied != 0,
      .picture_count = (int)data->idata.raw_count,
      .colors = data->idata.colors,
      .filters = data->idata.filters,
      .black = data->color.black,
      .white = data->color.maximum,
      .black_rows = data->color.cblack[4],
      .black_columns = data->color.cblack[5],
      .shutter = data->other.shutter,
      .aperture = data->other.aperture,
      .sensitivity = data->other.iso_speed,
      .flash = data->color.flash_used,
  };
}

/// The maker's usual name, or as the file spells one that LibRaw does not know.
HR_RAW const char *hr_raw_maker(const hr_raw *raw) {
  const libraw_iparams_t *data = &raw->library->idata;
  return data->normalized_make[0] ? data->normalized_make : data->make;
}
HR_RAW const char *hr_raw_model(const hr_raw *raw) { return raw->library->idata.normalized_model; }
/// What the colours are: "RGBG".
HR_RAW const char *hr_raw_color_names(const hr_raw *raw) { return raw->library->idata.cdesc; }

/// The colour of a site of the visible picture: 3 is the second green.
HR_RAW int hr_raw_color(const hr_raw *raw, int row, int column) { return libraw_COLOR(raw->library, row, column); }
/// Black of a colour beyond the common one.
HR_RAW unsigned hr_raw_color_black(const hr_raw *raw, int color) { return raw->library->color.cblack[color & 3]; }
/// Black of a site in the repeated pattern.
HR_RAW unsigned hr_raw_site_black(const hr_raw *raw, unsigned index) {
  return index < LIBRAW_CBLACK_SIZE - 6 ? raw->library->color.cblack[6 + index] : 0;
}
/// White of a colour in a DNG file; 0 elsewhere.
HR_RAW unsigned hr_raw_dng_white(const hr_raw *raw, int color) {
  return raw->library->color.dng_levels.dng_whitelevel[color & 3];
}

/// The samples of sensors with one colour per site, at the whole sensor's first; NULL for others.
HR_RAW const uint16_t *hr_raw_sites(const hr_raw *raw) { return raw->library->rawdata.raw_image; }
/// The samples of pictures with several colours per pixel; NULL for others.
HR_RAW const uint16_t *hr_raw_pixels(const hr_raw *raw, int *samples_per_pixel) {
  const libraw_rawdata_t *data = &raw->library->rawdata;
  *samples_per_pixel = data->color4_image ? 4 : 3;
  return data->color4_image ? (const uint16_t *)data->color4_image : (const uint16_t *)data->color3_image;
}
HR_RAW int hr_raw_is_floating_point(const hr_raw *raw) {
  const libraw_rawdata_t *data = &raw->library->rawdata;
  return data->float_image || data->float3_image || data->float4_image;
}
/// Whether the samples need the maker's correction tables, which are only in LibRaw's processing.
HR_RAW int hr_raw_is_phase_one(const hr_raw *raw) {
  const char *name = libraw_unpack_function_name(raw->library);
  return name && !strncmp(name, "phase_one_load_raw", 18);
}
/// Bytes from one row of the sensor to the next.
HR_RAW unsigned hr_raw_pitch(const hr_raw *raw) { return raw->library->sizes.raw_pitch; }

/// CIE XYZ to the camera's colours under D65, from LibRaw's table.
HR_RAW float hr_raw_table_matrix(const hr_raw *raw, int color, int axis) {
  return raw->library->color.cam_xyz[color & 3][axis % 3];
}
/// The light of one of two matrices of a DNG file, as Exif's `LightSource`.
HR_RAW int hr_raw_dng_light(const hr_raw *raw, int which) {
  return raw->library->color.dng_color[which & 1].illuminant;
}
HR_RAW float hr_raw_dng_matrix(const hr_raw *raw, int which, int color, int axis) {
  return raw->library->color.dng_color[which & 1].colormatrix[color & 3][axis % 3];
}
HR_RAW float hr_raw_dng_calibration(const hr_raw *raw, int which, int color, int from) {
  return raw->library->color.dng_color[which & 1].calibration[color & 3][from & 3];
}
HR_RAW float hr_raw_dng_balance(const hr_raw *raw, int color) {
  return raw->library->color.dng_levels.analogbalance[color & 3];
}
