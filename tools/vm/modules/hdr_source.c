// SPDX-License-Identifier: GPL-2.0
/* A capture device with what vivid lacks: ten bits and the HDR10 controls. Word i of frame n is (769 n + i) modulo 1024, in the high bits. */

#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <media/v4l2-ctrls.h>
#include <media/v4l2-device.h>
#include <media/v4l2-event.h>
#include <media/v4l2-ioctl.h>
#include <media/videobuf2-v4l2.h>
#include <media/videobuf2-vmalloc.h>

#define WIDTH 320
#define HEIGHT 180
#define RATE 50

static int dropped;
module_param(dropped, int, 0644);
MODULE_PARM_DESC(dropped, "every nth frame is counted, and not delivered");

#define Y210 v4l2_fourcc('Y', '2', '1', '0')
static const u32 formats[] = { V4L2_PIX_FMT_P010, Y210 };

struct frame {
	struct vb2_v4l2_buffer buffer;
	struct list_head list;
};

static struct {
	struct v4l2_device v4l2;
	struct video_device video;
	struct v4l2_ctrl_handler controls;
	struct vb2_queue queue;
	struct mutex lock;
	spinlock_t list_lock;
	struct list_head frames;
	struct task_struct *thread;
	u32 format;
} source;

static struct platform_device *platform;

static u32 frame_size(u32 format)
{
	return WIDTH * 2 * HEIGHT * (format == V4L2_PIX_FMT_P010 ? 3 : 4) / 2;
}

static void fill(u16 *words, u32 number)
{
	u32 i;

	for (i = 0; i < frame_size(source.format) / 2; i++)
		words[i] = ((769 * number + i) & 1023) << 6;
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

static int run(void *unused)
{
	u32 number;

	for (number = 0; !kthread_should_stop(); number++) {
		struct frame *frame;

		msleep_interruptible(1000 / RATE);
		if (dropped && number % dropped == dropped - 1)
			continue;
		frame = take();
		if (!frame)
			continue;
		fill(vb2_plane_vaddr(&frame->buffer.vb2_buf, 0), number);
		vb2_set_plane_payload(&frame->buffer.vb2_buf, 0, frame_size(source.format));
		frame->buffer.sequence = number;
		frame->buffer.field = V4L2_FIELD_NONE;
		frame->buffer.vb2_buf.timestamp = ktime_get_ns();
		vb2_buffer_done(&frame->buffer.vb2_buf, VB2_BUF_STATE_DONE);
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
	description->pixelformat = formats[description->index];
	return 0;
}

static void describe(struct v4l2_pix_format *pix, u32 format)
{
	memset(pix, 0, sizeof(*pix));
	pix->width = WIDTH;
	pix->height = HEIGHT;
	pix->pixelformat = format;
	pix->field = V4L2_FIELD_NONE;
	pix->bytesperline = WIDTH * (format == V4L2_PIX_FMT_P010 ? 2 : 4);
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
	describe(&format->fmt.pix, format->fmt.pix.pixelformat == Y210 ? Y210 : V4L2_PIX_FMT_P010);
	return 0;
}

static int set_format(struct file *file, void *handle, struct v4l2_format *format)
{
	if (vb2_is_busy(&source.queue))
		return -EBUSY;
	try_format(file, handle, format);
	source.format = format->fmt.pix.pixelformat;
	return 0;
}

static int enum_sizes(struct file *file, void *handle, struct v4l2_frmsizeenum *size)
{
	if (size->index)
		return -EINVAL;
	size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
	size->discrete.width = WIDTH;
	size->discrete.height = HEIGHT;
	return 0;
}

static int enum_intervals(struct file *file, void *handle, struct v4l2_frmivalenum *interval)
{
	if (interval->index)
		return -EINVAL;
	interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
	interval->discrete.numerator = 1;
	interval->discrete.denominator = RATE;
	return 0;
}

static const struct v4l2_ioctl_ops ioctl_ops = {
	.vidioc_querycap = querycap, .vidioc_enum_fmt_vid_cap = enum_format, .vidioc_g_fmt_vid_cap = get_format,
	.vidioc_try_fmt_vid_cap = try_format, .vidioc_s_fmt_vid_cap = set_format,
	.vidioc_enum_framesizes = enum_sizes, .vidioc_enum_frameintervals = enum_intervals,
	.vidioc_reqbufs = vb2_ioctl_reqbufs, .vidioc_querybuf = vb2_ioctl_querybuf, .vidioc_qbuf = vb2_ioctl_qbuf,
	.vidioc_dqbuf = vb2_ioctl_dqbuf, .vidioc_streamon = vb2_ioctl_streamon, .vidioc_streamoff = vb2_ioctl_streamoff,
};

static const struct v4l2_file_operations file_ops = {
	.owner = THIS_MODULE, .open = v4l2_fh_open, .release = vb2_fop_release, .poll = vb2_fop_poll,
	.mmap = vb2_fop_mmap, .unlocked_ioctl = video_ioctl2,
};

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

static int __init begin(void)
{
	int error;

	mutex_init(&source.lock);
	spin_lock_init(&source.list_lock);
	INIT_LIST_HEAD(&source.frames);
	source.format = V4L2_PIX_FMT_P010;
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
	strscpy(source.video.name, "hdr_source", sizeof(source.video.name));
	source.video.release = video_device_release_empty;
	source.video.fops = &file_ops;
	source.video.ioctl_ops = &ioctl_ops;
	source.video.queue = &source.queue;
	source.video.lock = &source.lock;
	source.video.v4l2_dev = &source.v4l2;
	source.video.ctrl_handler = &source.controls;
	source.video.device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
	error = video_register_device(&source.video, VFL_TYPE_VIDEO, -1);
	if (!error)
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
	vb2_video_unregister_device(&source.video);
	v4l2_ctrl_handler_free(&source.controls);
	v4l2_device_unregister(&source.v4l2);
	platform_device_unregister(platform);
}

/* Writing 1 breaks the queue, as an error of the bus does; 2 unplugs the device. */
static int set_fault(const char *text, const struct kernel_param *parameter)
{
	int fault, error = kstrtoint(text, 10, &fault);

	if (error)
		return error;
	if (fault == 1)
		vb2_queue_error(&source.queue);
	else if (fault == 2)
		vb2_video_unregister_device(&source.video);
	return 0;
}

static const struct kernel_param_ops fault_ops = { .set = set_fault };
module_param_cb(fault, &fault_ops, NULL, 0200);

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Capture device with ten bits and HDR10 metadata");
