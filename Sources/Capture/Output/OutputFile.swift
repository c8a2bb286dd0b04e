internal import CV4L2
internal import Glibc
internal import Synchronization

/// An open output device, shared by `OutputDevice` and its stream.
final class OutputFile: Sendable, OpenDevice {
  let path: String
  private let open: Opener
  private let opened: Mutex<any DeviceFile>
  private let isInterrupted = Atomic(false)

  static let bufferType = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue

  /// Milliseconds between checks for an interruption.
  private static let pollInterval: Int32 = 100
  /// Milliseconds before retrying a device that reports ready but accepts nothing.
  private static let rest: Int32 = 10
  /// Milliseconds after which a device counts as stuck.
  private static let longestWait: Int32 = 5000

  /// Opens the device.
  typealias Opener = @Sendable () throws(CaptureError) -> any DeviceFile

  init(path: String, open: @escaping Opener) throws(CaptureError) {
    (self.path, self.open) = (path, open)
    opened = Mutex(try open())
  }

  var file: any DeviceFile { opened.withLock { $0 } }

  /// Closes and reopens the device once its stream has ended.
  func reopen() throws(CaptureError) {
    let new = try open()
    opened.withLock { $0 = new }
  }

  @unsafe func map(length: Int, offset: Int) -> UnsafeMutableRawPointer? {
    unsafe file.map(length: length, offset: offset)
  }

  @unsafe func unmap(_ memory: UnsafeMutableRawPointer, length: Int) { unsafe file.unmap(memory, length: length) }

  /// Interrupts waits, from any thread.
  func interrupt() { isInterrupted.store(true, ordering: .releasing) }

  /// Waits until an operation succeeds.
  /// - Returns: false if interrupted.
  /// - Throws: `CaptureError` if the device accepts nothing, or `body` throws.
  func wait(until body: () throws(CaptureError) -> Bool) throws(CaptureError) -> Bool {
    var (waited, wasReady): (Int32, Bool) = (0, false)
    while try !body() {
      if isInterrupted.load(ordering: .acquiring) { return false }
      if waited >= Self.longestWait { throw .takesNothing(path: path) }
      if wasReady {
        // Drivers may report ready without a free buffer, or after an unreported error.
        usleep(UInt32(Self.rest) * 1000)
        waited += Self.rest
      }
      wasReady = !file.waitToWrite(milliseconds: Self.pollInterval).isEmpty
      if !wasReady { waited += Self.pollInterval }
    }
    return true
  }

  /// Writes all bytes, unless interrupted.
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
