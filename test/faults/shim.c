/* Makes the nth call of one kind inside one folder go wrong. Loaded with LD_PRELOAD; told what to do by FAULT_* (see injector.ts). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int seen = 0;

static int fd_inside(int fd);

static int inside(const char *path) {
  const char *folder = getenv("FAULT_DIR"), *held = "/proc/self/fd/";
  if (!folder || !path) return 0;
  /* A folder that is held open has another name, by which it is written to. */
  if (strncmp(path, held, strlen(held)) == 0) return fd_inside(atoi(path + strlen(held)));
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int fd_inside(int fd) {
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return inside(path);
}

/* Says on disk that the fault happened, past all the calls that are watched. */
static void mark(void) {
  int (*open_)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  const char *path = getenv("FAULT_MARK");
  if (path) close(open_(path, O_CREAT | O_WRONLY, 0600));
}

static int is_due(const char *call, int is_inside) {
  const char *wanted = getenv("FAULT_CALL"), *number = getenv("FAULT_N");
  if (!wanted || !number || strcmp(wanted, call) != 0 || !is_inside) return 0;
  if (__atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST) != atoi(number)) return 0;
  mark();
  return 1;
}

/* Fails or kills; 0 where the caller has to do only a part of its work. */
static int strike(void) {
  const char *kind = getenv("FAULT_KIND");
  if (!strcmp(kind, "kill")) kill(getpid(), SIGKILL), pause();
  if (!strcmp(kind, "short") || !strcmp(kind, "torn")) return 0;
  errno = !strcmp(kind, "ENOSPC") ? ENOSPC : !strcmp(kind, "EROFS") ? EROFS : EIO;
  return -1;
}

static void die_if_torn(void) {
  if (!strcmp(getenv("FAULT_KIND"), "torn")) kill(getpid(), SIGKILL), pause();
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

#define OPEN(name)                                                          \
  int name(const char *path, int flags, ...) {                              \
    va_list rest;                                                           \
    va_start(rest, flags);                                                  \
    int mode = va_arg(rest, int);                                           \
    va_end(rest);                                                           \
    if (is_due("open", inside(path)) && strike() < 0) return -1;            \
    return REAL(int, #name, const char *, int, ...)(path, flags, mode);     \
  }
OPEN(open)
OPEN(open64)

#define PART(bytes) ((bytes) > 1 ? (bytes) / 2 : (bytes))

ssize_t write(int fd, const void *bytes, size_t count) {
  if (is_due("write", fd_inside(fd))) {
    if (strike() < 0) return -1;
    ssize_t done = REAL(ssize_t, "write", int, const void *, size_t)(fd, bytes, PART(count));
    die_if_torn();
    return done;
  }
  return REAL(ssize_t, "write", int, const void *, size_t)(fd, bytes, count);
}

#define PWRITE(name, offset_t)                                                                                  \
  ssize_t name(int fd, const void *bytes, size_t count, offset_t offset) {                                      \
    if (is_due("write", fd_inside(fd))) {                                                                       \
      if (strike() < 0) return -1;                                                                              \
      ssize_t done = REAL(ssize_t, #name, int, const void *, size_t, offset_t)(fd, bytes, PART(count), offset); \
      die_if_torn();                                                                                            \
      return done;                                                                                              \
    }                                                                                                           \
    return REAL(ssize_t, #name, int, const void *, size_t, offset_t)(fd, bytes, count, offset);                 \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define SYNC(name)                                               \
  int name(int fd) {                                             \
    if (is_due("fsync", fd_inside(fd)) && strike() < 0) return -1; \
    return REAL(int, #name, int)(fd);                            \
  }
SYNC(fsync)
SYNC(fdatasync)

#define TWO_PATHS(name)                                               \
  int name(const char *from, const char *to) {                        \
    if (is_due(#name, inside(to)) && strike() < 0) return -1;         \
    return REAL(int, #name, const char *, const char *)(from, to);    \
  }
TWO_PATHS(rename)
TWO_PATHS(link)

#define TRUNCATE(name, offset_t)                                     \
  int name(int fd, offset_t length) {                                \
    if (is_due("ftruncate", fd_inside(fd)) && strike() < 0) return -1; \
    return REAL(int, #name, int, offset_t)(fd, length);              \
  }
ssize_t read(int fd, void *bytes, size_t count) {
  if (is_due("read", fd_inside(fd)) && strike() < 0) return -1;
  return REAL(ssize_t, "read", int, void *, size_t)(fd, bytes, count);
}

#define PREAD(name, offset_t)                                                                          \
  ssize_t name(int fd, void *bytes, size_t count, offset_t offset) {                                   \
    if (is_due("read", fd_inside(fd)) && strike() < 0) return -1;                                      \
    return REAL(ssize_t, #name, int, void *, size_t, offset_t)(fd, bytes, count, offset);              \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

int unlink(const char *path) {
  if (is_due("unlink", inside(path)) && strike() < 0) return -1;
  return REAL(int, "unlink", const char *)(path);
}

int mkdir(const char *path, mode_t mode) {
  if (is_due("mkdir", inside(path)) && strike() < 0) return -1;
  return REAL(int, "mkdir", const char *, mode_t)(path, mode);
}

int futimens(int fd, const struct timespec times[2]) {
  if (is_due("futimens", fd_inside(fd)) && strike() < 0) return -1;
  return REAL(int, "futimens", int, const struct timespec *)(fd, times);
}

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)
