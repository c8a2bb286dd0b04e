// libtiff, whose variadic functions Swift cannot call.
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <tiffio.h>

#define HR_TIFF static inline __attribute__((always_inline))

/// Bytes of the text that hr_tiff_options fills, its end included.
#define HR_TIFF_MESSAGE 256

/// Keeps the first error: later ones follow from it.
static inline int hr_tiff_keep(TIFF *file, void *message, const char *module, const char *format, va_list arguments) {
  char *text = (char *)message;
  if (text[0] == 0) vsnprintf(text, HR_TIFF_MESSAGE, format, arguments);
  return 1;
}

static inline int hr_tiff_ignore(TIFF *file, void *data, const char *module, const char *format, va_list arguments) {
  return 1;
}

/// Options of a file that says nothing on standard error and its first error in `message`.
HR_TIFF TIFFOpenOptions *hr_tiff_options(char *message) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  message[0] = 0;
  TIFFOpenOptionsSetErrorHandlerExtR(options, hr_tiff_keep, message);
  TIFFOpenOptionsSetWarningHandlerExtR(options, hr_tiff_ignore, NULL);
  return options;
}

/// Fields of one number.
HR_TIFF int hr_tiff_set(TIFF *file, uint32_t tag, uint32_t value) { return TIFFSetField(file, tag, value); }
HR_TIFF int hr_tiff_set_text(TIFF *file, uint32_t tag, const char *text) { return TIFFSetField(file, tag, text); }
/// Fields of one number that is a fraction.
HR_TIFF int hr_tiff_set_ratio(TIFF *file, uint32_t tag, double value) { return TIFFSetField(file, tag, value); }
/// Fields of as many numbers as the tag has.
HR_TIFF int hr_tiff_set_floats(TIFF *file, uint32_t tag, const float *values) {
  return TIFFSetField(file, tag, values);
}

/// Fields of one 16-bit number, or what the standard says where the file does not.
HR_TIFF int hr_tiff_get16(TIFF *file, uint32_t tag, uint16_t *value) {
  return TIFFGetFieldDefaulted(file, tag, value);
}
HR_TIFF int hr_tiff_get32(TIFF *file, uint32_t tag, uint32_t *value) { return TIFFGetField(file, tag, value); }
HR_TIFF int hr_tiff_get_text(TIFF *file, uint32_t tag, const char **text) { return TIFFGetField(file, tag, text); }
HR_TIFF int hr_tiff_get_floats(TIFF *file, uint32_t tag, const float **values) {
  return TIFFGetField(file, tag, values);
}
HR_TIFF int hr_tiff_get_profile(TIFF *file, uint32_t *count, const void **bytes) {
  return TIFFGetField(file, TIFFTAG_ICCPROFILE, count, bytes);
}
/// The meaning of each sample beyond the colours.
HR_TIFF int hr_tiff_get_extra(TIFF *file, uint16_t *count, const uint16_t **kinds) {
  return TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, count, kinds);
}
