import CV4L2
import Foundation
import Frames

import Capture

/// A device for output that keeps what it is given, faults included.
final class ScriptedOutput: DeviceFile, @unchecked Sendable {
  // @unchecked: what changes lies behind `lock`; buffers are written by the one thread that has them.

  var capabilities = UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_READWRITE | V4L2_CAP_STREAMING)
  var formats = ["YU12", "422P", "NV12", "YUYV", "P010"].map { FourCC(rawValue: ScriptedOutput.code($0)) }
  /// Bytes behind each row of luma.
  var padding = 0
  /// What S_FMT makes of a format, beside setting it.
  var change: (inout v4l2_pix_format) -> Void = { _ in }
  /// Values of `errno`, by request.
  var faults: [UInt: Int32] = [:]
  /// Bytes that one write takes at most; 0: it takes none.
  var mostWritten = Int.max
  /// What a write fails with.
  var writeFault: Int32?
  /// Buffers that it never gives back.
  var isStuck = false
  /// The device says that it takes more, whether it does or not.
  var isAlwaysReady = false

  private let lock = NSLock()
  private(set) var pix = v4l2_pix_format()
  private(set) var interval = v4l2_fract()
  private(set) var frames: [[UInt8]] = []
  private(set) var mapped = 0
  private(set) var isStreaming = false
  private var written: [UInt8] = []
  private var buffers: [UnsafeMutableRawBufferPointer] = []
  private var queued: [Int] = []

  static func code(_ text: String) -> UInt32 {
    text.utf8.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
  }

  deinit { for buffer in buffers { buffer.deallocate() } }

  func wait(milliseconds: Int32) -> DeviceReadiness { [] }

  func waitToWrite(milliseconds: Int32) -> DeviceReadiness {
    if isAlwaysReady { return .buffer }
    usleep(UInt32(milliseconds) * 1000)
    return !isStuck && mostWritten > 0 ? .buffer : []
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    lock.lock()
    defer { lock.unlock() }
    if let writeFault { return -Int(writeFault) }
    let count = min(bytes.count, mostWritten)
    guard count > 0 else { return -Int(EAGAIN) }
    written += bytes.prefix(count)
    if written.count >= Int(pix.sizeimage) {
      frames.append(written)
      written = []
    }
    return count
  }

  func map(length: Int, offset: Int) -> UnsafeMutableRawPointer? {
    guard offset < buffers.count, length <= buffers[offset].count else { return nil }
    mapped += 1
    return buffers[offset].baseAddress
  }

  func unmap(_ memory: UnsafeMutableRawPointer, length: Int) { mapped -= 1 }

  func request(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
    lock.lock()
    defer { lock.unlock() }
    if let fault = faults[code] { return fault }
    return describe(code, argument) ?? stream(code, argument) ?? ENOTTY
  }

  private func describe(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32? {
    switch code {
    case DeviceRequests.queryCapabilities.code:
      argument.assumingMemoryBound(to: v4l2_capability.self).pointee.capabilities = capabilities
    case DeviceRequests.enumerateFormats.code:
      let description = argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
      guard description.pointee.type == V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue,
        description.pointee.index < formats.count
      else { return EINVAL }
      description.pointee.pixelformat = formats[Int(description.pointee.index)].rawValue
    case DeviceRequests.setFormat.code:
      let format = argument.assumingMemoryBound(to: v4l2_format.self)
      guard format.pointee.type == V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue else { return EINVAL }
      set(&format.pointee.fmt.pix)
    case DeviceRequests.setParameters.code:
      interval = argument.assumingMemoryBound(to: v4l2_streamparm.self).pointee.parm.output.timeperframe
    default: return nil
    }
    return 0
  }

  private func set(_ asked: inout v4l2_pix_format) {
    let (columns, rows) = (Int(asked.width), Int(asked.height))
    let bytes = asked.pixelformat == Self.code("YUYV") || asked.pixelformat == Self.code("P010") ? 2 : 1
    let stride = columns * bytes + padding
    asked.bytesperline = UInt32(stride)
    let is422 = asked.pixelformat == Self.code("422P")
    let lines = asked.pixelformat == Self.code("YUYV") ? rows : is422 ? 2 * rows : rows + (rows + 1) / 2
    asked.sizeimage = UInt32(stride * lines)
    change(&asked)
    pix = asked
  }

  private func stream(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32? {
    let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
    switch code {
    case DeviceRequests.requestBuffers.code:
      let count = Int(argument.assumingMemoryBound(to: v4l2_requestbuffers.self).pointee.count)
      while buffers.count < count {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(pix.sizeimage), alignment: 64)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        buffers.append(buffer)
      }
    case DeviceRequests.queryBuffer.code:
      (buffer.pointee.length, buffer.pointee.m.offset) = (pix.sizeimage, buffer.pointee.index)
    case DeviceRequests.queueBuffer.code:
      guard !queued.contains(Int(buffer.pointee.index)) else { return EINVAL }
      queued.append(Int(buffer.pointee.index))
      frames.append(Array(buffers[queued.last!].prefix(Int(buffer.pointee.bytesused))))
    case DeviceRequests.dequeueBuffer.code:
      guard !isStuck, !queued.isEmpty else { return EAGAIN }
      buffer.pointee.index = UInt32(queued.removeFirst())
    case DeviceRequests.startStream.code: isStreaming = true
    case DeviceRequests.stopStream.code: (isStreaming, queued) = (false, [])
    default: return nil
    }
    return 0
  }
}
