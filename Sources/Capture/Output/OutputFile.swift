internal import CV4L2
internal import Glibc
internal import Synchronization

/// An open device for output, as the device and its stream share it.
final class OutputFile: Sendable {
  let path: String
  private let open: Opener
  private let opened: Mutex<any DeviceFile>
  private let isInterrupted = Atomic(false)

  static let bufferType = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue

  /// Milliseconds after which a wait sees that it is interrupted.
  private static let patience: Int32 = 100
  /// Milliseconds before a device is asked again that says it is ready, and takes nothing.
  private static let rest: Int32 = 10
  /// Milliseconds after which a device is said to take nothing.
  private static let longestWait: Int32 = 5000

  /// Opens the device.
  typealias Opener = @Sendable () throws(CaptureError) -> any DeviceFile

  /// - Throws: `CaptureError`.
  init(path: String, open: @escaping Opener) throws(CaptureError) {
    (self.path, self.open) = (path, open)
    opened = Mutex(try open())
  }

  private var file: any DeviceFile { opened.withLock { $0 } }

  /// Closes the device, and opens it again: its stream has ended.
  /// - Throws: `CaptureError`.
  func reopen() throws(CaptureError) {
    let new = try open()
    opened.withLock { $0 = new }
  }

  /// Makes a request.
  /// - Returns: 0, or a value of `errno`.
  func attempt<Argument>(_ request: DeviceRequest<Argument>, _ argument: inout Argument) -> Int32 {
    CaptureDevice.request(file, request, &argument)
  }

  /// Makes a request that must succeed.
  func perform<Argument>(
    _ request: DeviceRequest<Argument>, _ argument: inout Argument
  ) throws(CaptureError) {
    let code = attempt(request, &argument)
    if code != 0 { throw .failed(request.name, path, code) }
  }

  @unsafe func map(length: Int, offset: Int) -> UnsafeMutableRawPointer? {
    unsafe file.map(length: length, offset: offset)
  }

  @unsafe func unmap(_ memory: UnsafeMutableRawPointer, length: Int) { unsafe file.unmap(memory, length: length) }

  /// Makes waits end, from any thread.
  func interrupt() { isInterrupted.store(true, ordering: .releasing) }

  /// Waits until something succeeds.
  /// - Parameter body: Whether it has succeeded.
  /// - Returns: false if it was interrupted.
  /// - Throws: `CaptureError` if the device takes nothing, or `body` throws.
  func wait(until body: () throws(CaptureError) -> Bool) throws(CaptureError) -> Bool {
    var (waited, wasReady): (Int32, Bool) = (0, false)
    while try !body() {
      if isInterrupted.load(ordering: .acquiring) { return false }
      if waited >= Self.longestWait { throw .takesNothing(path: path) }
      if wasReady {
        // Drivers are ready for buffers that they do not have, or after an error that they do not report.
        usleep(UInt32(Self.rest) * 1000)
        waited += Self.rest
      }
      wasReady = !file.waitToWrite(milliseconds: Self.patience).isEmpty
      if !wasReady { waited += Self.patience }
    }
    return true
  }

  /// Writes all of these bytes, unless it is interrupted.
  @unsafe
  func write(_ bytes: UnsafeRawBufferPointer) throws(CaptureError) {
    var written = 0
    while written < bytes.count {
      let goesOn = try wait { () throws(CaptureError) in
        let count = unsafe file.write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        if count == 0 || count == -Int(EAGAIN) { return false }
        if count < 0 { throw .failed("write", path, Int32(clamping: -count)) }
        written += min(count, bytes.count - written)
        return true
      }
      if !goesOn { return }
    }
  }
}
