// FFmpeg for Swift: the headers, the macros that Swift cannot import, and what differs from 5.1 to 8.
#pragma once
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/buffer.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/hdr_dynamic_metadata.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/time.h>
#include <libavutil/timecode.h>
#include <libswresample/swresample.h>

#define HR_INLINE static inline __attribute__((unused))

#include "Converter.h"

// Codes and constants.
HR_INLINE int hr_error_again(void) { return AVERROR(EAGAIN); }
HR_INLINE int hr_error_eof(void) { return AVERROR_EOF; }
HR_INLINE int hr_error_no_memory(void) { return AVERROR(ENOMEM); }
HR_INLINE int64_t hr_no_timestamp(void) { return AV_NOPTS_VALUE; }
HR_INLINE int hr_error_exit(void) { return AVERROR_EXIT; }
HR_INLINE int hr_error_invalid_data(void) { return AVERROR_INVALIDDATA; }
HR_INLINE int hr_error_option_not_found(void) { return AVERROR_OPTION_NOT_FOUND; }
HR_INLINE int hr_error_of_system(int code) { return AVERROR(code); }
HR_INLINE uint32_t hr_tag_hvc1(void) { return MKTAG('h', 'v', 'c', '1'); }

// Chapters of an output; freed with its context.
HR_INLINE AVChapter *hr_add_chapter(AVFormatContext *context, int64_t id, AVRational time_base, int64_t start, int64_t end) {
  AVChapter **grown = (AVChapter **)av_realloc_array(context->chapters, context->nb_chapters + 1, sizeof *grown);
  if (!grown) return NULL;
  context->chapters = grown;
  AVChapter *chapter = (AVChapter *)av_mallocz(sizeof *chapter);
  if (!chapter) return NULL;
  chapter->id = id;
  chapter->time_base = time_base;
  chapter->start = start;
  chapter->end = end;
  context->chapters[context->nb_chapters++] = chapter;
  return chapter;
}

// Frames: planes, timing and flags.
HR_INLINE uint8_t *hr_frame_plane(const AVFrame *frame, int index) { return frame->data[index]; }
HR_INLINE int hr_frame_stride(const AVFrame *frame, int index) { return frame->linesize[index]; }
HR_INLINE void hr_frame_set_plane(AVFrame *frame, int index, uint8_t *base, int stride) {
  frame->data[index] = base;
  frame->linesize[index] = stride;
}

HR_INLINE int64_t hr_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

HR_INLINE void hr_frame_set_duration(AVFrame *frame, int64_t duration) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  frame->duration = duration;
#else
  frame->pkt_duration = duration;
#endif
}

HR_INLINE int hr_frame_is_interlaced(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
  return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame->interlaced_frame != 0;
#endif
}

/// Of an interlaced frame.
HR_INLINE int hr_frame_is_top_first(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
  return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
  return frame->top_field_first != 0;
#endif
}

HR_INLINE void hr_frame_set_interlaced(AVFrame *frame, int is_top_first) {
#ifdef AV_FRAME_FLAG_INTERLACED
  frame->flags |= AV_FRAME_FLAG_INTERLACED | (is_top_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#else
  frame->interlaced_frame = 1;
  frame->top_field_first = is_top_first;
#endif
}

HR_INLINE void hr_frame_set_progressive(AVFrame *frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
  frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
#else
  frame->interlaced_frame = 0;
  frame->top_field_first = 0;
#endif
}

HR_INLINE int hr_index_is_key(const AVIndexEntry *entry) { return (entry->flags & AVINDEX_KEYFRAME) != 0; }

HR_INLINE int hr_frame_is_damaged(const AVFrame *frame) {
  return (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame->decode_error_flags != 0;
}

// The number of a packet on its way through a decoder to its frame, and while a thread of the decoder is at work on it.
// FFmpeg 7 has no field that all threads see: there a message belongs to no packet.
#define HR_NO_PACKET (-1)
HR_INLINE int64_t hr_no_packet(void) { return HR_NO_PACKET; }
#if LIBAVCODEC_VERSION_MAJOR < 61
HR_INLINE void hr_decoder_set_packet(AVCodecContext *context, int64_t number) { context->reordered_opaque = number; }
HR_INLINE int64_t hr_decoder_packet(const AVCodecContext *context) { return context->reordered_opaque; }
HR_INLINE int64_t hr_frame_packet(const AVFrame *frame) { return frame->reordered_opaque; }
#else
HR_INLINE void hr_decoder_set_packet(AVCodecContext *context, int64_t number) { (void)context, (void)number; }
HR_INLINE int64_t hr_decoder_packet(const AVCodecContext *context) { return (void)context, HR_NO_PACKET; }
HR_INLINE int64_t hr_frame_packet(const AVFrame *frame) { return (void)frame, HR_NO_PACKET; }
#endif

/// Ticks of the time base that a frame of an encoder lasts; later versions take them from the frames.
#if LIBAVCODEC_VERSION_MAJOR < 61
HR_INLINE void hr_encoder_set_ticks(AVCodecContext *context, int ticks) { context->ticks_per_frame = ticks; }
#else
HR_INLINE void hr_encoder_set_ticks(AVCodecContext *context, int ticks) { (void)context, (void)ticks; }
#endif

/// Another frame over the same buffers, without side data and properties.
HR_INLINE AVFrame *hr_frame_share(const AVFrame *frame) {
  AVFrame *share = av_frame_alloc();
  if (!share) return NULL;
  for (int i = 0; i < AV_NUM_DATA_POINTERS; i++) {
    share->data[i] = frame->data[i];
    share->linesize[i] = frame->linesize[i];
    if (!frame->buf[i]) continue;
    share->buf[i] = av_buffer_ref(frame->buf[i]);
    if (!share->buf[i]) {
      av_frame_free(&share);
      return NULL;
    }
  }
  share->extended_data = share->data;
  share->width = frame->width;
  share->height = frame->height;
  share->format = frame->format;
  return share;
}

/// Copies the rows of a field to every other row of a frame of the same format, from row `parity` on.
HR_INLINE void hr_frame_weave(AVFrame *frame, const AVFrame *field, int parity) {
  const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(field->format);
  for (int plane = 0; plane < AV_NUM_DATA_POINTERS && field->data[plane]; plane++) {
    int shift = format && (plane == 1 || plane == 2) ? format->log2_chroma_h : 0;
    // Of an odd number of rows, the last one of the bottom field may have no place.
    int rows = AV_CEIL_RSHIFT(field->height, shift), places = AV_CEIL_RSHIFT(frame->height, shift) - parity;
    if (rows > (places + 1) / 2) rows = (places + 1) / 2;
    av_image_copy_plane(
        frame->data[plane] + parity * frame->linesize[plane], 2 * frame->linesize[plane], field->data[plane],
        field->linesize[plane], av_image_get_linesize(field->format, field->width, plane), rows);
  }
}

/// Gives the frame its one buffer.
HR_INLINE void hr_frame_adopt_buffer(AVFrame *frame, AVBufferRef *buffer) {
  frame->buf[0] = buffer;
  frame->extended_data = frame->data;
}

/// Describes the frames that a source of a filter graph will get.
HR_INLINE int hr_filter_source_set(AVFilterContext *source, const AVFrame *frame) {
  AVBufferSrcParameters *parameters = av_buffersrc_parameters_alloc();
  if (!parameters) return AVERROR(ENOMEM);
  parameters->format = frame->format;
  parameters->width = frame->width;
  parameters->height = frame->height;
  parameters->time_base = (AVRational){1, 1};
#if LIBAVFILTER_VERSION_MAJOR >= 10
  parameters->color_space = frame->colorspace;
  parameters->color_range = frame->color_range;
#endif
  int code = av_buffersrc_parameters_set(source, parameters);
  av_free(parameters);
  return code < 0 ? code : avfilter_init_str(source, NULL);
}

/// A filter graph uses these formats, or none: it converts nothing by itself.
HR_INLINE void hr_filter_graph_forbid_conversions(AVFilterGraph *graph) {
  avfilter_graph_set_auto_convert(graph, AVFILTER_AUTO_CONVERT_NONE);
}

// Side data of a stream: on the stream up to 6.0, on its parameters after.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
HR_INLINE int hr_stream_side_data_count(const AVStream *stream) { return stream->codecpar->nb_coded_side_data; }
HR_INLINE const AVPacketSideData *hr_stream_side_data(const AVStream *stream, int index) {
  return &stream->codecpar->coded_side_data[index];
}
HR_INLINE uint8_t *hr_stream_new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
  AVPacketSideData *data = av_packet_side_data_new(
      &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
  return data ? data->data : NULL;
}
#else
HR_INLINE int hr_stream_side_data_count(const AVStream *stream) { return stream->nb_side_data; }
HR_INLINE const AVPacketSideData *hr_stream_side_data(const AVStream *stream, int index) {
  return &stream->side_data[index];
}
HR_INLINE uint8_t *hr_stream_new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
  return av_stream_new_side_data(stream, type, size);
}
#endif

HR_INLINE int hr_stream_add_side_data(
    AVStream *stream, enum AVPacketSideDataType type, const void *bytes, size_t size) {
  uint8_t *data = hr_stream_new_side_data(stream, type, size);
  if (!data) return AVERROR(ENOMEM);
  memcpy(data, bytes, size);
  return 0;
}
HR_INLINE int hr_stream_add_mastering(AVStream *stream, const AVMasteringDisplayMetadata *values) {
  return hr_stream_add_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, values, sizeof *values);
}

HR_INLINE int hr_stream_add_content_light(AVStream *stream, unsigned max_cll, unsigned max_fall) {
  AVContentLightMetadata values = {.MaxCLL = max_cll, .MaxFALL = max_fall};
  return hr_stream_add_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &values, sizeof values);
}


/// Whether FFmpeg's Matroska muxer writes no rotation by itself.
HR_INLINE int hr_matroska_drops_rotation(void) { return LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(60, 16, 100); }

/// Whether FFmpeg's Matroska muxer states the delay of Opus, which readers subtract, without adding it to the times.
HR_INLINE int hr_matroska_subtracts_delay(void) { return LIBAVFORMAT_VERSION_MAJOR < 60; }

/// A full sphere turned by `degrees` about the line of sight.
HR_INLINE int hr_stream_add_rolled_sphere(AVStream *stream, double degrees) {
  size_t size = 0;
  AVSphericalMapping *sphere = av_spherical_alloc(&size);
  if (!sphere) return AVERROR(ENOMEM);
  sphere->projection = AV_SPHERICAL_EQUIRECTANGULAR;
  sphere->roll = (int32_t)(degrees * 65536);
  int code = hr_stream_add_side_data(stream, AV_PKT_DATA_SPHERICAL, sphere, size);
  av_free(sphere);
  return code;
}

// Mastering display: primaries come as [red, green, blue][x, y]; the white point is index 3.
HR_INLINE AVRational hr_mastering_coordinate(const AVMasteringDisplayMetadata *m, int color, int axis) {
  return color < 3 ? m->display_primaries[color][axis] : m->white_point[axis];
}
HR_INLINE void hr_mastering_set_coordinate(AVMasteringDisplayMetadata *m, int color, int axis, AVRational value) {
  if (color < 3) m->display_primaries[color][axis] = value;
  else m->white_point[axis] = value;
}

/// 1 and the values in `lux`, `x`, `y` when the side data is an ambient viewing environment.
/// FFmpeg has known it since 6.1; before that there is none to find.

#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 13, 100)
#include <libavutil/ambient_viewing_environment.h>
HR_INLINE int hr_ambient(const AVFrame *frame, AVRational *lux, AVRational *x, AVRational *y) {
  const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_AMBIENT_VIEWING_ENVIRONMENT);
  if (!data || data->size < sizeof(AVAmbientViewingEnvironment)) return 0;
  const AVAmbientViewingEnvironment *ambient = (const AVAmbientViewingEnvironment *)data->data;
  *lux = ambient->ambient_illuminance;
  *x = ambient->ambient_light_x;
  *y = ambient->ambient_light_y;
  return 1;
}
#else
HR_INLINE int hr_ambient(const AVFrame *frame, AVRational *lux, AVRational *x, AVRational *y) {
  (void)frame, (void)lux, (void)x, (void)y;
  return 0;
}
#endif

// HDR10+: the metadata on a frame and the values of its first window; NULL where there is none.
HR_INLINE const AVDynamicHDRPlus *hr_hdr_plus(const AVFrame *frame) {
  const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DYNAMIC_HDR_PLUS);
  if (!data || data->size < sizeof(AVDynamicHDRPlus)) return NULL;
  return (const AVDynamicHDRPlus *)data->data;
}
HR_INLINE AVRational hr_hdr_plus_maxscl(const AVDynamicHDRPlus *plus, int component) {
  return plus->params[0].maxscl[component];
}
HR_INLINE AVRational hr_hdr_plus_average(const AVDynamicHDRPlus *plus) { return plus->params[0].average_maxrgb; }
HR_INLINE AVRational hr_hdr_plus_fraction_bright(const AVDynamicHDRPlus *plus) {
  return plus->params[0].fraction_bright_pixels;
}
HR_INLINE int hr_hdr_plus_percentile_count(const AVDynamicHDRPlus *plus) {
  int count = plus->params[0].num_distribution_maxrgb_percentiles;
  return count < 15 ? count : 15;
}
HR_INLINE AVHDRPlusPercentile hr_hdr_plus_percentile(const AVDynamicHDRPlus *plus, int index) {
  return plus->params[0].distribution_maxrgb[index];
}
HR_INLINE int hr_hdr_plus_has_curve(const AVDynamicHDRPlus *plus) { return plus->params[0].tone_mapping_flag != 0; }
HR_INLINE AVRational hr_hdr_plus_knee_x(const AVDynamicHDRPlus *plus) { return plus->params[0].knee_point_x; }
HR_INLINE AVRational hr_hdr_plus_knee_y(const AVDynamicHDRPlus *plus) { return plus->params[0].knee_point_y; }
HR_INLINE int hr_hdr_plus_anchor_count(const AVDynamicHDRPlus *plus) {
  int count = plus->params[0].num_bezier_curve_anchors;
  return count < 15 ? count : 15;
}
HR_INLINE AVRational hr_hdr_plus_anchor(const AVDynamicHDRPlus *plus, int index) {
  return plus->params[0].bezier_curve_anchors[index];
}
HR_INLINE int hr_hdr_plus_has_saturation(const AVDynamicHDRPlus *plus) {
  return plus->params[0].color_saturation_mapping_flag != 0;
}
HR_INLINE AVRational hr_hdr_plus_saturation(const AVDynamicHDRPlus *plus) {
  return plus->params[0].color_saturation_weight;
}

// Audio layout in words.
HR_INLINE int hr_audio_channels(const AVCodecParameters *parameters) { return parameters->ch_layout.nb_channels; }
HR_INLINE int hr_audio_layout(const AVCodecParameters *parameters, char *text, size_t size) {
  return av_channel_layout_describe(&parameters->ch_layout, text, size);
}

// What a sound encoder takes; a zero-terminated list or NULL, which is "any".
HR_INLINE const enum AVSampleFormat *hr_encoder_sample_formats(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *formats = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, &formats, NULL) < 0) return NULL;
  return (const enum AVSampleFormat *)formats;
#else
  return codec->sample_fmts;
#endif
}
HR_INLINE const int *hr_encoder_sample_rates(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *rates = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_RATE, 0, &rates, NULL) < 0) return NULL;
  return (const int *)rates;
#else
  return codec->supported_samplerates;
#endif
}
HR_INLINE const AVChannelLayout *hr_encoder_channel_layouts(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *layouts = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_CHANNEL_LAYOUT, 0, &layouts, NULL) < 0) return NULL;
  return (const AVChannelLayout *)layouts;
#else
  return codec->ch_layouts;
#endif
}
HR_INLINE uint8_t **hr_frame_samples(const AVFrame *frame) { return frame->extended_data; }

// Frame rates that a video encoder codes; a zero-terminated list or NULL, which is "any".
HR_INLINE const AVRational *hr_encoder_frame_rates(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *rates = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_FRAME_RATE, 0, &rates, NULL) < 0) return NULL;
  return (const AVRational *)rates;
#else
  return codec->supported_framerates;
#endif
}

// Pixel formats that an encoder takes, ended by AV_PIX_FMT_NONE; NULL is "any".
HR_INLINE const enum AVPixelFormat *hr_encoder_formats(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *formats = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, NULL) < 0) return NULL;
  return (const enum AVPixelFormat *)formats;
#else
  return codec->pix_fmts;
#endif
}

HR_INLINE int hr_format_is_rgb(const AVPixFmtDescriptor *format) { return (format->flags & AV_PIX_FMT_FLAG_RGB) != 0; }
HR_INLINE int hr_format_is_hardware(const AVPixFmtDescriptor *format) {
  return (format->flags & AV_PIX_FMT_FLAG_HWACCEL) != 0;
}
HR_INLINE int hr_format_depth(const AVPixFmtDescriptor *format) {
  int depth = 0;
  for (int i = 0; i < format->nb_components; i++)
    if (format->comp[i].depth > depth) depth = format->comp[i].depth;
  return depth;
}

HR_INLINE int hr_component_depth(const AVPixFmtDescriptor *format, int component) {
  return format->comp[component].depth;
}

// One row of a component as numbers of 32 bits, whatever the packing and the order of bytes.
HR_INLINE void hr_frame_read_component(const AVFrame *frame, const AVPixFmtDescriptor *format, uint32_t *row, int y,
                                       int component, int width) {
  const uint8_t *data[4] = {frame->data[0], frame->data[1], frame->data[2], frame->data[3]};
  int strides[4] = {frame->linesize[0], frame->linesize[1], frame->linesize[2], frame->linesize[3]};
  av_read_image_line2(row, data, strides, format, 0, y, component, width, 0, sizeof *row);
}

// Buffers for pictures: 64-byte aligned, touched once when made.
HR_INLINE void hr_buffer_release(void *opaque, uint8_t *data) {
  (void)opaque;
  free(data);
}
HR_INLINE AVBufferRef *hr_buffer_allocate(size_t size) {
  void *memory = NULL;
  if (posix_memalign(&memory, 64, size) != 0) return NULL;
  memset(memory, 0, size);
  AVBufferRef *buffer = av_buffer_create(memory, size, hr_buffer_release, NULL, 0);
  if (!buffer) free(memory);
  return buffer;
}
HR_INLINE AVBufferPool *hr_pool_create(size_t size) { return av_buffer_pool_init(size, hr_buffer_allocate); }

// Log: messages go to standard error up to a level; warnings and errors of this thread are also kept until they are
// asked for, so that an error can quote them. Used from one Swift file only: each object file has its own state.
#define HR_LOG_CAPACITY 4096
typedef struct hr_log_state {
  size_t length;
  char text[HR_LOG_CAPACITY];
} hr_log_state;

HR_INLINE hr_log_state *hr_log_of_thread(void) {
  static _Thread_local hr_log_state state;
  return &state;
}

// What hears of errors of decoders: with the decoder's `opaque`, the number of the packet that is decoded, and the format
// of the message.
typedef void (*hr_decoder_listener)(void *opaque, int64_t packet, const char *message);
HR_INLINE hr_decoder_listener *hr_log_listener(void) {
  static hr_decoder_listener listener;
  return &listener;
}

HR_INLINE void hr_log_receive(void *source, int level, const char *format, va_list arguments) {
  hr_log_state *state = hr_log_of_thread();
  // Concealment is only logged as information. The picture's own flag may be set too late: FFmpeg 5.1 outputs pictures
  // while another thread is still decoding their last rows.
  int is_error = level <= AV_LOG_ERROR || strncmp(format, "concealing", 10) == 0;
  if (is_error && source && *(const AVClass **)source == avcodec_get_class()) {
    const AVCodecContext *context = (const AVCodecContext *)source;
    if (context->opaque && context->codec && av_codec_is_decoder(context->codec) && *hr_log_listener())
      (*hr_log_listener())(context->opaque, hr_decoder_packet(context), format);
  }
  if (level <= AV_LOG_WARNING && state->length + 1 < HR_LOG_CAPACITY) {
    va_list copy;
    va_copy(copy, arguments);
    size_t room = HR_LOG_CAPACITY - state->length;
    int written = vsnprintf(state->text + state->length, room, format, copy);
    va_end(copy);
    if (written > 0) state->length += (size_t)written < room ? (size_t)written : room - 1;
  }
  // Drops what is above the level that is set.
  av_log_default_callback(source, level, format, arguments);
}
HR_INLINE void hr_log_install(int level, hr_decoder_listener listener) {
  *hr_log_listener() = listener;
  av_log_set_level(level);
  av_log_set_callback(hr_log_receive);
}
HR_INLINE void hr_log_clear(void) {
  hr_log_state *state = hr_log_of_thread();
  state->length = 0;
  state->text[0] = 0;
}
HR_INLINE const char *hr_log_kept(void) { return hr_log_of_thread()->text; }
