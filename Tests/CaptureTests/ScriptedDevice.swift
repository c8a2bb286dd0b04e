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

  private let lock = NSLock()
  private var made: [UInt: Int] = [:]
  private var set = Mode(code: FourCC("P010"))
  private var memory: [Int: [UnsafeMutableRawBufferPointer]] = [:]
  private var queued: [Int] = []
  private var isStreaming = false
  private(set) var sent = 0
  private(set) var mapped = 0

  var isMultiplanar: Bool { capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 }

  deinit { for buffer in memory.values.joined() { buffer.deallocate() } }

  func wait(milliseconds: Int32) -> DeviceReadiness {
    if interval > 0 { usleep(UInt32(interval) * 1000) }
    lock.lock()
    defer { lock.unlock() }
    if isStreaming, !queued.isEmpty, sent < frames { return .buffer }
    if faults.contains(where: { $0.request == DeviceRequests.dequeueBuffer.code && $0.from > 0 }) { return .error }
    lock.unlock()
    usleep(2000)
    lock.lock()
    return []
  }

  func map(length: Int, offset: Int) -> UnsafeMutableRawPointer? {
    lock.lock()
    defer { lock.unlock() }
    let (index, plane) = (offset >> 8, offset & 255)
    guard let buffer = memory[index]?[plane], length <= buffer.count else { return nil }
    mapped += 1
    return buffer.baseAddress
  }

  func unmap(_ memory: UnsafeMutableRawPointer, length: Int) {
    lock.lock()
    mapped -= 1
    lock.unlock()
  }

  func request(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
    lock.lock()
    defer { lock.unlock() }
    let count = made[code, default: 0] + 1
    made[code] = count
    if let fault = faults.first(where: { $0.request == code && count >= $0.from && count - $0.from < $0.count }) {
      return fault.code
    }
    return answer(code, argument)
  }

  private func answer(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
    func with<Argument>(
      _ request: DeviceRequest<Argument>, _ body: (inout Argument) -> Int32
    ) -> Int32? {
      code == request.code ? body(&argument.assumingMemoryBound(to: Argument.self).pointee) : nil
    }
    let answer =
      with(DeviceRequests.queryCapabilities) { capability in
        withUnsafeMutableBytes(of: &capability.card) { $0.copyBytes(from: "Script\u{1}".utf8) }
        withUnsafeMutableBytes(of: &capability.bus_info) { $0.copyBytes(from: "test:1".utf8) }
        capability.capabilities = capabilities
        return 0
      }
      ?? with(DeviceRequests.enumerateFormats) { description in
        var codes: [FourCC] = []
        for mode in modes where !codes.contains(mode.code) { codes.append(mode.code) }
        guard description.index < codes.count else { return EINVAL }
        description.pixelformat = codes[Int(description.index)].rawValue
        return 0
      }
      ?? with(DeviceRequests.enumerateSizes) { size in
        var sizes: [Size] = []
        for mode in modes where mode.code.rawValue == size.pixel_format && !sizes.contains(mode.size) {
          sizes.append(mode.size)
        }
        guard size.index < sizes.count else { return EINVAL }
        size.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
        let own = sizes[Int(size.index)]
        size.discrete = v4l2_frmsize_discrete(width: UInt32(own.width), height: UInt32(own.height))
        return 0
      }
      ?? with(DeviceRequests.enumerateIntervals) { interval in
        let rates = modes.first {
          $0.code.rawValue == interval.pixel_format && $0.size.width == interval.width
            && $0.size.height == interval.height
        }?.rates
        guard let rates, interval.index < rates.count else { return EINVAL }
        interval.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
        let rate = rates[Int(interval.index)]
        interval.discrete = v4l2_fract(numerator: rate.0, denominator: rate.1)
        return 0
      }
      ?? with(DeviceRequests.getFormat) { format in
        describe(set, &format)
        return 0
      }
    return answer ?? answerFurther(code, argument)
  }

  private func answerFurther(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
    func with<Argument>(
      _ request: DeviceRequest<Argument>, _ body: (inout Argument) -> Int32
    ) -> Int32? {
      code == request.code ? body(&argument.assumingMemoryBound(to: Argument.self).pointee) : nil
    }
    return with(DeviceRequests.tryFormat) { format in
      guard let mode = mode(of: format) else { return EINVAL }
      describe(mode, &format)
      return 0
    }
      ?? with(DeviceRequests.setFormat) { format in
        guard let mode = mode(of: format) else { return EINVAL }
        set = mode
        describe(mode, &format)
        change(&format)
        return 0
      }
      ?? with(DeviceRequests.getParameters) { parameters in
        parameters.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
        parameters.parm.capture.timeperframe = v4l2_fract(numerator: set.rates[0].0, denominator: set.rates[0].1)
        return 0
      }
      ?? with(DeviceRequests.setParameters) { _ in 0 }
      ?? with(DeviceRequests.getControls) { control($0.controls[0]) }
      ?? with(DeviceRequests.requestBuffers) { request in
        request.count = min(request.count, UInt32(mostBuffers))
        for index in 0..<Int(request.count) where memory[index] == nil {
          memory[index] = lengths.map { .allocate(byteCount: $0, alignment: 64) }
        }
        return 0
      }
      ?? with(DeviceRequests.queryBuffer) { buffer in
        guard let planes = memory[Int(buffer.index)] else { return EINVAL }
        for (index, plane) in planes.enumerated() {
          let offset = UInt32(Int(buffer.index) << 8 | index)
          if isMultiplanar {
            (buffer.m.planes[index].length, buffer.m.planes[index].m.mem_offset) = (UInt32(plane.count), offset)
          } else {
            (buffer.length, buffer.m.offset) = (UInt32(plane.count), offset)
          }
        }
        if isMultiplanar { buffer.length = UInt32(planes.count) }
        return 0
      }
      ?? with(DeviceRequests.queueBuffer) { buffer in
        guard !queued.contains(Int(buffer.index)), memory[Int(buffer.index)] != nil else { return EINVAL }
        queued.append(Int(buffer.index))
        return 0
      }
      ?? with(DeviceRequests.dequeueBuffer) { dequeue(&$0) }
      ?? with(DeviceRequests.startStream) { _ in
        isStreaming = true
        return 0
      }
      ?? with(DeviceRequests.stopStream) { _ in
        (isStreaming, queued) = (false, [])
        return 0
      } ?? ENOTTY
  }

  private func dequeue(_ buffer: inout v4l2_buffer) -> Int32 {
    guard isStreaming else { return EINVAL }
    guard !queued.isEmpty, sent < frames else { return EAGAIN }
    let index = queued.removeFirst()
    let filled = fill(sent, memory[index] ?? [])
    buffer.index = UInt32(index)
    (buffer.sequence, buffer.flags) = (filled.sequence, UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC))
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    buffer.timestamp = timeval(tv_sec: now.tv_sec, tv_usec: now.tv_nsec / 1000)
    for (plane, used) in filled.used.enumerated() {
      if isMultiplanar {
        (buffer.m.planes[plane].bytesused, buffer.m.planes[plane].data_offset) = (UInt32(used), UInt32(dataOffset))
      } else {
        buffer.bytesused = UInt32(used)
      }
    }
    sent += 1
    return 0
  }

  private func control(_ control: v4l2_ext_control) -> Int32 {
    switch Int32(bitPattern: control.id) {
    case V4L2_CID_COLORIMETRY_HDR10_CLL_INFO:
      guard let contentLight else { return EINVAL }
      control.ptr.storeBytes(of: contentLight, as: v4l2_ctrl_hdr10_cll_info.self)
    case V4L2_CID_COLORIMETRY_HDR10_MASTERING_DISPLAY:
      guard let mastering else { return EINVAL }
      control.ptr.storeBytes(of: mastering, as: v4l2_ctrl_hdr10_mastering_display.self)
    default: return EINVAL
    }
    return 0
  }

  private func mode(of format: v4l2_format) -> Mode? {
    let (code, width) =
      isMultiplanar
      ? (format.fmt.pix_mp.pixelformat, format.fmt.pix_mp.width) : (format.fmt.pix.pixelformat, format.fmt.pix.width)
    return modes.first { $0.code.rawValue == code && $0.size.width == width }
      ?? modes.first { $0.code.rawValue == code }
  }

  /// Bytes from row to row, and in all, of each buffer plane of the format that is set.
  private var planes: [(stride: Int, length: Int)] {
    guard let format = CaptureFormat(set.code) else { return [(0, 4096)] }
    let layout = format.layout
    let sizes = (0..<layout.planeCount).map { layout.planeSize($0, of: set.size) }
    let stride = sizes[0].width * layout.bytesPerSample + padding
    func length(_ plane: Int) -> Int {
      (layout.packing == .planar && plane > 0 ? stride / 2 : stride) * sizes[plane].height
    }
    return format.hasSeparatePlanes
      ? sizes.indices.map { (stride, length($0) + dataOffset) }
      : [(stride, sizes.indices.reduce(0) { $0 + length($1) })]
  }

  private var lengths: [Int] { planes.map(\.length) }

  private func describe(_ mode: Mode, _ format: inout v4l2_format) {
    let before = set
    set = mode
    defer { set = before }
    let color = colors[mode.code] ?? color
    if isMultiplanar {
      var pix = v4l2_pix_format_mplane()
      (pix.width, pix.height) = (UInt32(mode.size.width), UInt32(mode.size.height))
      (pix.pixelformat, pix.field) = (mode.code.rawValue, V4L2_FIELD_NONE.rawValue)
      (pix.colorspace, pix.xfer_func) = (color.0, UInt8(color.1))
      (pix.ycbcr_enc, pix.quantization) = (UInt8(color.2), UInt8(color.3))
      pix.num_planes = UInt8(planes.count)
      (pix.plane_fmt.0.bytesperline, pix.plane_fmt.0.sizeimage) = (UInt32(planes[0].stride), UInt32(planes[0].length))
      if planes.count > 1 {
        (pix.plane_fmt.1.bytesperline, pix.plane_fmt.1.sizeimage) = (UInt32(planes[1].stride), UInt32(planes[1].length))
      }
      format.fmt.pix_mp = pix
    } else {
      var pix = v4l2_pix_format()
      (pix.width, pix.height) = (UInt32(mode.size.width), UInt32(mode.size.height))
      (pix.pixelformat, pix.field) = (mode.code.rawValue, V4L2_FIELD_NONE.rawValue)
      (pix.colorspace, pix.xfer_func) = (color.0, color.1)
      (pix.ycbcr_enc, pix.quantization) = (color.2, color.3)
      (pix.bytesperline, pix.sizeimage) = (UInt32(planes[0].stride), UInt32(planes[0].length))
      format.fmt.pix = pix
    }
  }
}
