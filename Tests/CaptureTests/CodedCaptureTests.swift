import CV4L2
import ColorScience
import Foundation
import Frames
import Media
import Synchronization
import Testing

import Capture

/// Streams that a device delivers coded.
@Suite struct CodedCaptureTests {
  typealias Receiver = CaptureSourceTests.Receiver
  typealias Log = CaptureSignalTests.Log

  /// Makes a frame of each buffer, whose first sample is the first byte; it may hold some back, and fail.
  final class Decoder: CaptureDecoder {
    struct Failure: Error, CustomStringConvertible {
      var description: String { "The stream is broken." }
    }

    static let stated = ColorDescription(
      primaries: .bt2020, transfer: .unspecified, matrix: .unspecified, range: .full, chromaLocation: .center)
    let sizes = Mutex<[Int]>([])
    /// When it was called.
    let instants = Mutex<[ContinuousClock.Instant]>([])
    private let held = Mutex<[CodedFrame]>([])
    private let delay: Int
    private let failsAfter: Int

    init(delay: Int = 0, failsAfter: Int = .max) { (self.delay, self.failsAfter) = (delay, failsAfter) }

    func decode(_ data: RawSpan, at time: FrameTime) throws -> [CodedFrame] {
      instants.withLock { $0.append(.now) }
      let count = sizes.withLock {
        $0.append(data.byteCount)
        return $0.count
      }
      if count > failsAfter { throw Failure() }
      let frame = CodedFrame(
        size: Size(width: 32, height: 16), layout: PixelLayout(.ycbcr420, bitDepth: 8), color: Self.stated, time: time)
      frame.setSample(Int(data.unsafeLoad(as: UInt8.self)), plane: 0, x: 0, y: 0)
      return held.withLock {
        $0.append(frame)
        return $0.count > delay ? [$0.removeFirst()] : []
      }
    }
  }

  private static func script(_ code: StaticString = "MJPG") -> ScriptedDevice {
    let script = ScriptedDevice()
    script.modes = [.init(code: FourCC(code))]
    script.fill = { n, planes in
      planes[0].storeBytes(of: UInt8(truncatingIfNeeded: n), as: UInt8.self)
      return ([100 + n % 7], UInt32(n))
    }
    return script
  }

  private static func source(
    _ script: ScriptedDevice, _ log: Log = Log(), decoder: CaptureSource.Decoders?
  ) throws -> CaptureSource {
    let device = try CaptureDevice(script, path: "/dev/video9")
    return try CaptureSource(
      device, device.setUp(device.choose().mode), framesInFlight: 4, decoder: decoder, onEvent: log.add)
  }

  /// Each frame comes with its own time, and with the driver's colours where the stream has none; the device loses no buffer to it.
  @Test(arguments: ["MJPG", "JPEG", "H264", "HEVC"] as [StaticString], [false, true])
  func framesAreDecoded(_ code: StaticString, _ multiplanar: Bool) throws {
    let script = Self.script(code)
    if multiplanar { script.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING) }
    script.contentLight = v4l2_ctrl_hdr10_cll_info(max_content_light_level: 900, max_pic_average_light_level: 300)
    (script.interval, script.frames) = (1, 30)
    let decoder = Decoder(delay: 2)
    let coding = Mutex<CaptureFormat.Coding?>(nil)
    let source = try Self.source(script) { asked in
      coding.withLock { $0 = asked }
      return decoder
    }
    let receiver = Receiver()
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 28)
    source.stop()
    let heard = receiver.heard.withLock { $0 }
    #expect(heard.frames.map { $0.sample(plane: 0, x: 0, y: 0) } == Array(0..<28) && heard.lost.allSatisfy { $0 == 0 })
    #expect(coding.withLock { $0 } == CaptureFormat(FourCC(code))?.coding)
    #expect(decoder.sizes.withLock { $0.prefix(8) } == [100, 101, 102, 103, 104, 105, 106, 100])
    for (earlier, later) in zip(heard.frames, heard.frames.dropFirst()) {
      #expect(later.time.seconds > earlier.time.seconds)
    }
    // The instant is that of the buffer that the frame was in, not of the one that completed it.
    for (arrival, decoded) in zip(heard.arrivals, decoder.instants.withLock { $0 }) { #expect(arrival <= decoded) }
    let color = ColorDescription(
      primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, range: .full, chromaLocation: .center)
    #expect(heard.frames[0].color == color && heard.frames[0].metadata.contentLight?.maxCLL == 900)
    #expect(script.mapped == 0 && script.misqueued == 0)
  }

  @Test func withoutADecoderItIsRefused() throws {
    let error = #expect(throws: CaptureError.self) { try Self.source(Self.script(), decoder: nil) }
    #expect(error == .hasNoDecoder(path: "/dev/video9", format: FourCC("MJPG")))
    #expect(error?.description == "'/dev/video9' delivers MJPG, and there is no decoder for it.")
    let script = Self.script()
    let other = #expect(throws: CaptureError.self) { try Self.source(script) { _ in throw Decoder.Failure() } }
    #expect(other?.description == "The stream of '/dev/video9' cannot be decoded: The stream is broken.")
    #expect(script.mapped == 0)
  }

  /// A decoder that fails is replaced, unless all do.
  @Test(arguments: [5, 0]) func decodersThatFail(_ failsAfter: Int) throws {
    let (log, receiver, script) = (Log(), Receiver(keeps: 2), Self.script())
    let source = try Self.source(script, log) { _ in Decoder(failsAfter: failsAfter) }
    try source.start(delivering: receiver)
    if failsAfter > 0 {
      CaptureSourceTests.wait(receiver, for: 30)
      #expect(log.texts.contains("restarted 0") && receiver.heard.withLock { $0.lost.prefix(12) }.contains(1))
    } else {
      #expect(receiver.waitForEnd())
      let expected = CaptureError.cannotDecode(path: "/dev/video9", reason: "The stream is broken.")
      #expect(receiver.heard.withLock { $0.error } as? CaptureError == expected)
    }
    source.stop()
    #expect(script.mapped == 0 && script.misqueued == 0)
  }

  /// Buffers without contents, or with more than they hold, are frames that were lost.
  @Test func emptyBuffers() throws {
    let script = Self.script()
    script.fill = { n, _ in ([n == 2 ? 0 : n == 3 ? 4097 : 4096], UInt32(n)) }
    let decoder = Decoder()
    let source = try Self.source(script) { _ in decoder }
    let receiver = Receiver(keeps: 1)
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 10)
    source.stop()
    #expect(receiver.heard.withLock { $0.lost.prefix(5) } == [0, 0, 2, 0, 0])
  }

  /// A decoder that is slower than the device: what the device drops meanwhile is counted, and nothing grows.
  @Test func dropsAreCounted() throws {
    let script = Self.script()
    script.fill = { n, planes in (planes.map(\.count), UInt32(3 * n)) }
    let source = try Self.source(script) { _ in Decoder() }
    let receiver = Receiver(keeps: 1)
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 10)
    source.stop()
    #expect(receiver.heard.withLock { $0.lost.prefix(4) } == [0, 2, 2, 2] && script.memory.count <= 4)
  }
}
