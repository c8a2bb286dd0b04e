/* The calls of the program, which go to the device or to the C library. */
#include "device.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))real(&real_##name, #name))

static void *real_open, *real_openat, *real_close, *real_ioctl, *real_mmap, *real_ppoll, *real_stat, *real_lstat, *real_access, *real_opendir,
	*real_readdir, *real_closedir;
/* The program must find these, and nothing else of the library. */
#pragma GCC visibility push(default)

/* What mmap and readdir are on 64-bit systems. */
_Static_assert(sizeof(off_t) == 8, "64-bit systems only");

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset);
int ioctl(int file, unsigned long request, ...);

static void *real(void **function, const char *name)
{
	if (!*function)
		*function = dlsym(RTLD_NEXT, name);
	return *function;
}

__attribute__((constructor)) static void begin(void)
{
	if (script.mode_count)
		return;
	read_script();
	device.mode = script.modes[0];
	device.signal_width = device.mode.width;
	device.signal_height = device.mode.height;
}

static bool is_ours(int file)
{
	return file >= 0 && file < MOST_FILES && __atomic_load_n(&device.handles[file].generation, __ATOMIC_ACQUIRE);
}

static bool is_path(const char *path)
{
	return path && *script.path && !strcmp(path, script.path);
}

static int failed(int code)
{
	errno = code;
	return -1;
}

/* - Opening and closing - */

static int open_device(int flags)
{
	int code, file = -1;

	pthread_mutex_lock(&device.lock);
	advance();
	code = scripted_failure(REQUEST_OPEN);
	if (!code && device.is_gone)
		code = ENOENT;
	if (!code) {
		/* Only its number is used: nothing is ever read from it. */
		file = eventfd(0, EFD_NONBLOCK | (flags & O_CLOEXEC ? EFD_CLOEXEC : 0));
		code = file < 0 ? errno : file >= MOST_FILES ? EMFILE : 0;
	}
	if (!code) {
		device.handles[file] = (struct handle){ .is_nonblocking = flags & O_NONBLOCK };
		__atomic_store_n(&device.handles[file].generation, device.generation, __ATOMIC_RELEASE);
	} else if (file >= 0) {
		REAL(close)(file);
	}
	pthread_mutex_unlock(&device.lock);
	return code ? failed(code) : file;
}

static mode_t mode_of(int flags, va_list arguments)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                              \
	int name(const char *path, int flags, ...)              \
	{                                                       \
		va_list arguments;                              \
		mode_t mode;                                    \
                                                                \
		va_start(arguments, flags);                     \
		mode = mode_of(flags, arguments);               \
		va_end(arguments);                              \
		return is_path(path) ? open_device(flags) : REAL(open)(path, flags, mode); \
	}
#define OPENAT(name)                                            \
	int name(int folder, const char *path, int flags, ...)  \
	{                                                       \
		va_list arguments;                              \
		mode_t mode;                                    \
                                                                \
		va_start(arguments, flags);                     \
		mode = mode_of(flags, arguments);               \
		va_end(arguments);                              \
		return is_path(path) ? open_device(flags) : REAL(openat)(folder, path, flags, mode); \
	}
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* What programs that are built with _FORTIFY_SOURCE call. */
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open(path, flags); }
int __openat_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }
int __openat64_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }

int close(int file)
{
	if (is_ours(file)) {
		pthread_mutex_lock(&device.lock);
		if (device.owner == file)
			free_buffers();
		__atomic_store_n(&device.handles[file].generation, 0, __ATOMIC_RELEASE);
		pthread_mutex_unlock(&device.lock);
	}
	return REAL(close)(file);
}

/* - Waiting - */

static short readiness(int file, short events)
{
	const struct handle *handle = &device.handles[file];
	short ready = 0;

	if (handle->generation != device.generation)
		return POLLERR | POLLHUP;
	if (handle->has_event)
		ready |= events & POLLPRI;
	if (!(events & (POLLIN | POLLRDNORM)))
		return ready;
	if (!device.is_streaming || device.owner != file)
		return ready | POLLERR;
	return device.done_count ? ready | (events & (POLLIN | POLLRDNORM)) : ready;
}

/* Looks after files of ours. Those of others are waited for in `others`, where ours are -1. */
static int look(struct pollfd *files, nfds_t count, int64_t *next)
{
	int ready = 0;

	pthread_mutex_lock(&device.lock);
	advance();
	for (nfds_t i = 0; i < count; i++)
		if (is_ours(files[i].fd))
			ready += !!(files[i].revents = readiness(files[i].fd, files[i].events));
	*next = next_time();
	pthread_mutex_unlock(&device.lock);
	return ready;
}

static int wait_for(struct pollfd *files, nfds_t count, int64_t end, const sigset_t *mask)
{
	struct pollfd others[count];

	for (nfds_t i = 0; i < count; i++) {
		others[i] = files[i];
		if (is_ours(files[i].fd))
			others[i].fd = -1;
	}
	while (true) {
		int64_t next, time;
		int ours = look(files, count, &next), theirs;
		struct timespec rest = { 0 };

		time = now();
		next = ours ? time : next < end ? next : end;
		/* Another thread may begin to stream meanwhile. */
		next = next > time + 50000000 ? time + 50000000 : next < time ? time : next;
		rest.tv_sec = (next - time) / 1000000000;
		rest.tv_nsec = (next - time) % 1000000000;
		theirs = REAL(ppoll)(others, count, &rest, mask);
		if (theirs < 0)
			return theirs;
		if (!ours && !theirs && now() < end)
			continue;
		for (nfds_t i = 0; i < count; i++)
			if (!is_ours(files[i].fd))
				files[i].revents = others[i].revents;
		return ours + theirs;
	}
}

static bool has_ours(const struct pollfd *files, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++)
		if (is_ours(files[i].fd))
			return true;
	return false;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *rest, const sigset_t *mask)
{
	if (count > 64 || !has_ours(files, count))
		return REAL(ppoll)(files, count, rest, mask);
	return wait_for(files, count, rest ? now() + rest->tv_sec * 1000000000 + rest->tv_nsec : INT64_MAX, mask);
}

int poll(struct pollfd *files, nfds_t count, int milliseconds)
{
	struct timespec rest = { milliseconds / 1000, milliseconds % 1000 * 1000000L };

	return ppoll(files, count, milliseconds < 0 ? NULL : &rest, NULL);
}

int __poll_chk(struct pollfd *files, nfds_t count, int milliseconds, size_t size)
{
	(void)size;
	return poll(files, count, milliseconds);
}

/* - Requests - */

static int answer_once(int file, uint32_t request, void *argument)
{
	int code;

	pthread_mutex_lock(&device.lock);
	advance();
	code = scripted_failure(request);
	if (device.handles[file].generation != device.generation)
		code = ENODEV;
	if (!code)
		code = answer(file, request, argument);
	pthread_mutex_unlock(&device.lock);
	return code;
}

int ioctl(int file, unsigned long request, ...)
{
	va_list arguments;
	void *argument;
	int code;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!is_ours(file))
		return REAL(ioctl)(file, request, argument);
	code = answer_once(file, request, argument);
	while (code == EAGAIN && (uint32_t)request == VIDIOC_DQBUF && !device.handles[file].is_nonblocking) {
		struct pollfd wait = { .fd = file, .events = POLLIN };

		poll(&wait, 1, -1);
		code = answer_once(file, request, argument);
	}
	return code ? failed(code) : 0;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
	int memory = file;
	int code = 0;

	if (is_ours(file)) {
		pthread_mutex_lock(&device.lock);
		code = scripted_failure(REQUEST_MMAP);
		if (!code && (device.owner != file || length + offset > device.buffer_stride * device.buffer_count))
			code = EINVAL;
		memory = device.memory_file;
		pthread_mutex_unlock(&device.lock);
	}
	return code ? (void *)(intptr_t)failed(code) : REAL(mmap)(address, length, protection, flags, memory, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
	return mmap(address, length, protection, flags, file, offset);
}

/* - The file system - */

static bool is_present(void)
{
	bool is_present;

	pthread_mutex_lock(&device.lock);
	advance();
	is_present = !device.is_gone;
	pthread_mutex_unlock(&device.lock);
	return is_present;
}

static int describe(struct stat *status)
{
	if (!is_present())
		return failed(ENOENT);
	memset(status, 0, sizeof *status);
	status->st_mode = S_IFCHR | 0660;
	status->st_nlink = 1;
	status->st_rdev = makedev(81, 70);
	status->st_ino = 0x5634324c;
	return 0;
}

int stat(const char *restrict path, struct stat *restrict status) { return is_path(path) ? describe(status) : REAL(stat)(path, status); }
int lstat(const char *restrict path, struct stat *restrict status) { return is_path(path) ? describe(status) : REAL(lstat)(path, status); }
int stat64(const char *restrict path, struct stat64 *restrict status) { return stat(path, (struct stat *)status); }
int lstat64(const char *restrict path, struct stat64 *restrict status) { return lstat(path, (struct stat *)status); }

int access(const char *path, int how)
{
	if (!is_path(path))
		return REAL(access)(path, how);
	return is_present() ? 0 : failed(ENOENT);
}

/* The one listing of the device's folder that is under way, and has not come to the device. */
static DIR *listing;

DIR *opendir(const char *path)
{
	DIR *folder = REAL(opendir)(path);
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	if (folder && !strncmp(path, script.path, length) && script.path[length] == '/' && !strchr(script.path + length + 1, '/') && is_present())
		listing = folder;
	return folder;
}

struct dirent *readdir(DIR *folder)
{
	static struct dirent entry = { .d_ino = 0x5634324c, .d_reclen = sizeof entry, .d_type = DT_CHR };

	if (folder != listing)
		return REAL(readdir)(folder);
	listing = NULL;
	snprintf(entry.d_name, sizeof entry.d_name, "%s", strrchr(script.path, '/') + 1);
	return &entry;
}

struct dirent64 *readdir64(DIR *folder) { return (struct dirent64 *)readdir(folder); }

int closedir(DIR *folder)
{
	if (folder == listing)
		listing = NULL;
	return REAL(closedir)(folder);
}
