#include "device.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct device device = { .lock = PTHREAD_MUTEX_INITIALIZER, .generation = 1, .has_signal = true, .owner = -1, .memory_file = -1 };

static const int64_t second = 1000000000, millisecond = 1000000;
/* A buffer of a coded format. */
static const uint32_t coded_length = 4 << 20;

int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * second + time.tv_nsec;
}

uint32_t stride_of(const struct mode *mode)
{
	return mode->format->bits ? mode->width * mode->format->row + script.padding : 0;
}

static uint32_t bytes(const struct mode *mode, uint32_t stride)
{
	return mode->format->bits ? stride * ((mode->height * mode->format->lines + 1) / 2) : coded_length;
}

uint32_t length_of(const struct mode *mode)
{
	return bytes(mode, stride_of(mode));
}

int64_t interval_of(const struct mode *mode)
{
	return second * mode->rate.denominator / mode->rate.numerator;
}

int scripted_failure(uint32_t request)
{
	uint64_t call = ++device.calls[request & 255];

	for (uint32_t i = 0; i < script.step_count; i++) {
		const struct step *step = &script.steps[i];

		if (step->action == FAIL && step->request == request && call >= step->from && call - step->from < step->count)
			return step->value;
	}
	return 0;
}

/* Copies a frame whose rows follow each other. */
static void copy_rows(const struct mode *mode, uint8_t *to, const uint8_t *from)
{
	uint32_t row = mode->width * mode->format->row, stride = stride_of(mode), lines = bytes(mode, row) / row;
	uint32_t whole = mode->format->is_planar ? mode->height : lines;

	if (row == stride) {
		memcpy(to, from, (size_t)row * lines);
		return;
	}
	for (uint32_t y = 0; y < whole; y++, to += stride, from += row)
		memcpy(to, from, row);
	for (uint32_t y = 2 * whole; y < 2 * lines; y++, to += stride / 2, from += row / 2)
		memcpy(to, from, row / 2);
}

static void paint(const struct mode *mode, uint8_t *to, uint32_t number)
{
	uint32_t length = bytes(mode, mode->width * mode->format->row);
	uint8_t *frame = stride_of(mode) == mode->width * mode->format->row ? to : malloc(length);

	if (!frame)
		return;
	if (mode->format->bits == 8)
		for (uint32_t i = 0; i < length; i++)
			frame[i] = 769 * number + i + (i >> 8);
	else
		for (uint32_t i = 0; i < length / 2; i++)
			((uint16_t *)frame)[i] = ((769 * number + i + (i >> 10)) & 1023) << 6;
	if (frame == to)
		return;
	copy_rows(mode, to, frame);
	free(frame);
}

static bool is_of_file(const struct mode *mode)
{
	const struct mode *first = script.modes;

	return script.file && mode->format == first->format && mode->width == first->width && mode->height == first->height;
}

static uint32_t frames_in_file(const struct mode *mode)
{
	return mode->format->bits ? script.file_length / bytes(mode, mode->width * mode->format->row) : script.unit_count;
}

static void fill_coded(uint8_t *to, uint32_t *used)
{
	uint32_t unit;
	size_t start = 0;

	*used = 0;
	if (!script.unit_count)
		return;
	unit = device.next_unit++ % script.unit_count;
	for (uint32_t i = 0; i < unit; i++)
		start += script.units[i];
	*used = script.units[unit] < coded_length ? script.units[unit] : coded_length;
	memcpy(to, script.file + start, *used);
}

void fill(uint32_t index, uint32_t number, uint32_t *used)
{
	uint8_t *to = device.memory + index * device.buffer_stride;
	const struct mode *mode = &device.mode;
	uint32_t frames;

	*used = device.buffer_length;
	if (!mode->format->bits) {
		fill_coded(to, used);
		return;
	}
	frames = is_of_file(mode) ? frames_in_file(mode) : 0;
	if (frames)
		copy_rows(mode, to, script.file + (size_t)(number % frames) * bytes(mode, mode->width * mode->format->row));
	else
		paint(mode, to, number);
}

int allocate_buffers(int file, uint32_t count)
{
	device.buffer_length = length_of(&device.mode);
	device.buffer_stride = (device.buffer_length + 4095) & ~4095ul;
	device.memory_file = memfd_create("v4l2 preload", MFD_CLOEXEC);
	if (device.memory_file < 0 || ftruncate(device.memory_file, device.buffer_stride * count))
		return ENOMEM;
	device.memory = mmap(NULL, device.buffer_stride * count, PROT_READ | PROT_WRITE, MAP_SHARED, device.memory_file, 0);
	if (device.memory == MAP_FAILED)
		return ENOMEM;
	device.buffer_count = count;
	device.owner = file;
	if (script.play == PLAY_STATIC && device.mode.format->bits)
		for (uint32_t i = 0, used; i < count; i++)
			fill(i, i, &used);
	return 0;
}

void stop_streaming(void)
{
	device.is_streaming = false;
	device.queue_count = device.done_count = 0;
	memset(device.is_queued, 0, sizeof device.is_queued);
}

void free_buffers(void)
{
	stop_streaming();
	if (device.memory && device.memory != MAP_FAILED)
		munmap(device.memory, device.buffer_stride * device.buffer_count);
	if (device.memory_file >= 0)
		close(device.memory_file);
	device.memory = NULL;
	device.memory_file = device.owner = -1;
	device.buffer_count = 0;
}

static void source_changed(void)
{
	for (int i = 0; i < MOST_FILES; i++)
		if (device.handles[i].generation == device.generation)
			device.handles[i].has_event = device.handles[i].is_subscribed;
}

static void unplug(int64_t time, int64_t milliseconds)
{
	device.is_gone = true;
	device.generation++;
	device.back_at = milliseconds < 0 ? 0 : time + milliseconds * millisecond + 1;
	free_buffers();
}

/* Marks of the frame that is due. */
struct marks {
	bool is_lost, is_damaged;
	int64_t length;
};

static struct marks perform(int64_t time)
{
	struct marks marks = { .length = -1 };

	for (uint32_t i = 0; i < script.step_count; i++) {
		const struct step *step = &script.steps[i];

		if (step->action == FAIL || device.total < step->from || device.total - step->from >= step->count)
			continue;
		switch (step->action) {
		case LOST: marks.is_lost = true; break;
		case DAMAGED: marks.is_damaged = true; break;
		case SHORT: marks.length = step->value; break;
		case STALL: device.stalled_until = step->value < 0 ? INT64_MAX : time + step->value * millisecond; break;
		case UNPLUG: unplug(time, step->value); break;
		case SIZE:
			device.signal_width = step->value;
			device.signal_height = step->height;
			source_changed();
			break;
		default:
			device.has_signal = false;
			device.signal_at = step->value < 0 ? 0 : time + step->value * millisecond + 1;
			source_changed();
		}
	}
	return marks;
}

static bool is_locked(void)
{
	return device.has_signal && (!script.has_timings || (device.signal_width == device.mode.width && device.signal_height == device.mode.height));
}

static void tick(int64_t time)
{
	struct marks marks;
	struct filled filled = { .time = time };

	device.total++;
	marks = perform(time);
	if (device.is_gone || time < device.stalled_until || !is_locked())
		return;
	if (script.play == PLAY_ONCE && is_of_file(&device.mode) && device.sequence >= frames_in_file(&device.mode))
		return;
	filled.sequence = device.sequence++;
	if (marks.is_lost || !device.queue_count)
		return;
	filled.index = device.queue[0];
	filled.used = device.buffer_length;
	if (script.play != PLAY_STATIC || !device.mode.format->bits)
		fill(filled.index, filled.sequence, &filled.used);
	if (!filled.used)
		return;
	memmove(device.queue, device.queue + 1, --device.queue_count * sizeof *device.queue);
	if (marks.length >= 0 && marks.length < filled.used)
		filled.used = marks.length;
	filled.is_damaged = marks.is_damaged;
	device.done[device.done_count++] = filled;
}

void advance(void)
{
	int64_t time = now();

	if (device.is_gone && device.back_at && time >= device.back_at)
		device.is_gone = false;
	if (!device.has_signal && device.signal_at && time >= device.signal_at) {
		device.has_signal = true;
		source_changed();
	}
	while (device.is_streaming && device.next <= time) {
		tick(device.next);
		device.next += interval_of(&device.mode);
	}
}

int64_t next_time(void)
{
	int64_t time = device.is_streaming ? device.next : INT64_MAX;

	if (!device.has_signal && device.signal_at && device.signal_at < time)
		time = device.signal_at;
	return time;
}
