/*
 * A V4L2 capture device without a kernel: a library for LD_PRELOAD that answers the calls of the program it is loaded into.
 *
 *   LD_PRELOAD=.build/preload/v4l2.so V4L2_PRELOAD_FILE=frames.p010 headroom preview /dev/video70
 *
 * V4L2_PRELOAD_PATH       its path, /dev/video70 unless stated; it is found in the listing of its folder
 * V4L2_PRELOAD_MODES      FORMAT:WIDTHxHEIGHT@RATE,... with a rate such as 60 or 60000/1001; P010:1920x1080@60 unless stated. Formats: P010,
 *                         Y210, NV12, NV16, YUYV, UYVY, RGB3, BGR3, YU12, 422P, MJPG, H264, HEVC
 * V4L2_PRELOAD_FILE       raw frames of the first mode, one after the other. Without it, and for other modes, sample i of frame n is
 *                         (769 n + i + (i >> bits)) modulo 2^bits, as from tools/vm/modules/hdr_source.c
 * V4L2_PRELOAD_UNITS      a file with the lengths of the access units in V4L2_PRELOAD_FILE, a number a line, for coded formats
 * V4L2_PRELOAD_PLAY       loop (unless stated); once: nothing comes after the last frame; static: buffer i holds frame i of the file, and nothing
 *                         is copied while it runs
 * V4L2_PRELOAD_PADDING    bytes behind each row of luma
 * V4L2_PRELOAD_COLOR      colorspace:xfer_func:ycbcr_enc:quantization as numbers; 10:7:6:2 unless stated (BT.2020, PQ, limited range)
 * V4L2_PRELOAD_LIGHT      MaxCLL:MaxFALL in cd/m2
 * V4L2_PRELOAD_MASTERING  GX:GY:BX:BY:RX:RY:WX:WY in 0.00002, :MAX:MIN in 0.0001 cd/m2
 * V4L2_PRELOAD_TIMINGS    1: its input has DV timings, and its size is that of the signal
 * V4L2_PRELOAD_SCRIPT     what happens, in a list with commas; N counts from 1 the frames since the program began, whether they were taken or not:
 *   REQUEST@N=ERRNO       the Nth call of a request, such as DQBUF, OPEN or MMAP, fails with that number; REQUEST@NxC=ERRNO: C calls from the
 *                         Nth on, REQUEST@Nx0=ERRNO: all of them
 *   lost@N  lost@NxC      frames are counted, and not delivered
 *   damaged@N             the frame is marked as damaged
 *   short@N=BYTES         the frame has so many bytes
 *   stall@N=MS            nothing comes for that long
 *   unplug@N  unplug@N=MS the device goes, and is back after that time, as a new device
 *   size@N=WxH            the signal has another size, with DV timings
 *   nosignal@N  nosignal@N=MS
 *                         the signal is lost, for that long
 *
 * Frames have exact times on the monotonic clock. As in hardware, a frame for which no buffer is queued is dropped, and counted in the
 * sequence. One program may open the device several times, and stream by one of them.
 */
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 32, MOST_FILES = 1024, MOST_STEPS = 256, MOST_MODES = 32 };

struct format {
	uint32_t code;
	/* Of a sample; 0: coded. */
	uint32_t bits;
	/* Bytes of a luma row for each pixel in it. */
	uint32_t row;
	/* Bytes of a frame in luma rows, for two lines of the picture. */
	uint32_t lines;
	/* Chroma has planes of its own, with half the stride. */
	bool is_planar;
};

struct mode {
	const struct format *format;
	uint32_t width, height;
	/* Frames per second. */
	struct v4l2_fract rate;
};

enum action { FAIL, LOST, DAMAGED, SHORT, STALL, UNPLUG, SIZE, NO_SIGNAL };

struct step {
	enum action action;
	/* Of FAIL: its number, or one of the two below, which are no requests of V4L2. */
	uint32_t request;
	uint64_t from, count;
	/* -1: none. */
	int64_t value;
	uint32_t height;
};

enum { REQUEST_OPEN = 254, REQUEST_MMAP = 255 };

enum play { PLAY_LOOP, PLAY_ONCE, PLAY_STATIC };

/* What the environment says. */
struct script {
	char path[256];
	struct mode modes[MOST_MODES];
	uint32_t mode_count;
	const uint8_t *file;
	size_t file_length;
	uint32_t *units;
	uint32_t unit_count;
	enum play play;
	uint32_t padding;
	uint32_t color[4];
	bool has_light, has_mastering, has_timings;
	struct v4l2_ctrl_hdr10_cll_info light;
	struct v4l2_ctrl_hdr10_mastering_display mastering;
	struct step steps[MOST_STEPS];
	uint32_t step_count;
};

extern struct script script;
void read_script(void);
const char *request_name(uint32_t request);

/* A file that is open. */
struct handle {
	/* Its device: one that was unplugged does not come back. 0: it is no file of ours. */
	uint32_t generation;
	bool is_nonblocking, is_subscribed, has_event;
};

struct filled {
	uint32_t index, sequence, used;
	int64_t time;
	bool is_damaged;
};

struct device {
	pthread_mutex_t lock;
	struct handle handles[MOST_FILES];
	uint32_t generation;
	bool is_gone;
	/* Nanoseconds; 0: never. */
	int64_t back_at, signal_at, stalled_until;
	bool has_signal;
	/* What the signal has, with DV timings. */
	uint32_t signal_width, signal_height;
	struct mode mode;
	/* The file that has the buffers; -1: none. */
	int owner;
	bool is_streaming;
	int memory_file;
	uint8_t *memory;
	size_t buffer_length, buffer_stride;
	uint32_t buffer_count;
	bool is_queued[MOST_BUFFERS];
	uint32_t queue[MOST_BUFFERS], queue_count;
	struct filled done[MOST_BUFFERS];
	uint32_t done_count;
	/* When the next frame is due. */
	int64_t next;
	uint32_t sequence, next_unit;
	/* Frames since the program began. */
	uint64_t total;
	uint64_t calls[256];
};

extern struct device device;
int64_t now(void);
uint32_t stride_of(const struct mode *mode);
uint32_t length_of(const struct mode *mode);
int64_t interval_of(const struct mode *mode);
/* Lets everything happen that is due. */
void advance(void);
/* When something happens next; INT64_MAX: never. */
int64_t next_time(void);
void fill(uint32_t index, uint32_t number, uint32_t *used);
void stop_streaming(void);
void free_buffers(void);
int allocate_buffers(int file, uint32_t count);
/* 0, or the error that a call is to fail with. */
int scripted_failure(uint32_t request);
/* A request to a file of ours: 0, or a value of errno. */
int answer(int file, uint32_t request, void *argument);
