#include "device.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct script script;

static const struct format formats[] = {
	{ V4L2_PIX_FMT_P010, 10, 2, 3, false },	 { v4l2_fourcc('Y', '2', '1', '0'), 10, 4, 2, false },
	{ V4L2_PIX_FMT_NV12, 8, 1, 3, false },	 { V4L2_PIX_FMT_NV16, 8, 1, 4, false },
	{ V4L2_PIX_FMT_YUYV, 8, 2, 2, false },	 { V4L2_PIX_FMT_UYVY, 8, 2, 2, false },
	{ V4L2_PIX_FMT_RGB24, 8, 3, 2, false },	 { V4L2_PIX_FMT_BGR24, 8, 3, 2, false },
	{ V4L2_PIX_FMT_YUV420, 8, 1, 3, true },	 { V4L2_PIX_FMT_YUV422P, 8, 1, 4, true },
	{ V4L2_PIX_FMT_MJPEG, 0, 0, 0, false },	 { V4L2_PIX_FMT_H264, 0, 0, 0, false },
	{ V4L2_PIX_FMT_HEVC, 0, 0, 0, false },
};

static const struct request {
	const char *name;
	uint32_t number;
} requests[] = {
	{ "OPEN", REQUEST_OPEN }, { "MMAP", REQUEST_MMAP },
#define REQUEST(name) { #name, VIDIOC_##name }
	REQUEST(QUERYCAP), REQUEST(ENUM_FMT), REQUEST(G_FMT), REQUEST(S_FMT), REQUEST(TRY_FMT), REQUEST(REQBUFS), REQUEST(QUERYBUF),
	REQUEST(QBUF), REQUEST(DQBUF), REQUEST(STREAMON), REQUEST(STREAMOFF), REQUEST(G_PARM), REQUEST(S_PARM), REQUEST(ENUMINPUT),
	REQUEST(G_INPUT), REQUEST(S_INPUT), REQUEST(QUERYCTRL), REQUEST(QUERY_EXT_CTRL), REQUEST(G_EXT_CTRLS), REQUEST(ENUM_FRAMESIZES),
	REQUEST(ENUM_FRAMEINTERVALS), REQUEST(SUBSCRIBE_EVENT), REQUEST(UNSUBSCRIBE_EVENT), REQUEST(DQEVENT), REQUEST(ENUM_DV_TIMINGS),
	REQUEST(QUERY_DV_TIMINGS), REQUEST(G_DV_TIMINGS), REQUEST(S_DV_TIMINGS), REQUEST(DV_TIMINGS_CAP),
};

static void fail(const char *variable, const char *text)
{
	fprintf(stderr, "v4l2 preload: V4L2_PRELOAD_%s is wrong: %s\n", variable, text);
	_exit(64);
}

static const char *variable(const char *name)
{
	char whole[64];

	snprintf(whole, sizeof whole, "V4L2_PRELOAD_%s", name);
	return getenv(whole);
}

/* Calls a function with each item of a list. */
static void each(const char *name, const char *list, void (*body)(const char *name, const char *item))
{
	char item[256];

	while (list && *list) {
		size_t length = strcspn(list, ",");

		snprintf(item, sizeof item, "%.*s", (int)length, list);
		body(name, item);
		list += length + (list[length] == ',');
	}
}

static void read_mode(const char *name, const char *item)
{
	struct mode *mode = &script.modes[script.mode_count];
	char code[5] = "", end;
	uint32_t number;

	mode->rate.denominator = 1;
	if (script.mode_count == MOST_MODES ||
	    (sscanf(item, "%4[^:]:%5ux%5u@%8u/%8u%c", code, &mode->width, &mode->height, &mode->rate.numerator, &mode->rate.denominator, &end) | 1) != 5)
		fail(name, item);
	number = v4l2_fourcc(code[0], code[1], code[2], code[3]);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].code == number)
			mode->format = &formats[i];
	if (!mode->format || !mode->width || !mode->height || mode->width > 16384 || mode->height > 16384 || !mode->rate.numerator ||
	    !mode->rate.denominator)
		fail(name, item);
	script.mode_count++;
}

static bool read_happening(const char *word, struct step *step)
{
	static const char *const words[] = {
		[LOST] = "lost", [DAMAGED] = "damaged", [SHORT] = "short", [STALL] = "stall",
		[UNPLUG] = "unplug", [SIZE] = "size", [NO_SIGNAL] = "nosignal",
	};

	for (int action = LOST; action <= NO_SIGNAL; action++)
		if (!strcmp(word, words[action])) {
			step->action = action;
			return true;
		}
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
		if (!strcmp(word, requests[i].name)) {
			step->request = requests[i].number;
			return true;
		}
	return false;
}

static void read_step(const char *name, const char *item)
{
	struct step *step = &script.steps[script.step_count];
	char word[32] = "";
	int used = 0;
	unsigned long long from = 0, count = 1;
	long long value = -1;

	if (script.step_count == MOST_STEPS || sscanf(item, "%31[^@]@%llu%n", word, &from, &used) != 2 || !read_happening(word, step))
		fail(name, item);
	item += used;
	used = 0;
	if (*item == 'x' && sscanf(item, "x%llu%n", &count, &used) == 1)
		item += used;
	used = 0;
	if (*item == '=' && sscanf(item, "=%lld%n", &value, &used) == 1)
		item += used;
	used = 0;
	if (step->action == SIZE && sscanf(item, "x%u%n", &step->height, &used) == 1)
		item += used;
	if (*item || (step->action == FAIL && value <= 0) || (step->action == SIZE && (!step->height || value <= 0)) ||
	    (step->action == SHORT && value < 0))
		fail(name, word);
	step->from = from;
	step->count = count ? count : UINT64_MAX;
	step->value = value;
	script.step_count++;
}

static void map_file(const char *name, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (file < 0 || fstat(file, &status) || !status.st_size)
		fail(name, path);
	script.file_length = status.st_size;
	script.file = mmap(NULL, script.file_length, PROT_READ, MAP_SHARED, file, 0);
	if (script.file == MAP_FAILED)
		fail(name, path);
}

static void read_units(const char *path)
{
	FILE *file = fopen(path, "re");
	uint32_t length;
	size_t sum = 0;

	if (!file)
		fail("UNITS", path);
	while (fscanf(file, "%u", &length) == 1) {
		script.units = realloc(script.units, (script.unit_count + 1) * sizeof length);
		script.units[script.unit_count++] = length;
		sum += length;
	}
	fclose(file);
	if (!script.unit_count || sum > script.file_length)
		fail("UNITS", "its lengths are not those of V4L2_PRELOAD_FILE");
}

static void read_light(void)
{
	const char *light = variable("LIGHT"), *mastering = variable("MASTERING");
	struct v4l2_ctrl_hdr10_mastering_display *m = &script.mastering;

	script.has_light = light;
	if (light && sscanf(light, "%hu:%hu", &script.light.max_content_light_level, &script.light.max_pic_average_light_level) != 2)
		fail("LIGHT", light);
	script.has_mastering = mastering;
	if (mastering && sscanf(mastering, "%hu:%hu:%hu:%hu:%hu:%hu:%hu:%hu:%u:%u", &m->display_primaries_x[0], &m->display_primaries_y[0],
				&m->display_primaries_x[1], &m->display_primaries_y[1], &m->display_primaries_x[2], &m->display_primaries_y[2],
				&m->white_point_x, &m->white_point_y, &m->max_display_mastering_luminance, &m->min_display_mastering_luminance) != 10)
		fail("MASTERING", mastering);
}

void read_script(void)
{
	const char *path = variable("PATH"), *modes = variable("MODES"), *play = variable("PLAY"), *padding = variable("PADDING"),
		   *color = variable("COLOR"), *timings = variable("TIMINGS");

	snprintf(script.path, sizeof script.path, "%s", path ? path : "/dev/video70");
	each("MODES", modes ? modes : "P010:1920x1080@60", read_mode);
	each("SCRIPT", variable("SCRIPT"), read_step);
	if (variable("FILE"))
		map_file("FILE", variable("FILE"));
	if (variable("UNITS"))
		read_units(variable("UNITS"));
	script.play = !play || !strcmp(play, "loop") ? PLAY_LOOP : !strcmp(play, "once") ? PLAY_ONCE : PLAY_STATIC;
	if (script.play == PLAY_STATIC && strcmp(play, "static"))
		fail("PLAY", play);
	if (padding && (sscanf(padding, "%u", &script.padding) != 1 || script.padding % 4 || script.padding > 4096))
		fail("PADDING", padding);
	if (sscanf(color ? color : "10:7:6:2", "%u:%u:%u:%u", &script.color[0], &script.color[1], &script.color[2], &script.color[3]) != 4)
		fail("COLOR", color);
	read_light();
	script.has_timings = timings && !strcmp(timings, "1");
}
