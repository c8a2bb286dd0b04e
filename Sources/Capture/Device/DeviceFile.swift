package import CV4L2
internal import Files
internal import Glibc

/// An open device, or its substitute in tests.
package protocol DeviceFile: Sendable {
  /// Makes a request.
  /// - Returns: 0, or an `errno` value.
  @unsafe func request(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32

  /// Maps a buffer of the device; nil if it cannot be mapped.
  @unsafe func map(length: Int, offset: Int) -> UnsafeMutableRawPointer?

  /// Unmaps a buffer.
  @unsafe func unmap(_ memory: UnsafeMutableRawPointer, length: Int)

  /// Waits until a buffer is filled, an event arrives, or the timeout expires.
  func wait(milliseconds: Int32) -> DeviceReadiness

  /// Writes to an output device.
  /// - Returns: The number of bytes written, or a negative `errno` value.
  @unsafe func write(_ bytes: UnsafeRawBufferPointer) -> Int

  /// Waits until an output device accepts more, or the timeout expires.
  func waitToWrite(milliseconds: Int32) -> DeviceReadiness
}

/// The readiness of a device.
package struct DeviceReadiness: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A buffer is filled.
  package static let buffer = DeviceReadiness(rawValue: 1)
  /// An event has arrived.
  package static let event = DeviceReadiness(rawValue: 2)
  /// The device has stopped streaming, or is gone: the next request returns the reason.
  package static let error = DeviceReadiness(rawValue: 4)
}

/// A device file of the kernel.
final class KernelDevice: DeviceFile {
  let descriptor: Int32

  init(_ path: String) throws(CaptureError) {
    // Non-blocking: a request must not wait for a frame that never comes.
    descriptor = unsafe open(path.systemName, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { throw .cannotOpen(path: path, code: errno) }
  }

  deinit { close(descriptor) }

  func request(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
    while unsafe ioctl(descriptor, code, argument) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  func map(length: Int, offset: Int) -> UnsafeMutableRawPointer? {
    let memory = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset)
    return unsafe memory == MAP_FAILED ? nil : memory
  }

  func unmap(_ memory: UnsafeMutableRawPointer, length: Int) { _ = unsafe munmap(memory, length) }

  func wait(milliseconds: Int32) -> DeviceReadiness {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN | POLLPRI), revents: 0)
    guard unsafe Glibc.poll(&poll, 1, milliseconds) > 0 else { return [] }
    var ready: DeviceReadiness = []
    if poll.revents & Int16(POLLIN) != 0 { ready.insert(.buffer) }
    if poll.revents & Int16(POLLPRI) != 0 { ready.insert(.event) }
    if poll.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { ready.insert(.error) }
    return ready
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    while true {
      let count = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      if errno != EINTR { return -Int(errno) }
    }
  }

  func waitToWrite(milliseconds: Int32) -> DeviceReadiness {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe Glibc.poll(&poll, 1, milliseconds) > 0 else { return [] }
    var ready: DeviceReadiness = []
    if poll.revents & Int16(POLLOUT) != 0 { ready.insert(.buffer) }
    if poll.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { ready.insert(.error) }
    return ready
  }
}

/// A request to a device, with the type of its argument. Source: Linux, include/uapi/asm-generic/ioctl.h; videodev2.h,
/// `VIDIOC_`.
package struct DeviceRequest<Argument>: Sendable {
  /// The code for `ioctl`.
  package let code: UInt
  /// The name in messages.
  let name: String

  /// The direction of the argument, as the program sees it.
  enum Direction: UInt { case write = 1, read, both }

  fileprivate init(_ number: UInt, _ direction: Direction, _ name: String) {
    code = direction.rawValue << 30 | UInt(MemoryLayout<Argument>.size) << 16 | UInt(UInt8(ascii: "V")) << 8 | number
    self.name = name
  }
}

/// The requests in use, by their names in the kernel documentation.
package enum DeviceRequests {
  package static let queryCapabilities = DeviceRequest<v4l2_capability>(0, .read, "QUERYCAP")
  package static let enumerateFormats = DeviceRequest<v4l2_fmtdesc>(2, .both, "ENUM_FMT")
  package static let getFormat = unsafe DeviceRequest<v4l2_format>(4, .both, "G_FMT")
  package static let setFormat = unsafe DeviceRequest<v4l2_format>(5, .both, "S_FMT")
  package static let requestBuffers = DeviceRequest<v4l2_requestbuffers>(8, .both, "REQBUFS")
  package static let queryBuffer = unsafe DeviceRequest<v4l2_buffer>(9, .both, "QUERYBUF")
  package static let queueBuffer = unsafe DeviceRequest<v4l2_buffer>(15, .both, "QBUF")
  package static let dequeueBuffer = unsafe DeviceRequest<v4l2_buffer>(17, .both, "DQBUF")
  package static let startStream = DeviceRequest<Int32>(18, .write, "STREAMON")
  package static let stopStream = DeviceRequest<Int32>(19, .write, "STREAMOFF")
  package static let getParameters = DeviceRequest<v4l2_streamparm>(21, .both, "G_PARM")
  package static let setParameters = DeviceRequest<v4l2_streamparm>(22, .both, "S_PARM")
  package static let tryFormat = unsafe DeviceRequest<v4l2_format>(64, .both, "TRY_FMT")
  package static let getControls = unsafe DeviceRequest<v4l2_ext_controls>(71, .both, "G_EXT_CTRLS")
  package static let setControls = unsafe DeviceRequest<v4l2_ext_controls>(72, .both, "S_EXT_CTRLS")
  package static let enumerateInputs = DeviceRequest<v4l2_input>(26, .both, "ENUMINPUT")
  package static let queryMenu = DeviceRequest<v4l2_querymenu>(37, .both, "QUERYMENU")
  package static let getInput = DeviceRequest<Int32>(38, .read, "G_INPUT")
  package static let setInput = DeviceRequest<Int32>(39, .both, "S_INPUT")
  package static let enumerateSizes = DeviceRequest<v4l2_frmsizeenum>(74, .both, "ENUM_FRAMESIZES")
  package static let enumerateIntervals = DeviceRequest<v4l2_frmivalenum>(75, .both, "ENUM_FRAMEINTERVALS")
  package static let setTimings = DeviceRequest<v4l2_dv_timings>(87, .both, "S_DV_TIMINGS")
  package static let dequeueEvent = DeviceRequest<v4l2_event>(89, .read, "DQEVENT")
  package static let subscribeEvent = DeviceRequest<v4l2_event_subscription>(90, .write, "SUBSCRIBE_EVENT")
  package static let queryTimings = DeviceRequest<v4l2_dv_timings>(99, .read, "QUERY_DV_TIMINGS")
  package static let queryControl = DeviceRequest<v4l2_query_ext_ctrl>(103, .both, "QUERY_EXT_CTRL")
}

/// The defaults for capture-only devices.
extension DeviceFile {
  package func write(_ bytes: UnsafeRawBufferPointer) -> Int { -Int(EBADF) }

  package func waitToWrite(milliseconds: Int32) -> DeviceReadiness { .error }
}

extension DeviceFile {
  /// Makes a request: 0, or an `errno` value.
  fileprivate func attempt<Argument>(_ request: DeviceRequest<Argument>, _ argument: inout Argument) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &argument) { unsafe self.request(request.code, $0) }
  }

  /// The capabilities of a V4L2 device, and those of this one of its files.
  func capabilities(_ path: String) throws(CaptureError) -> (v4l2_capability, can: UInt32) {
    var capability = v4l2_capability()
    let code = attempt(DeviceRequests.queryCapabilities, &capability)
    // Anything but a V4L2 device returns an error here.
    if code != 0 { throw .cannotOpen(path: path, code: code) }
    let isOwn = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    return (capability, isOwn ? capability.device_caps : capability.capabilities)
  }
}

/// A device that is open, and takes requests.
protocol OpenDevice {
  var file: any DeviceFile { get }
  var path: String { get }
}

extension OpenDevice {
  /// Makes a request: 0, or an `errno` value.
  func attempt<Argument>(_ request: DeviceRequest<Argument>, _ argument: inout Argument) -> Int32 {
    file.attempt(request, &argument)
  }

  /// Makes a request that must succeed.
  func perform<Argument>(_ request: DeviceRequest<Argument>, _ argument: inout Argument) throws(CaptureError) {
    let code = attempt(request, &argument)
    if code != 0 { throw .failed(request.name, path, code) }
  }
}
