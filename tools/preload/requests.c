#include "device.h"

static int capabilities(struct v4l2_capability *capability)
{
	memset(capability, 0, sizeof *capability);
	strcpy((char *)capability->driver, "preload");
	strcpy((char *)capability->card, "Preload source");
	strcpy((char *)capability->bus_info, "platform:preload");
	capability->version = 6 << 16 | 1 << 8;
	capability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_EXT_PIX_FORMAT;
	capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
	return 0;
}

/* A mode as the signal makes it. */
static struct mode mode_at(uint32_t index)
{
	struct mode mode = script.modes[index];

	if (script.has_timings) {
		mode.width = device.mode.width;
		mode.height = device.mode.height;
	}
	return mode;
}

/* The index-th of those that differ in what `is_same` compares, and that `is_listed` lets pass. */
static bool find(uint32_t index, const struct mode *like, struct mode *found)
{
	for (uint32_t i = 0; i < script.mode_count; i++) {
		bool is_new = true;

		*found = mode_at(i);
		if (like && like->format && found->format->code != like->format->code)
			continue;
		if (like && like->width && (found->width != like->width || found->height != like->height))
			continue;
		for (uint32_t k = 0; k < i; k++) {
			struct mode other = mode_at(k);

			if (other.format != found->format)
				continue;
			if (!like || (other.width == found->width && other.height == found->height &&
				      (!like->width || (other.rate.numerator == found->rate.numerator &&
							other.rate.denominator == found->rate.denominator))))
				is_new = false;
		}
		if (is_new && !index--)
			return true;
	}
	return false;
}

static const struct format *format_of(uint32_t code)
{
	for (uint32_t i = 0; i < script.mode_count; i++)
		if (script.modes[i].format->code == code)
			return script.modes[i].format;
	return NULL;
}

static int enumerate_formats(struct v4l2_fmtdesc *description)
{
	struct mode mode;

	if (description->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || !find(description->index, NULL, &mode))
		return EINVAL;
	description->pixelformat = mode.format->code;
	description->flags = mode.format->bits ? 0 : V4L2_FMT_FLAG_COMPRESSED;
	snprintf((char *)description->description, sizeof description->description, "%.4s", (char *)&mode.format->code);
	return 0;
}

static int enumerate_sizes(struct v4l2_frmsizeenum *size)
{
	struct mode mode, like = { .format = format_of(size->pixel_format) };

	if (!like.format || !find(size->index, &like, &mode))
		return EINVAL;
	size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
	size->discrete.width = mode.width;
	size->discrete.height = mode.height;
	return 0;
}

static int enumerate_intervals(struct v4l2_frmivalenum *interval)
{
	struct mode mode, like = { .format = format_of(interval->pixel_format), .width = interval->width, .height = interval->height };

	if (!like.format || !like.width || !find(interval->index, &like, &mode))
		return EINVAL;
	interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
	interval->discrete.numerator = mode.rate.denominator;
	interval->discrete.denominator = mode.rate.numerator;
	return 0;
}

static void describe(const struct mode *mode, struct v4l2_pix_format *pix)
{
	memset(pix, 0, sizeof *pix);
	pix->width = mode->width;
	pix->height = mode->height;
	pix->pixelformat = mode->format->code;
	pix->field = V4L2_FIELD_NONE;
	pix->bytesperline = stride_of(mode);
	pix->sizeimage = length_of(mode);
	pix->priv = V4L2_PIX_FMT_PRIV_MAGIC;
	pix->colorspace = script.color[0];
	pix->xfer_func = script.color[1];
	pix->ycbcr_enc = script.color[2];
	pix->quantization = script.color[3];
}

/* The nearest mode that there is. */
static struct mode nearest(const struct v4l2_pix_format *pix)
{
	struct mode best = mode_at(0);
	int most = -1;

	for (uint32_t i = 0; i < script.mode_count; i++) {
		struct mode mode = mode_at(i);
		int score = 4 * (mode.format->code == pix->pixelformat) + 2 * (mode.width == pix->width && mode.height == pix->height) +
			    (mode.rate.numerator == device.mode.rate.numerator && mode.rate.denominator == device.mode.rate.denominator);

		if (score > most) {
			most = score;
			best = mode;
		}
	}
	return best;
}

static int format(uint32_t request, struct v4l2_format *format)
{
	struct mode mode;

	if (format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
		return EINVAL;
	if (request == VIDIOC_G_FMT) {
		describe(&device.mode, &format->fmt.pix);
		return 0;
	}
	mode = nearest(&format->fmt.pix);
	describe(&mode, &format->fmt.pix);
	if (request == VIDIOC_TRY_FMT)
		return 0;
	if (device.owner >= 0)
		return EBUSY;
	device.mode = mode;
	return 0;
}

static int parameters(uint32_t request, struct v4l2_streamparm *parameters)
{
	struct v4l2_fract asked = parameters->parm.capture.timeperframe;
	struct mode mode;
	double most = 1e9;

	if (parameters->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
		return EINVAL;
	if (request == VIDIOC_S_PARM && asked.numerator && asked.denominator)
		for (uint32_t i = 0; find(i, &(struct mode){ .format = device.mode.format, .width = device.mode.width, .height = device.mode.height }, &mode); i++) {
			double difference = (double)asked.denominator / asked.numerator - (double)mode.rate.numerator / mode.rate.denominator;

			difference = difference < 0 ? -difference : difference;
			if (difference < most) {
				most = difference;
				device.mode.rate = mode.rate;
			}
		}
	memset(&parameters->parm, 0, sizeof parameters->parm);
	parameters->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
	parameters->parm.capture.timeperframe.numerator = device.mode.rate.denominator;
	parameters->parm.capture.timeperframe.denominator = device.mode.rate.numerator;
	parameters->parm.capture.readbuffers = 2;
	return 0;
}

static int input(struct v4l2_input *input)
{
	if (input->index)
		return EINVAL;
	memset(input, 0, sizeof *input);
	strcpy((char *)input->name, "HDMI");
	input->type = V4L2_INPUT_TYPE_CAMERA;
	input->capabilities = script.has_timings ? V4L2_IN_CAP_DV_TIMINGS : 0;
	input->status = device.has_signal ? 0 : V4L2_IN_ST_NO_SIGNAL;
	return 0;
}

static void describe_timings(uint32_t width, uint32_t height, struct v4l2_dv_timings *timings)
{
	memset(timings, 0, sizeof *timings);
	timings->type = V4L2_DV_BT_656_1120;
	timings->bt.width = width;
	timings->bt.height = height;
	timings->bt.hsync = timings->bt.vsync = 40;
	timings->bt.pixelclock = (uint64_t)(width + 40) * (height + 40) * device.mode.rate.numerator / device.mode.rate.denominator;
}

static int set_timings(struct v4l2_dv_timings *timings)
{
	uint32_t width = timings->bt.width, height = timings->bt.height;

	if (!width || !height || width > 16384 || height > 16384)
		return EINVAL;
	if (device.owner >= 0 && (width != device.mode.width || height != device.mode.height))
		return EBUSY;
	device.mode.width = width;
	device.mode.height = height;
	describe_timings(width, height, timings);
	return 0;
}

static int timings(uint32_t request, struct v4l2_dv_timings *timings)
{
	if (!script.has_timings)
		return ENOTTY;
	if (request == VIDIOC_S_DV_TIMINGS)
		return set_timings(timings);
	if (request == VIDIOC_G_DV_TIMINGS) {
		describe_timings(device.mode.width, device.mode.height, timings);
		return 0;
	}
	if (!device.has_signal)
		return ENOLINK;
	describe_timings(device.signal_width, device.signal_height, timings);
	return 0;
}

static const struct control {
	uint32_t id, type, size;
	const char *name;
} light_control = { V4L2_CID_COLORIMETRY_HDR10_CLL_INFO, V4L2_CTRL_TYPE_HDR10_CLL_INFO, sizeof script.light, "HDR10 Content Light Info" },
  mastering_control = { V4L2_CID_COLORIMETRY_HDR10_MASTERING_DISPLAY, V4L2_CTRL_TYPE_HDR10_MASTERING_DISPLAY, sizeof script.mastering,
			"HDR10 Mastering Display" };

static int query_control(struct v4l2_query_ext_ctrl *query)
{
	uint32_t id = query->id & V4L2_CTRL_ID_MASK, next = query->id & V4L2_CTRL_FLAG_NEXT_COMPOUND;
	const struct control *controls[] = { script.has_light ? &light_control : NULL, script.has_mastering ? &mastering_control : NULL };

	if (query->id & V4L2_CTRL_FLAG_NEXT_CTRL && !next)
		return EINVAL;
	for (int i = 0; i < 2; i++) {
		if (!controls[i] || (next ? controls[i]->id <= id : controls[i]->id != id))
			continue;
		memset(query, 0, sizeof *query);
		query->id = controls[i]->id;
		query->type = controls[i]->type;
		query->elem_size = controls[i]->size;
		query->elems = 1;
		query->flags = V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_HAS_PAYLOAD;
		strcpy(query->name, controls[i]->name);
		return 0;
	}
	return EINVAL;
}

static int get_controls(struct v4l2_ext_controls *controls)
{
	for (uint32_t i = 0; i < controls->count; i++) {
		struct v4l2_ext_control *control = &controls->controls[i];
		bool is_light = control->id == light_control.id && script.has_light;
		bool is_mastering = control->id == mastering_control.id && script.has_mastering;
		uint32_t size = is_light ? sizeof script.light : sizeof script.mastering;

		controls->error_idx = i;
		if (!is_light && !is_mastering)
			return EINVAL;
		if (control->size < size) {
			control->size = size;
			return ENOSPC;
		}
		memcpy(control->ptr, is_light ? (void *)&script.light : (void *)&script.mastering, size);
	}
	return 0;
}

static int subscribe(int file, bool is_on, const struct v4l2_event_subscription *subscription)
{
	if (subscription->type != V4L2_EVENT_SOURCE_CHANGE && !(subscription->type == V4L2_EVENT_ALL && !is_on))
		return EINVAL;
	device.handles[file].is_subscribed = is_on;
	device.handles[file].has_event &= is_on;
	return 0;
}

static int take_event(int file, struct v4l2_event *event)
{
	int64_t time = now();

	if (!device.handles[file].has_event)
		return ENOENT;
	device.handles[file].has_event = false;
	memset(event, 0, sizeof *event);
	event->type = V4L2_EVENT_SOURCE_CHANGE;
	event->u.src_change.changes = V4L2_EVENT_SRC_CH_RESOLUTION;
	event->timestamp.tv_sec = time / 1000000000;
	event->timestamp.tv_nsec = time % 1000000000;
	return 0;
}

int buffer_request(int file, uint32_t request, void *argument);

int answer(int file, uint32_t request, void *argument)
{
	switch (request) {
	case VIDIOC_QUERYCAP: return capabilities(argument);
	case VIDIOC_ENUM_FMT: return enumerate_formats(argument);
	case VIDIOC_ENUM_FRAMESIZES: return enumerate_sizes(argument);
	case VIDIOC_ENUM_FRAMEINTERVALS: return enumerate_intervals(argument);
	case VIDIOC_G_FMT:
	case VIDIOC_TRY_FMT:
	case VIDIOC_S_FMT: return format(request, argument);
	case VIDIOC_G_PARM:
	case VIDIOC_S_PARM: return parameters(request, argument);
	case VIDIOC_ENUMINPUT: return input(argument);
	case VIDIOC_G_INPUT: *(int *)argument = 0; return 0;
	case VIDIOC_S_INPUT: return *(int *)argument ? EINVAL : 0;
	case VIDIOC_QUERY_DV_TIMINGS:
	case VIDIOC_G_DV_TIMINGS:
	case VIDIOC_S_DV_TIMINGS: return timings(request, argument);
	case VIDIOC_QUERY_EXT_CTRL: return query_control(argument);
	case VIDIOC_G_EXT_CTRLS: return get_controls(argument);
	case VIDIOC_SUBSCRIBE_EVENT: return subscribe(file, true, argument);
	case VIDIOC_UNSUBSCRIBE_EVENT: return subscribe(file, false, argument);
	case VIDIOC_DQEVENT: return take_event(file, argument);
	default: return buffer_request(file, request, argument);
	}
}
