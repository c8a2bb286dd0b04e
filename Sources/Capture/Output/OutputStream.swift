internal import CV4L2
internal import Frames
internal import Glibc

/// Transfers frames to a device that is set up. Used by one thread at a time.
protocol OutputStream: AnyObject, Sendable {
  var layout: OutputLayout { get }

  /// Writes a frame of the right size and layout; does nothing if interrupted.
  func write(_ frame: CodedFrame) throws(CaptureError)

  /// Waits until the device has shown all frames, and ends the stream.
  func finish()
}

/// Frames copied and written to the device file.
@safe
final class WrittenStream: OutputStream, @unchecked Sendable {
  // @unchecked, @safe: `memory` is used by one thread at a time, and lives as long as the stream.
  let layout: OutputLayout
  /// The device has accepted nothing yet.
  private(set) var isEmpty = true
  private let file: OutputFile
  private let memory: UnsafeMutableRawBufferPointer

  init(_ file: OutputFile, _ layout: OutputLayout) {
    (self.file, self.layout) = (file, layout)
    unsafe memory = .allocate(byteCount: layout.length, alignment: 64)
    _ = unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { unsafe memory.deallocate() }

  func write(_ frame: CodedFrame) throws(CaptureError) {
    guard let base = unsafe memory.baseAddress else { return }
    unsafe layout.store(frame, in: base)
    unsafe try file.write(UnsafeRawBufferPointer(memory))
    isEmpty = false
  }

  /// The device keeps the written frames.
  func finish() {}
}

/// Frames copied into the device's buffers.
@safe
final class MappedStream: OutputStream, @unchecked Sendable {
  // @unchecked, @safe: one thread at a time uses it; mappings live until it ends.
  let layout: OutputLayout
  private let file: OutputFile
  private var buffers: [Buffer]
  /// Buffers that the device does not hold.
  private var free: [Int]
  private var isStreaming = false

  @unsafe
  private struct Buffer {
    let base: UnsafeMutableRawPointer
    let length: Int
  }

  /// One is shown, the next one waits, and others are filled.
  private static let count: UInt32 = 4
  private static let fewest: UInt32 = 2

  init(_ file: OutputFile, _ layout: OutputLayout) throws(CaptureError) {
    (self.file, self.layout) = (file, layout)
    unsafe (buffers, free) = ([], [])
    var request = v4l2_requestbuffers()
    (request.count, request.type) = (Self.count, OutputFile.bufferType)
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try file.perform(DeviceRequests.requestBuffers, &request)
    guard request.count >= Self.fewest
    else { throw .isInconsistent(path: file.path, reason: "it has \(request.count) buffers") }
    // If a device allocates more than requested, the rest stays unused.
    for index in 0..<min(request.count, UInt32(VIDEO_MAX_FRAME)) {
      var buffer = unsafe Self.buffer(index)
      unsafe try file.perform(DeviceRequests.queryBuffer, &buffer)
      let (length, offset) = unsafe (Int(buffer.length), Int(buffer.m.offset))
      guard length >= layout.length, let base = unsafe file.map(length: length, offset: offset) else {
        throw .isInconsistent(
          path: file.path, reason: "buffer \(index) of \(length) bytes for \(layout.length) cannot be mapped")
      }
      unsafe buffers.append(Buffer(base: base, length: length))
      free.append(Int(index))
    }
  }

  deinit { end() }

  private static func buffer(_ index: UInt32) -> v4l2_buffer {
    var buffer = unsafe v4l2_buffer()
    unsafe (buffer.index, buffer.type) = (index, OutputFile.bufferType)
    unsafe (buffer.memory, buffer.field) = (V4L2_MEMORY_MMAP.rawValue, V4L2_FIELD_NONE.rawValue)
    return unsafe buffer
  }

  func write(_ frame: CodedFrame) throws(CaptureError) {
    if free.isEmpty {
      guard try file.wait(until: takeBack) else { return }
    }
    let index = free.removeFirst()
    unsafe layout.store(frame, in: buffers[index].base)
    var buffer = unsafe Self.buffer(UInt32(index))
    unsafe buffer.bytesused = UInt32(layout.length)
    do throws(CaptureError) {
      unsafe try file.perform(DeviceRequests.queueBuffer, &buffer)
      if isStreaming { return }
      var type = Int32(bitPattern: OutputFile.bufferType)
      try file.perform(DeviceRequests.startStream, &type)
      isStreaming = true
    } catch {
      free.append(index)
      throw error
    }
  }

  /// Takes back a buffer that was shown; false if none is ready yet.
  private func takeBack() throws(CaptureError) -> Bool {
    var buffer = unsafe Self.buffer(0)
    let code = unsafe file.attempt(DeviceRequests.dequeueBuffer, &buffer)
    if code == EAGAIN { return false }
    if code != 0 { throw .failed(unsafe DeviceRequests.dequeueBuffer.name, file.path, code) }
    let index = unsafe Int(buffer.index)
    guard unsafe index < buffers.count, !free.contains(index)
    else { throw .isInconsistent(path: file.path, reason: "it has given back buffer \(index), which it did not have") }
    free.append(index)
    return true
  }

  func finish() {
    // The last frame is shown until another follows. Ends even if the device cannot show the rest.
    while isStreaming, unsafe free.count < buffers.count - 1 {
      if (try? file.wait(until: takeBack)) != true { break }
    }
    end()
  }

  private func end() {
    if isStreaming {
      var type = Int32(bitPattern: OutputFile.bufferType)
      _ = file.attempt(DeviceRequests.stopStream, &type)
    }
    unsafe buffers.forEach { buffer in unsafe file.unmap(buffer.base, length: buffer.length) }
    unsafe (buffers, free, isStreaming) = ([], [], false)
    var none = v4l2_requestbuffers()
    (none.type, none.memory) = (OutputFile.bufferType, V4L2_MEMORY_MMAP.rawValue)
    _ = file.attempt(DeviceRequests.requestBuffers, &none)
  }
}
