import Foundation
import TestSupport
import Testing

/// System calls that fail, and the order of those by which a file lasts. A library that is loaded before the system's passes them on.
@Suite struct FaultTests {
  /// `FAULT` is the name of a call, a part of a path and a value of `errno`; calls are written to the file `CALLS`.
  private static let source = #"""
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <unistd.h>

    #define SYSTEM(call) ((__typeof__(&call))dlsym(RTLD_NEXT, #call))

    static int fault(const char *call, const char *path) {
      char name[32], part[256], line[4096 + 64];
      int code, calls = SYSTEM(open)(getenv("CALLS"), O_WRONLY | O_CREAT | O_APPEND, 0600);
      dprintf(calls, "%s %s\n", call, path);
      close(calls);
      const char *wanted = getenv("FAULT");
      if (!wanted || sscanf(wanted, "%31s %255s %d", name, part, &code) != 3) return 0;
      return strcmp(call, name) || !strstr(path, part) ? 0 : code;
    }

    static const char *path(int descriptor, char *buffer, size_t size) {
      char link[32];
      snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      ssize_t count = readlink(link, buffer, size - 1);
      buffer[count < 0 ? 0 : count] = 0;
      return buffer;
    }

    int fsync(int descriptor) {
      char buffer[4096];
      return (errno = fault("fsync", path(descriptor, buffer, sizeof buffer))) ? -1 : SYSTEM(fsync)(descriptor);
    }
    int fstat(int descriptor, struct stat *status) {
      char buffer[4096];
      return (errno = fault("fstat", path(descriptor, buffer, sizeof buffer))) ? -1 : SYSTEM(fstat)(descriptor, status);
    }
    int rename(const char *from, const char *to) {
      return (errno = fault("rename", to)) ? -1 : SYSTEM(rename)(from, to);
    }
    int open(const char *name, int flags, ...) {
      va_list rest;
      va_start(rest, flags);
      mode_t mode = va_arg(rest, mode_t);
      return (errno = fault("open", name)) ? -1 : SYSTEM(open)(name, flags, mode);
    }
    ssize_t write(int descriptor, const void *bytes, size_t count) {
      char buffer[4096];
      const char *wanted = getenv("FAULT");
      if (wanted && !strncmp(wanted, "write ", 6)
          && (errno = fault("write", path(descriptor, buffer, sizeof buffer)))) return -1;
      return SYSTEM(write)(descriptor, bytes, count);
    }
    int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
      static int count;
      int code = fault("pthread_create", __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) > 2 ? "late thread" : "thread");
      return code ? code : SYSTEM(pthread_create)(thread, attributes, body, argument);
    }
    """#

  private let scratch: Scratch
  private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("media/hdr10-sample.mp4").path

  init() throws {
    scratch = try Scratch()
    let (source, library) = (scratch.path("faults.c"), scratch.path("faults.so"))
    try Self.source.write(toFile: source, atomically: true, encoding: .utf8)
    try #require(try Command.shell("clang -shared -fPIC -O1 -o '\(library)' '\(source)' -ldl") == 0)
  }

  private func run(_ arguments: [String], fault: String = "") throws -> Command.Result {
    try Command.program(
      arguments, in: scratch.folder,
      environment: [
        "LD_PRELOAD": scratch.path("faults.so"), "FAULT": fault, "CALLS": scratch.path("calls"),
        // FFmpeg's filters load it, and it interrupts a process that gets no thread.
        "OPENBLAS_NUM_THREADS": "1",
      ])
  }

  private func transcode(fault: String = "") throws -> Command.Result {
    try run(
      [
        "transcode", Self.sample, "-o", "out.mkv", "--overwrite", "--report", "report.json", "-c:v", "ffv1", "--frames",
        "0-1",
      ],
      fault: fault)
  }

  private func plan() throws {
    let words = ["plan", Self.sample, "-o", "film.mkv", "--work", "work", "-c:v", "ffv1", "--frames", "0-1"]
    #expect(try run(words).status == 0)
  }

  /// The bytes are on the disk before the name, and then the name is.
  private func expectLasting(_ file: String) throws {
    let calls = try String(contentsOfFile: scratch.path("calls"), encoding: .utf8).split(separator: "\n")
    let place = URL(fileURLWithPath: scratch.path(file)).resolvingSymlinksInPath()
    let folder = place.deletingLastPathComponent().path
    let named = try #require(
      calls.lastIndex { $0.hasPrefix("rename ") && $0.hasSuffix(place.lastPathComponent) }, "\(file)")
    #expect(
      calls[..<named].contains { $0.hasPrefix("fsync \(folder)/.\(place.lastPathComponent).headroom-") }, "\(file)")
    #expect(calls[named...].contains { $0 == "fsync \(folder)" }, "\(file)")
  }

  @Test func outputsReportsAndPlansLast() throws {
    #expect(try transcode().status == 0)
    try plan()
    for file in ["out.mkv", "report.json", "work/plan.json"] { try expectLasting(file) }
  }

  /// Neither a name nor a temporary file is left of what did not get to the disk, or could not be told apart from others.
  @Test(arguments: ["fsync .out.mkv", "fstat .out.mkv"])
  func nothingIsLeftOfAnOutputThatFails(_ fault: String) throws {
    #expect(try transcode(fault: "\(fault) \(EIO)").status == 75)
    #expect(scratch.contents.filter { $0.contains("out.mkv") } == [])
  }

  @Test func aPlanThatIsNotDeliveredIsNotDamaged() throws {
    try plan()
    let result = try run(["chunk", "work", "--all"], fault: "open plan.json \(EMFILE)")
    #expect(result.status == 75)
    #expect(result.messages.contains("Cannot read 'work/plan.json'"))
  }

  @Test func withoutThreadsAWorkerEnds() throws {
    try plan()
    #expect(try run(["chunk", "work", "--all"], fault: "pthread_create thread \(EAGAIN)").status == 75)
  }

  /// FFmpeg's muxers of segments pass over errors of writing.
  @Test(arguments: [("out.mpd", ".m4s"), ("out.m3u8", ".ts"), ("out.m3u8", ".m3u8")])
  func segmentsThatCannotBeWritten(_ name: String, _ part: String) throws {
    let before = Set(scratch.contents)
    let words = ["transcode", Self.sample, "-o", name, "-c:v", "libx264", "--preset", "ultrafast", "--frames", "0-3"]
    let result = try run(words, fault: "write \(part) \(ENOSPC)")
    #expect(result.status == 75 && result.messages.contains("No space left"), "\(result.messages)")
    #expect(Set(scratch.contents).subtracting(before) == ["calls"])
  }

  /// x265 waits forever for threads that it did not get.
  @Test func encodersDoNotWaitForThreads() throws {
    let words = ["pattern", "ramp", "-o", "out.mkv", "-c:v", "libx265", "--size", "64x64", "--duration", "0.1"]
    #expect(try run(words, fault: "pthread_create late \(EAGAIN)").status == 75)
    #expect(scratch.contents.filter { $0.contains("out.mkv") } == [])
  }
}
