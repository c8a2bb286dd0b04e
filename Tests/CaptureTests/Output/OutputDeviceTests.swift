import CV4L2
import ColorScience
import Foundation
import Frames
import Media
import Testing

import Capture

/// Frames to a device for output: their bytes, what the device is told of them, and its faults.
@Suite struct OutputDeviceTests {
  private static let size = Size(width: 62, height: 34)

  private static func device(_ script: ScriptedOutput, isMapped: Bool = false) throws -> OutputDevice {
    try OutputDevice(script, path: "/dev/video9", isMapped: isMapped)
  }

  /// A frame of random samples.
  static func frame(_ layout: PixelLayout, _ size: Size = size) -> CodedFrame {
    let frame = CodedFrame(size: size, layout: layout, color: .bt709)
    for plane in 0..<layout.planeCount {
      let extent = layout.planeSize(plane, of: size)
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          frame.setSample(.random(in: 0..<1 << layout.bitDepth), plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }

  /// The bytes of a frame, row for row as the kernel's documentation draws them, with zeros behind each row.
  /// Source: Linux, Documentation/userspace-api/media/v4l/pixfmt-yuv-planar.rst, pixfmt-packed-yuv.rst.
  private static func bytes(_ frame: CodedFrame, as code: String, padding: Int) -> [UInt8] {
    func sample(_ plane: Int, _ x: Int, _ y: Int) -> Int { frame.sample(plane: plane, x: x, y: y) }
    let (columns, rows) = (frame.size.width, frame.size.height)
    let chroma = frame.layout.planeSize(1, of: frame.size)
    let zeros = [UInt8](repeating: 0, count: padding)
    var bytes: [UInt8] = []
    switch code {
    case "YUYV":
      for y in 0..<rows {
        for x in 0..<chroma.width {
          bytes += [sample(0, 2 * x, y), sample(1, x, y), sample(0, 2 * x + 1, y), sample(2, x, y)].map { UInt8($0) }
        }
        bytes += zeros
      }
    case "NV12", "P010":
      func append(_ value: Int) {
        bytes += code == "NV12" ? [UInt8(value)] : [UInt8(value << 6 & 255), UInt8(value >> 2)]
      }
      for y in 0..<rows {
        for x in 0..<columns { append(sample(0, x, y)) }
        bytes += zeros
      }
      for y in 0..<chroma.height {
        for x in 0..<chroma.width {
          append(sample(1, x, y))
          append(sample(2, x, y))
        }
        bytes += zeros
      }
    default:
      for plane in 0..<3 {
        let extent = frame.layout.planeSize(plane, of: frame.size)
        for y in 0..<extent.height {
          bytes +=
            (0..<extent.width).map { UInt8(sample(plane, $0, y)) } + zeros.prefix(plane == 0 ? padding : padding / 2)
        }
      }
    }
    return bytes
  }

  @Test(arguments: ["YU12", "422P", "NV12", "YUYV", "P010"], [false, true])
  func everyFormat(_ code: String, isMapped: Bool) throws {
    for padding in [0, 32] {
      let script = ScriptedOutput()
      (script.formats, script.padding) = ([FourCC(rawValue: ScriptedOutput.code(code))], padding)
      // A frame takes several writes.
      script.mostWritten = 1000
      let device = try Self.device(script, isMapped: isMapped)
      #expect(device.layout == nil)
      let layout = try device.setUp(size: Self.size, rate: Rational(30_000, 1001), color: .bt709)
      #expect(layout == device.layout && layout.packing == .planar && layout.bitDepth == (code == "P010" ? 10 : 8))
      #expect(script.interval.numerator == 1001 && script.interval.denominator == 30_000)
      let frames = (0..<9).map { _ in Self.frame(layout) }
      for frame in frames { try device.write(frame) }
      #expect(script.isStreaming == isMapped && script.mapped == (isMapped ? 4 : 0))
      device.finish()
      #expect(script.mapped == 0 && !script.isStreaming && script.frames.count == 9)
      for (frame, written) in zip(frames, script.frames) {
        #expect(written == Self.bytes(frame, as: code, padding: padding), "\(code), padding \(padding)")
      }
    }
  }

  @Test func choice() throws {
    let script = ScriptedOutput()
    func layout(_ offered: [String], tenBit: Bool = false) throws -> PixelLayout {
      script.formats = offered.map { FourCC(rawValue: ScriptedOutput.code($0)) }
      return try Self.device(script).setUp(
        size: Self.size, rate: nil, color: .bt709, isTenBitPreferred: tenBit)
    }
    #expect(try layout(["P010", "YUYV", "422P", "YU12"]) == PixelLayout(.ycbcr420, bitDepth: 8))
    #expect(try layout(["P010", "YUYV", "422P"]) == PixelLayout(.ycbcr422, bitDepth: 8))
    #expect(try layout(["P010", "YUYV"]) == PixelLayout(.ycbcr422, bitDepth: 8))
    #expect(try layout(["P010"]) == PixelLayout(.ycbcr420, bitDepth: 10))
    #expect(try layout(["YU12", "P010"], tenBit: true) == PixelLayout(.ycbcr420, bitDepth: 10))
    #expect(try layout(["YU12"], tenBit: true) == PixelLayout(.ycbcr420, bitDepth: 8))
    #expect(throws: CaptureError.hasNoOutputFormat(path: "/dev/video9", offered: [FourCC("MJPG")])) {
      try layout(["MJPG"])
    }
    // One that is offered and refused is passed over.
    script.change = { pix in if pix.pixelformat == ScriptedOutput.code("YU12") { pix.width += 2 } }
    #expect(try layout(["YU12", "NV12"]) == PixelLayout(.ycbcr420, bitDepth: 8))
    #expect(script.pix.pixelformat == ScriptedOutput.code("NV12"))
    #expect(throws: CaptureError.self) { try layout(["YU12"]) }
  }

  /// What readers are told is read back as what it was, where V4L2 has words for it.
  @Test(
    arguments: [
      (ColorDescription.bt709, (3, 1, 2, 2)), (.bt2100PQ, (10, 7, 6, 2)), (.bt2100HLG, (10, 0, 6, 2)),
      (ColorDescription(primaries: .bt709, transfer: .sRGB, matrix: .smpte170M, range: .full), (3, 2, 1, 1)),
      (ColorDescription(primaries: .dciP3, transfer: .smpteST428, matrix: .bt709), (12, 6, 2, 2)),
      (ColorDescription(primaries: .bt2020, transfer: .bt2020TenBit, matrix: .bt2020CL), (10, 1, 7, 2)),
      (ColorDescription(primaries: .displayP3, transfer: .unspecified, matrix: .unspecified), (0, 0, 0, 2)),
    ] as [(ColorDescription, (UInt32, UInt32, UInt32, UInt32))])
  func colorimetry(_ color: ColorDescription, _ told: (UInt32, UInt32, UInt32, UInt32)) throws {
    let script = ScriptedOutput()
    try Self.device(script).setUp(size: Self.size, rate: nil, color: color)
    let pix = script.pix
    #expect((pix.colorspace, pix.xfer_func, pix.ycbcr_enc, pix.quantization) == told)
    #expect(pix.priv == 0xFEED_CAFE)
  }

  @Test func whatIsNoOutputDevice() throws {
    for path in ["/dev/null", "/nowhere"] { #expect(throws: CaptureError.self) { try OutputDevice(path) } }
    let script = ScriptedOutput()
    script.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
    #expect(throws: CaptureError.isNoOutputDevice(path: "/dev/video9", name: "")) { try Self.device(script) }
    script.capabilities = UInt32(V4L2_CAP_VIDEO_OUTPUT)
    #expect(throws: CaptureError.isNoOutputDevice(path: "/dev/video9", name: "")) { try Self.device(script) }
  }

  /// Frames of another size or layout are refused; so are all before it is set up, and after it has finished.
  @Test func whatDoesNotFit() throws {
    let script = ScriptedOutput()
    let device = try Self.device(script)
    let planar = PixelLayout(.ycbcr420, bitDepth: 8)
    #expect(throws: CaptureError.takesNothing(path: "/dev/video9")) { try device.write(Self.frame(planar)) }
    try device.setUp(size: Self.size, rate: nil, color: .bt709)
    for frame in [Self.frame(planar, Size(width: 64, height: 34)), Self.frame(PixelLayout(.ycbcr422, bitDepth: 8))] {
      let error = #expect(throws: CaptureError.self) { try device.write(frame) }
      if case .doesNotFit = error {} else { Issue.record("\(String(describing: error))") }
    }
    try device.write(Self.frame(planar))
    device.finish()
    #expect(throws: CaptureError.takesNothing(path: "/dev/video9")) { try device.write(Self.frame(planar)) }
    #expect(script.frames.count == 1)
  }

  /// A device that takes nothing holds up nobody for ever; `interrupt()` ends the wait at once.
  @Test(arguments: [false, true], [false, true])
  func deviceThatTakesNothing(isMapped: Bool, isAlwaysReady: Bool) throws {
    let script = ScriptedOutput()
    (script.isStuck, script.mostWritten, script.isAlwaysReady) = (true, 0, isAlwaysReady)
    let device = try Self.device(script, isMapped: isMapped)
    let frame = Self.frame(try device.setUp(size: Self.size, rate: nil, color: .bt709))
    if isMapped { for _ in 0..<4 { try device.write(frame) } }
    #expect(throws: CaptureError.takesNothing(path: "/dev/video9")) { try device.write(frame) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { device.interrupt() }
    try device.write(frame)
    let start = ContinuousClock.now
    for _ in 0..<100 { try device.write(frame) }
    device.finish()
    #expect(ContinuousClock.now - start < .seconds(60) && script.mapped == 0)
  }

  /// A device that takes no write takes mapped buffers.
  @Test func refusedWrites() throws {
    let script = ScriptedOutput()
    script.writeFault = EINVAL
    let device = try Self.device(script)
    let layout = try device.setUp(size: Self.size, rate: nil, color: .bt709)
    for _ in 0..<9 { try device.write(Self.frame(layout)) }
    #expect(script.frames.count == 9 && script.isStreaming)
    device.finish()
    #expect(script.mapped == 0)
    script.capabilities = UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_READWRITE)
    let other = try Self.device(script)
    try other.setUp(size: Self.size, rate: nil, color: .bt709)
    #expect(throws: CaptureError.requestFailed(path: "/dev/video9", request: "write", code: EINVAL)) {
      try other.write(Self.frame(layout))
    }
  }

  /// Whatever a driver answers: an error in words, and nothing stays mapped.
  @Test func faults() throws {
    let requests: [UInt] = [
      DeviceRequests.queryCapabilities.code, DeviceRequests.enumerateFormats.code, DeviceRequests.setFormat.code,
      DeviceRequests.requestBuffers.code, DeviceRequests.queryBuffer.code, DeviceRequests.queueBuffer.code,
      DeviceRequests.dequeueBuffer.code, DeviceRequests.startStream.code, 0,
    ]
    for request in requests {
      for code in [EINVAL, EIO, ENODEV, EBUSY, ENOMEM, 9999] {
        let script = ScriptedOutput()
        script.faults = [request: code]
        if request == 0 { script.writeFault = code == EINVAL ? EPERM : code }
        let error = #expect(throws: CaptureError.self) {
          let device = try Self.device(script, isMapped: request != 0)
          let frame = Self.frame(try device.setUp(size: Self.size, rate: nil, color: .bt709))
          for _ in 0..<9 { try device.write(frame) }
        }
        if code == ENODEV, request > DeviceRequests.setFormat.code || request == 0 {
          #expect(error == .isGone(path: "/dev/video9"))
        }
        #expect(error.map { "\($0)".hasSuffix(".") } == true && script.mapped == 0)
      }
    }
  }

  @Test func absurdNumbers() throws {
    let numbers: [UInt32] = [0, 1, 63, 65, 124, 4096, 1 << 20, 1 << 30, .max - 1, .max]
    for stride in numbers {
      for length in numbers {
        for isMapped in [false, true] {
          let script = ScriptedOutput()
          script.change = { ($0.bytesperline, $0.sizeimage) = (stride, length) }
          do {
            let device = try Self.device(script, isMapped: isMapped)
            let frame = Self.frame(try device.setUp(size: Self.size, rate: nil, color: .bt709))
            try device.write(frame)
          } catch let error as CaptureError {
            guard case .isInconsistent = error else {
              Issue.record("\(error)")
              continue
            }
          }
          #expect(script.mapped == 0)
        }
      }
    }
  }
}
