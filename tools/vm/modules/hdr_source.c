// SPDX-License-Identifier: GPL-2.0
/*
 * An HDMI receiver with what vivid lacks: ten bits, HDR10 controls, coded formats, a signal that comes, goes and changes.
 *
 * Sample i of frame n, counted through all planes in memory, is (769 n + i + (i >> bits)) modulo 2^bits; of ten bits, in the high ones of
 * a word. Coded formats deliver the access units of /sys/kernel/debug/hdr_source/units in turn: opening it for writing forgets the units
 * that there are, and each write adds one. Without units there are no coded frames.
 */

#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <media/v4l2-ctrls.h>
#include <media/v4l2-device.h>
#include <media/v4l2-event.h>
#include <media/v4l2-ioctl.h>
#include <media/videobuf2-v4l2.h>
#include <media/videobuf2-vmalloc.h>

static int dropped;
module_param(dropped, int, 0644);
MODULE_PARM_DESC(dropped, "every nth frame is counted, and not delivered");

#define Y210 v4l2_fourcc('Y', '2', '1', '0')

static const struct format {
	u32 code;
	/* Of a sample; 0: coded. */
	u32 bits;
	/* Bytes of a luma row for each pixel in it. */
	u32 row;
	/* Bytes of a frame in luma rows, for two lines of the picture. */
	u32 lines;
} formats[] = {
	{ V4L2_PIX_FMT_P010, 10, 2, 3 },  { Y210, 10, 4, 2 },		   { V4L2_PIX_FMT_NV12, 8, 1, 3 },
	{ V4L2_PIX_FMT_NV16, 8, 1, 4 },	  { V4L2_PIX_FMT_YUYV, 8, 2, 2 },  { V4L2_PIX_FMT_UYVY, 8, 2, 2 },
	{ V4L2_PIX_FMT_RGB24, 8, 3, 2 },  { V4L2_PIX_FMT_MJPEG, 0, 0, 0 }, { V4L2_PIX_FMT_H264, 0, 0, 0 },
	{ V4L2_PIX_FMT_HEVC, 0, 0, 0 },
};

#define CODED_SIZE (256 * 1024)

#define FASTEST 50
#define BLANK 40
#define TIMINGS(w, h)									\
	{ .type = V4L2_DV_BT_656_1120, .bt = {						\
		.width = w, .height = h, .hsync = BLANK, .vsync = BLANK,		\
		.pixelclock = (u64)(w + BLANK) * (h + BLANK) * FASTEST } }

static const struct v4l2_dv_timings timings[] = { TIMINGS(320, 180), TIMINGS(640, 360) };

/* Access units of coded formats. */
static struct unit {
	void *bytes;
	size_t length;
} units[512];
static u32 unit_count;
static DEFINE_MUTEX(unit_lock);

struct frame {
	struct vb2_v4l2_buffer buffer;
	struct list_head list;
};

static struct {
	struct v4l2_device v4l2;
	/* NULL while it is unplugged. */
	struct video_device *video;
	struct v4l2_ctrl_handler controls;
	struct vb2_queue queue;
	struct mutex lock;
	spinlock_t list_lock;
	struct list_head frames;
	struct task_struct *thread;
	struct dentry *folder;
	const struct format *format;
	/* What the signal has, or -1, and what the receiver is set to. */
	int signal;
	int timings;
	u32 rate;
	u32 next_unit;
} source = { .format = formats, .rate = FASTEST };

static struct platform_device *platform;

static u32 width(void)
{
	return timings[source.timings].bt.width;
}

static u32 height(void)
{
	return timings[source.timings].bt.height;
}

static u32 frame_size(const struct format *format)
{
	return format->bits ? width() * format->row * height() * format->lines / 2 : CODED_SIZE;
}

/* The number of bytes; 0: there is no frame. */
static u32 fill_coded(void *bytes)
{
	struct unit *unit;
	u32 length = 0;

	mutex_lock(&unit_lock);
	if (unit_count) {
		unit = &units[source.next_unit++ % unit_count];
		memcpy(bytes, unit->bytes, unit->length);
		length = unit->length;
	}
	mutex_unlock(&unit_lock);
	return length;
}

static u32 fill(void *memory, u32 number)
{
	u32 i, size = frame_size(source.format);
	u16 *words = memory;
	u8 *bytes = memory;

	if (!source.format->bits)
		return fill_coded(memory);
	if (source.format->bits == 8)
		for (i = 0; i < size; i++)
			bytes[i] = 769 * number + i + (i >> 8);
	else
		for (i = 0; i < size / 2; i++)
			words[i] = ((769 * number + i + (i >> 10)) & 1023) << 6;
	return size;
}

static struct frame *take(void)
{
	struct frame *frame;

	spin_lock(&source.list_lock);
	frame = list_first_entry_or_null(&source.frames, struct frame, list);
	if (frame)
		list_del(&frame->list);
	spin_unlock(&source.list_lock);
	return frame;
}

static void put(struct frame *frame)
{
	spin_lock(&source.list_lock);
	list_add(&frame->list, &source.frames);
	spin_unlock(&source.list_lock);
}

static void deliver(u32 number)
{
	struct frame *frame = take();
	u32 length;

	if (!frame)
		return;
	length = fill(vb2_plane_vaddr(&frame->buffer.vb2_buf, 0), number);
	if (!length) {
		put(frame);
		return;
	}
	vb2_set_plane_payload(&frame->buffer.vb2_buf, 0, length);
	frame->buffer.sequence = number;
	frame->buffer.field = V4L2_FIELD_NONE;
	frame->buffer.vb2_buf.timestamp = ktime_get_ns();
	vb2_buffer_done(&frame->buffer.vb2_buf, VB2_BUF_STATE_DONE);
}

static int run(void *unused)
{
	u32 number;

	for (number = 0; !kthread_should_stop();) {
		msleep_interruptible(1000 / source.rate);
		/* A receiver delivers nothing while it is not locked to the signal. */
		if (READ_ONCE(source.signal) != source.timings)
			continue;
		if (!dropped || number % dropped != dropped - 1)
			deliver(number);
		number++;
	}
	return 0;
}

static void return_frames(enum vb2_buffer_state state)
{
	struct frame *frame;

	while ((frame = take()))
		vb2_buffer_done(&frame->buffer.vb2_buf, state);
}

static int queue_setup(struct vb2_queue *queue, unsigned int *buffers, unsigned int *planes, unsigned int sizes[],
		       struct device *devices[])
{
	if (*planes)
		return sizes[0] < frame_size(source.format) ? -EINVAL : 0;
	*planes = 1;
	sizes[0] = frame_size(source.format);
	return 0;
}

static void buffer_queue(struct vb2_buffer *buffer)
{
	struct frame *frame = container_of(to_vb2_v4l2_buffer(buffer), struct frame, buffer);

	spin_lock(&source.list_lock);
	list_add_tail(&frame->list, &source.frames);
	spin_unlock(&source.list_lock);
}

static int start_streaming(struct vb2_queue *queue, unsigned int count)
{
	source.next_unit = 0;
	source.thread = kthread_run(run, NULL, "hdr_source");
	if (!IS_ERR(source.thread))
		return 0;
	return_frames(VB2_BUF_STATE_QUEUED);
	return PTR_ERR(source.thread);
}

static void stop_streaming(struct vb2_queue *queue)
{
	kthread_stop(source.thread);
	return_frames(VB2_BUF_STATE_ERROR);
}

static const struct vb2_ops queue_ops = {
	.queue_setup = queue_setup, .buf_queue = buffer_queue, .start_streaming = start_streaming,
	.stop_streaming = stop_streaming, .wait_prepare = vb2_ops_wait_prepare, .wait_finish = vb2_ops_wait_finish,
};

static int querycap(struct file *file, void *handle, struct v4l2_capability *capability)
{
	strscpy(capability->driver, "hdr_source", sizeof(capability->driver));
	strscpy(capability->card, "HDR source", sizeof(capability->card));
	strscpy(capability->bus_info, "platform:hdr_source", sizeof(capability->bus_info));
	return 0;
}

static int enum_format(struct file *file, void *handle, struct v4l2_fmtdesc *description)
{
	if (description->index >= ARRAY_SIZE(formats))
		return -EINVAL;
	description->pixelformat = formats[description->index].code;
	return 0;
}

static const struct format *find_format(u32 code)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].code == code)
			return &formats[i];
	return formats;
}

static void describe(struct v4l2_pix_format *pix, const struct format *format)
{
	memset(pix, 0, sizeof(*pix));
	pix->width = width();
	pix->height = height();
	pix->pixelformat = format->code;
	pix->field = V4L2_FIELD_NONE;
	pix->bytesperline = width() * format->row;
	pix->sizeimage = frame_size(format);
	pix->colorspace = V4L2_COLORSPACE_BT2020;
	pix->xfer_func = V4L2_XFER_FUNC_SMPTE2084;
	pix->ycbcr_enc = V4L2_YCBCR_ENC_BT2020;
	pix->quantization = V4L2_QUANTIZATION_LIM_RANGE;
}

static int get_format(struct file *file, void *handle, struct v4l2_format *format)
{
	describe(&format->fmt.pix, source.format);
	return 0;
}

static int try_format(struct file *file, void *handle, struct v4l2_format *format)
{
	describe(&format->fmt.pix, find_format(format->fmt.pix.pixelformat));
	return 0;
}

static int set_format(struct file *file, void *handle, struct v4l2_format *format)
{
	if (vb2_is_busy(&source.queue))
		return -EBUSY;
	try_format(file, handle, format);
	source.format = find_format(format->fmt.pix.pixelformat);
	return 0;
}

static int enum_sizes(struct file *file, void *handle, struct v4l2_frmsizeenum *size)
{
	if (size->index)
		return -EINVAL;
	size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
	size->discrete.width = width();
	size->discrete.height = height();
	return 0;
}

/* All of the signal's frames, or every other one. */
static int enum_intervals(struct file *file, void *handle, struct v4l2_frmivalenum *interval)
{
	if (interval->index > 1)
		return -EINVAL;
	interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
	interval->discrete.numerator = 1;
	interval->discrete.denominator = FASTEST / (interval->index + 1);
	return 0;
}

static int get_parameters(struct file *file, void *handle, struct v4l2_streamparm *parameters)
{
	if (parameters->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
		return -EINVAL;
	parameters->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
	parameters->parm.capture.timeperframe.numerator = 1;
	parameters->parm.capture.timeperframe.denominator = source.rate;
	parameters->parm.capture.readbuffers = 2;
	return 0;
}

static int set_parameters(struct file *file, void *handle, struct v4l2_streamparm *parameters)
{
	struct v4l2_fract interval = parameters->parm.capture.timeperframe;

	/* Nearer to half the rate than to all of it. */
	source.rate = interval.numerator && 4 * interval.denominator < 3 * FASTEST * (u64)interval.numerator ? FASTEST / 2 : FASTEST;
	return get_parameters(file, handle, parameters);
}

static int enum_input(struct file *file, void *handle, struct v4l2_input *input)
{
	if (input->index)
		return -EINVAL;
	strscpy(input->name, "HDMI", sizeof(input->name));
	input->type = V4L2_INPUT_TYPE_CAMERA;
	input->capabilities = V4L2_IN_CAP_DV_TIMINGS;
	input->status = source.signal < 0 ? V4L2_IN_ST_NO_SIGNAL : 0;
	return 0;
}

static int get_input(struct file *file, void *handle, unsigned int *index)
{
	*index = 0;
	return 0;
}

static int set_input(struct file *file, void *handle, unsigned int index)
{
	return index ? -EINVAL : 0;
}

static int enum_timings(struct file *file, void *handle, struct v4l2_enum_dv_timings *description)
{
	if (description->index >= ARRAY_SIZE(timings))
		return -EINVAL;
	description->timings = timings[description->index];
	return 0;
}

static int query_timings(struct file *file, void *handle, struct v4l2_dv_timings *found)
{
	if (source.signal < 0)
		return -ENOLINK;
	*found = timings[source.signal];
	return 0;
}

static int get_timings(struct file *file, void *handle, struct v4l2_dv_timings *set)
{
	*set = timings[source.timings];
	return 0;
}

static int set_timings(struct file *file, void *handle, struct v4l2_dv_timings *asked)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(timings); i++)
		if (timings[i].bt.width == asked->bt.width && timings[i].bt.height == asked->bt.height)
			break;
	if (i == ARRAY_SIZE(timings))
		return -EINVAL;
	if (i != source.timings && vb2_is_busy(&source.queue))
		return -EBUSY;
	source.timings = i;
	*asked = timings[i];
	return 0;
}

static int timings_cap(struct file *file, void *handle, struct v4l2_dv_timings_cap *cap)
{
	cap->type = V4L2_DV_BT_656_1120;
	cap->bt.min_width = timings[0].bt.width;
	cap->bt.max_width = timings[1].bt.width;
	cap->bt.min_height = timings[0].bt.height;
	cap->bt.max_height = timings[1].bt.height;
	cap->bt.min_pixelclock = timings[0].bt.pixelclock;
	cap->bt.max_pixelclock = timings[1].bt.pixelclock;
	cap->bt.capabilities = V4L2_DV_BT_CAP_PROGRESSIVE | V4L2_DV_BT_CAP_CUSTOM;
	return 0;
}

static int subscribe(struct v4l2_fh *handle, const struct v4l2_event_subscription *subscription)
{
	if (subscription->type == V4L2_EVENT_SOURCE_CHANGE)
		return v4l2_src_change_event_subscribe(handle, subscription);
	return v4l2_ctrl_subscribe_event(handle, subscription);
}

static const struct v4l2_ioctl_ops ioctl_ops = {
	.vidioc_querycap = querycap, .vidioc_enum_fmt_vid_cap = enum_format, .vidioc_g_fmt_vid_cap = get_format,
	.vidioc_try_fmt_vid_cap = try_format, .vidioc_s_fmt_vid_cap = set_format,
	.vidioc_enum_framesizes = enum_sizes, .vidioc_enum_frameintervals = enum_intervals,
	.vidioc_g_parm = get_parameters, .vidioc_s_parm = set_parameters,
	.vidioc_enum_input = enum_input, .vidioc_g_input = get_input, .vidioc_s_input = set_input,
	.vidioc_enum_dv_timings = enum_timings, .vidioc_query_dv_timings = query_timings,
	.vidioc_g_dv_timings = get_timings, .vidioc_s_dv_timings = set_timings, .vidioc_dv_timings_cap = timings_cap,
	.vidioc_subscribe_event = subscribe, .vidioc_unsubscribe_event = v4l2_event_unsubscribe,
	.vidioc_reqbufs = vb2_ioctl_reqbufs, .vidioc_querybuf = vb2_ioctl_querybuf, .vidioc_qbuf = vb2_ioctl_qbuf,
	.vidioc_dqbuf = vb2_ioctl_dqbuf, .vidioc_streamon = vb2_ioctl_streamon, .vidioc_streamoff = vb2_ioctl_streamoff,
};

static const struct v4l2_file_operations file_ops = {
	.owner = THIS_MODULE, .open = v4l2_fh_open, .release = vb2_fop_release, .poll = vb2_fop_poll,
	.mmap = vb2_fop_mmap, .unlocked_ioctl = video_ioctl2,
};

static void forget_units(void)
{
	while (unit_count)
		kvfree(units[--unit_count].bytes);
}

static int open_units(struct inode *inode, struct file *file)
{
	mutex_lock(&unit_lock);
	forget_units();
	mutex_unlock(&unit_lock);
	return 0;
}

static ssize_t add_unit(struct file *file, const char __user *bytes, size_t length, loff_t *offset)
{
	ssize_t result = length;
	void *copy;

	if (!length || length > CODED_SIZE)
		return -EINVAL;
	copy = vmemdup_user(bytes, length);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	mutex_lock(&unit_lock);
	if (unit_count < ARRAY_SIZE(units)) {
		units[unit_count++] = (struct unit){ copy, length };
		copy = NULL;
	} else {
		result = -ENOSPC;
	}
	mutex_unlock(&unit_lock);
	kvfree(copy);
	return result;
}

static const struct file_operations unit_ops = { .owner = THIS_MODULE, .open = open_units, .write = add_unit };

/* Primaries are green, blue and red; luminances in 0.0001 cd/m2. */
static struct v4l2_ctrl_hdr10_mastering_display mastering = {
	.display_primaries_x = { 13250, 7500, 34000 }, .display_primaries_y = { 34500, 3000, 16000 },
	.white_point_x = 15635, .white_point_y = 16450,
	.max_display_mastering_luminance = 10000000, .min_display_mastering_luminance = 50,
};
static struct v4l2_ctrl_hdr10_cll_info light = { .max_content_light_level = 900, .max_pic_average_light_level = 300 };

static void add_control(u32 id, void *value)
{
	struct v4l2_ctrl *control = v4l2_ctrl_new_std_compound(&source.controls, NULL, id, v4l2_ctrl_ptr_create(value));

	if (control)
		control->flags |= V4L2_CTRL_FLAG_READ_ONLY;
}

static int plug(void)
{
	struct video_device *video = video_device_alloc();
	int error;

	if (!video)
		return -ENOMEM;
	strscpy(video->name, "hdr_source", sizeof(video->name));
	video->release = video_device_release;
	video->fops = &file_ops;
	video->ioctl_ops = &ioctl_ops;
	video->queue = &source.queue;
	video->lock = &source.lock;
	video->v4l2_dev = &source.v4l2;
	video->ctrl_handler = &source.controls;
	video->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
	error = video_register_device(video, VFL_TYPE_VIDEO, -1);
	if (error)
		video_device_release(video);
	else
		source.video = video;
	return error;
}

static void unplug(void)
{
	struct video_device *video = source.video;

	source.video = NULL;
	if (video)
		vb2_video_unregister_device(video);
}

static int __init begin(void)
{
	int error;

	mutex_init(&source.lock);
	spin_lock_init(&source.list_lock);
	INIT_LIST_HEAD(&source.frames);
	platform = platform_device_register_simple("hdr_source", -1, NULL, 0);
	if (IS_ERR(platform))
		return PTR_ERR(platform);
	/* There is no driver that it could be named after. */
	strscpy(source.v4l2.name, "hdr_source", sizeof(source.v4l2.name));
	error = v4l2_device_register(&platform->dev, &source.v4l2);
	if (error)
		goto no_device;
	v4l2_ctrl_handler_init(&source.controls, 2);
	add_control(V4L2_CID_COLORIMETRY_HDR10_CLL_INFO, &light);
	add_control(V4L2_CID_COLORIMETRY_HDR10_MASTERING_DISPLAY, &mastering);
	error = source.controls.error;
	if (error)
		goto no_video;
	source.queue.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
	source.queue.io_modes = VB2_MMAP;
	source.queue.buf_struct_size = sizeof(struct frame);
	source.queue.ops = &queue_ops;
	source.queue.mem_ops = &vb2_vmalloc_memops;
	source.queue.timestamp_flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
	source.queue.lock = &source.lock;
	source.queue.dev = &platform->dev;
	error = vb2_queue_init(&source.queue);
	if (error)
		goto no_video;
	error = plug();
	if (error)
		goto no_video;
	source.folder = debugfs_create_dir("hdr_source", NULL);
	debugfs_create_file("units", 0200, source.folder, NULL, &unit_ops);
	return 0;
no_video:
	v4l2_ctrl_handler_free(&source.controls);
	v4l2_device_unregister(&source.v4l2);
no_device:
	platform_device_unregister(platform);
	return error;
}

static void __exit end(void)
{
	debugfs_remove_recursive(source.folder);
	unplug();
	v4l2_ctrl_handler_free(&source.controls);
	v4l2_device_unregister(&source.v4l2);
	platform_device_unregister(platform);
	forget_units();
}

/* Writing 1 breaks the queue, as an error of the bus does; 2 unplugs the device, and 3 plugs it in again. */
static int set_fault(const char *text, const struct kernel_param *parameter)
{
	int fault, error = kstrtoint(text, 10, &fault);

	if (error)
		return error;
	if (fault == 1)
		vb2_queue_error(&source.queue);
	else if (fault == 2)
		unplug();
	else if (fault == 3 && !source.video)
		error = plug();
	return error;
}

static const struct kernel_param_ops fault_ops = { .set = set_fault };
module_param_cb(fault, &fault_ops, NULL, 0200);

/* Writing 0 takes the signal away; 1 and 2 are signals of 320x180 and 640x360. */
static int set_signal(const char *text, const struct kernel_param *parameter)
{
	static const struct v4l2_event event = {
		.type = V4L2_EVENT_SOURCE_CHANGE, .u.src_change.changes = V4L2_EVENT_SRC_CH_RESOLUTION,
	};
	int signal, error = kstrtoint(text, 10, &signal);

	if (error)
		return error;
	if (signal < 0 || signal > (int)ARRAY_SIZE(timings))
		return -EINVAL;
	WRITE_ONCE(source.signal, signal - 1);
	if (source.video)
		v4l2_event_queue(source.video, &event);
	return 0;
}

static const struct kernel_param_ops signal_ops = { .set = set_signal };
module_param_cb(signal, &signal_ops, NULL, 0200);

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("HDMI receiver with ten bits, HDR10 metadata and coded formats");
