#include "device.h"

int buffer_request(int file, uint32_t request, void *argument);

static int request_buffers(int file, struct v4l2_requestbuffers *request)
{
	if (request->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || request->memory != V4L2_MEMORY_MMAP)
		return EINVAL;
	if (device.owner >= 0 && device.owner != file)
		return EBUSY;
	request->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP | V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS;
	if (device.is_streaming)
		return EBUSY;
	free_buffers();
	if (!request->count)
		return 0;
	request->count = request->count < 2 ? 2 : request->count > MOST_BUFFERS ? MOST_BUFFERS : request->count;
	return allocate_buffers(file, request->count);
}

static void describe(uint32_t index, struct v4l2_buffer *buffer)
{
	memset(buffer, 0, sizeof *buffer);
	buffer->index = index;
	buffer->type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
	buffer->memory = V4L2_MEMORY_MMAP;
	buffer->field = V4L2_FIELD_NONE;
	buffer->length = device.buffer_length;
	buffer->m.offset = index * device.buffer_stride;
	buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | (device.is_queued[index] ? V4L2_BUF_FLAG_QUEUED : 0);
}

static int query_or_queue(bool is_query, struct v4l2_buffer *buffer)
{
	if (buffer->index >= device.buffer_count || buffer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
		return EINVAL;
	if (!is_query) {
		if (device.is_queued[buffer->index])
			return EINVAL;
		device.is_queued[buffer->index] = true;
		device.queue[device.queue_count++] = buffer->index;
	}
	describe(buffer->index, buffer);
	return 0;
}

static int dequeue(struct v4l2_buffer *buffer)
{
	struct filled *filled = device.done;

	if (!device.is_streaming || buffer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
		return EINVAL;
	if (!device.done_count)
		return EAGAIN;
	device.is_queued[filled->index] = false;
	describe(filled->index, buffer);
	buffer->sequence = filled->sequence;
	buffer->bytesused = filled->used;
	buffer->flags |= V4L2_BUF_FLAG_DONE | (filled->is_damaged ? V4L2_BUF_FLAG_ERROR : 0);
	buffer->timestamp.tv_sec = filled->time / 1000000000;
	buffer->timestamp.tv_usec = filled->time % 1000000000 / 1000;
	memmove(device.done, device.done + 1, --device.done_count * sizeof *device.done);
	return 0;
}

static int start(int file)
{
	if (device.owner != file)
		return device.owner < 0 ? EINVAL : EBUSY;
	if (device.is_streaming)
		return 0;
	device.is_streaming = true;
	device.sequence = device.next_unit = 0;
	device.next = now() + interval_of(&device.mode);
	return 0;
}

int buffer_request(int file, uint32_t request, void *argument)
{
	switch (request) {
	case VIDIOC_REQBUFS: return request_buffers(file, argument);
	case VIDIOC_QUERYBUF:
	case VIDIOC_QBUF: return device.owner == file ? query_or_queue(request == VIDIOC_QUERYBUF, argument) : EBUSY;
	case VIDIOC_DQBUF: return device.owner == file ? dequeue(argument) : EBUSY;
	case VIDIOC_STREAMON: return start(file);
	case VIDIOC_STREAMOFF:
		if (device.owner != file)
			return device.owner < 0 ? 0 : EBUSY;
		stop_streaming();
		return 0;
	default: return ENOTTY;
	}
}
