/* Loaded before a process's own libraries: a disk that is slow or full, and a clock that is wrong,
 * as three numbers in a shared page say at that moment. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct state {
    int64_t microseconds_of_a_sync;
    int64_t is_full;
    int64_t seconds_off;
};

static const struct state sound;
static const volatile struct state *state = &sound;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("MACHINE_STATE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof(struct state), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) state = page;
    close(file);
}

#define SYSTEM(name) \
    static __typeof__(&name) system_##name; \
    if (!system_##name) system_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* A full disk takes what replaces bytes of a file, and nothing that makes it longer. */
static int has_no_room(int file, off_t end) {
    struct stat about;
    if (!state->is_full || fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || end <= about.st_size) return 0;
    errno = ENOSPC;
    return 1;
}

static off_t bytes(const struct iovec *parts, int count) {
    off_t all = 0;
    for (int part = 0; part < count; part++) all += (off_t)parts[part].iov_len;
    return all;
}

/* Where a write without a place begins. */
static off_t place(int file) {
    struct stat about;
    int flags = fcntl(file, F_GETFL);
    if (flags >= 0 && flags & O_APPEND && fstat(file, &about) == 0) return about.st_size;
    return lseek(file, 0, SEEK_CUR);
}

ssize_t write(int file, const void *data, size_t length) {
    SYSTEM(write);
    if (state->is_full && has_no_room(file, place(file) + (off_t)length)) return -1;
    return system_write(file, data, length);
}

ssize_t pwrite(int file, const void *data, size_t length, off_t at) {
    SYSTEM(pwrite);
    if (has_no_room(file, at + (off_t)length)) return -1;
    return system_pwrite(file, data, length, at);
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t at) {
    return pwrite(file, data, length, at);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    SYSTEM(writev);
    if (state->is_full && has_no_room(file, place(file) + bytes(parts, count))) return -1;
    return system_writev(file, parts, count);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
    SYSTEM(pwritev);
    if (has_no_room(file, at + bytes(parts, count))) return -1;
    return system_pwritev(file, parts, count, at);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
    return pwritev(file, parts, count, at);
}

static void wait_for_the_disk(void) {
    int64_t microseconds = state->microseconds_of_a_sync;
    struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
    if (microseconds > 0) nanosleep(&pause, NULL);
}

int fsync(int file) {
    SYSTEM(fsync);
    wait_for_the_disk();
    return system_fsync(file);
}

int fdatasync(int file) {
    SYSTEM(fdatasync);
    wait_for_the_disk();
    return system_fdatasync(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    SYSTEM(clock_gettime);
    int done = system_clock_gettime(clock, time);
    if (done == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += state->seconds_off;
    return done;
}

int gettimeofday(struct timeval *time, void *zone) {
    SYSTEM(gettimeofday);
    int done = system_gettimeofday(time, zone);
    if (done == 0) time->tv_sec += state->seconds_off;
    return done;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
