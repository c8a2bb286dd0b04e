import CV4L2
import Foundation
import Frames
import Synchronization

import Capture

/// A device whose answers are written down, frames and faults included.
final class ScriptedDevice: DeviceFile, @unchecked Sendable {
  // @unchecked: what changes lies behind `lock`; memory of buffers belongs to whoever holds them.

  /// How a request goes wrong.
  struct Fault: Hashable {
    /// The request's code.
    var request: UInt
    /// From which time on it is made, counted from 1.
    var from = 1
    /// How often.
    var count = 1
    /// A value of `errno`.
    var code: Int32
  }

  struct Mode {
    var code: FourCC
    var size = Size(width: 64, height: 48)
    var rates: [(UInt32, UInt32)] = [(1, 50)]
  }

  var modes = [Mode(code: FourCC("P010"))]
  /// Each format has every size between these, by steps, at the rates of its first mode; nil: those of `modes`.
  var range: v4l2_frmsize_stepwise?
  var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
  /// Colorspace, transfer function, encoding and quantization, for each format or for all.
  var colors: [FourCC: (UInt32, UInt32, UInt32, UInt32)] = [:]
  var color: (UInt32, UInt32, UInt32, UInt32) = (10, 7, 6, 2)
  var contentLight: v4l2_ctrl_hdr10_cll_info?
  var mastering: v4l2_ctrl_hdr10_mastering_display?
  /// Bytes behind each row of every plane.
  var padding = 0
  /// Bytes before the samples of each plane, of devices with several.
  var dataOffset = 0
  /// What S_FMT makes of a format, beside setting it.
  var change: (inout v4l2_format) -> Void = { _ in }
  /// Fills the planes of frame `n`, and says how many bytes each has, and what its sequence is.
  var fill: (_ n: Int, _ planes: [UnsafeMutableRawBufferPointer]) -> (used: [Int], sequence: UInt32) = { n, planes in
    (planes.map(\.count), UInt32(n))
  }
  /// Frames that there are; then nothing comes any more.
  var frames = Int.max
  var faults: [Fault] = []
  /// Milliseconds that a frame takes.
  var interval = 0
  /// Buffers that a request for more gets.
  var mostBuffers = 8

  /// What the query of timings answers, or the code that it fails with; nil: there are no timings.
  var timings: Result<v4l2_dv_timings, BufferCode>?
  /// Modes follow the size of the timings that are set.
  var followsTimings = false
  var inputs: [(name: String, status: UInt32)] = []
  var input: Int32 = 0
  var controls: [ScriptedControl] = []
  /// Buffers whose memory is still mapped can be given back.
  var canOrphan = true
  /// Buffers that are the last before a change.
  var isLast: (_ n: Int) -> Bool = { _ in false }
  /// Marks a damaged buffer, or one of another clock.
  var flags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
  /// Events that nothing takes.
  var hasStuckEvent = false

  /// A value of `errno`.
  struct BufferCode: Error { var code: Int32 }

  let lock = NSLock()
  var made: [UInt: Int] = [:]
  var set = Mode(code: FourCC("P010"))
  var memory: [Int: [UnsafeMutableRawBufferPointer]] = [:]
  /// Memory of buffers that the device does not have any more, which a frame may hold.
  var orphans: [UnsafeMutableRawBufferPointer] = []
  var queued: [Int] = []
  var isStreaming = false
  var isReading = false
  var events: [v4l2_event] = []
  var subscribed: [UInt32] = []
  /// What was set, in order: "timings", "format", "rate 1/25", "input 1".
  var settings: [String] = []
  var setInterval: v4l2_fract?
  private var mappings: [UnsafeMutableRawPointer] = []
  private var isUnplugged = false
  var sent = 0
  /// Buffers that were queued twice, or that the device does not have.
  var misqueued = 0

  var mapped: Int { locked { mappings.count } }

  /// Calls `body` while nothing is answered.
  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// Takes the device away: from now on every request says so.
  func unplug() { locked { isUnplugged = true } }

  /// Reports a change to whoever has asked for it.
  func report(_ type: Int32) {
    locked {
      guard subscribed.contains(UInt32(type)) else { return }
      var event = v4l2_event()
      event.type = UInt32(type)
      events.append(event)
    }
  }

  var isMultiplanar: Bool { capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 }

  deinit { for buffer in Array(memory.values.joined()) + orphans { buffer.deallocate() } }

  func wait(milliseconds: Int32) -> DeviceReadiness {
    if interval > 0 { usleep(UInt32(interval) * 1000) }
    var ready: DeviceReadiness = []
    locked {
      // As the kernel does: who waits for frames without buffers has begun to read them.
      if memory.isEmpty { isReading = true }
      if isStreaming, !queued.isEmpty, sent < frames { ready.insert(.buffer) }
      if !events.isEmpty || hasStuckEvent { ready.insert(.event) }
      // As the kernel does: one that does not stream is in error.
      if !isStreaming || isUnplugged { ready.insert(.error) }
      let hasFault = faults.contains { $0.request == DeviceRequests.dequeueBuffer.code && $0.from > 0 }
      if ready.isEmpty, hasFault { ready = .error }
    }
    if ready.isEmpty { usleep(2000) }
    return ready
  }

  func map(length: Int, offset: Int) -> UnsafeMutableRawPointer? {
    locked {
      let (index, plane) = (offset >> 8, offset & 255)
      guard let buffer = memory[index]?[plane], length <= buffer.count, let base = buffer.baseAddress else {
        return nil
      }
      mappings.append(base)
      return base
    }
  }

  func unmap(_ memory: UnsafeMutableRawPointer, length: Int) {
    locked {
      guard let index = mappings.firstIndex(of: memory) else { return misqueued += 1 }
      mappings.remove(at: index)
      // Whoever still reads it would read this.
      guard let orphan = orphans.firstIndex(where: { $0.baseAddress == memory }) else { return }
      orphans[orphan].initializeMemory(as: UInt8.self, repeating: 0xEE)
      orphans.remove(at: orphan).deallocate()
    }
  }

  /// Takes all buffers from the device; those that are mapped live on.
  func orphanAll() -> Int32 {
    let all = Array(memory.values.joined())
    let isMapped = all.contains { buffer in mappings.contains { $0 == buffer.baseAddress } }
    guard canOrphan || !isMapped else { return EBUSY }
    for buffer in all {
      if mappings.contains(where: { $0 == buffer.baseAddress }) { orphans.append(buffer) } else { buffer.deallocate() }
    }
    (memory, queued) = ([:], [])
    return 0
  }

  func request(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
    locked {
      let count = made[code, default: 0] + 1
      made[code] = count
      if isUnplugged { return ENODEV }
      if let fault = faults.first(where: { $0.request == code && count >= $0.from && count - $0.from < $0.count }) {
        return fault.code
      }
      return answer(code, argument) ?? answerOfStream(code, argument) ?? answerOfSignal(code, argument) ?? ENOTTY
    }
  }

  func with<Argument>(
    _ argument: UnsafeMutableRawPointer, _ code: UInt, _ request: DeviceRequest<Argument>,
    _ body: (inout Argument) -> Int32
  ) -> Int32? {
    code == request.code ? body(&argument.assumingMemoryBound(to: Argument.self).pointee) : nil
  }
}
