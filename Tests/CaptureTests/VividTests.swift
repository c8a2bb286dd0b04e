import ColorScience
import Foundation
import Frames
import Synchronization
import Testing

import Capture

/// Devices of the kernel's own test driver, vivid, in the virtual machine of tools/check-capture.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["HEADROOM_CAPTURE_VM"] != nil))
struct VividTests {
  private static let devices = CaptureDevice.paths().compactMap { try? CaptureDevice($0) }.filter {
    $0.name == "vivid" && $0.bus != VividOutputTests.bus
  }

  @Test func bothKindsAreThere() throws {
    #expect(Self.devices.count == 2)
  }

  /// 75 % bars of every format that it has and we read, at 640x360, by the colours that the driver states.
  @Test func barsOfEveryFormat() throws {
    var seen: Set<FourCC> = []
    for device in Self.devices {
      let size = Size(width: 640, height: 360)
      for code in device.formats {
        guard CaptureFormat(code) != nil else { continue }
        var request = ModeChoice.Request()
        (request.format, request.size) = (code, size)
        let setup = try device.setUp(device.choose(request).mode)
        let source = try CaptureSource(device, setup, framesInFlight: 4)
        let receiver = CaptureSourceTests.Receiver(keeps: 3)
        try source.start(delivering: receiver)
        CaptureSourceTests.wait(receiver, for: 5)
        source.stop()
        let frames = receiver.heard.withLock { heard in
          defer { heard.frames = [] }
          return heard.frames
        }
        try #require(frames.count == 3, "\(code.text)")
        for (earlier, later) in zip(frames, frames.dropFirst()) { #expect(later.time.seconds > earlier.time.seconds) }
        Self.expectBars(frames[2], code)
        seen.insert(code)
      }
    }
    print("vivid: \(seen.map(\.text).sorted().joined(separator: ", "))")
    #expect(
      seen.isSuperset(of: ["NV12", "NV16", "YUYV", "UYVY", "RGB3", "BGR3", "XR24", "NM12", "NM16"].map { FourCC($0) }))
  }

  /// White, yellow, cyan, green, magenta, red, blue, black. Source: Linux, drivers/media/common/v4l2-tpg, TPG_PAT_75_COLORBAR.
  private static let bars: [SIMD3<Double>] = [7, 6, 3, 2, 5, 4, 1, 0].map { (bits: Int) -> SIMD3<Double> in
    func level(_ bit: Int) -> Double { bits & bit != 0 ? 191 : 0 }
    return SIMD3(level(4), level(2), level(1))
  }

  private static func expectBars(_ frame: CodedFrame, _ code: FourCC) {
    let layout = frame.layout
    let scale = SampleScale(bitDepth: layout.bitDepth, range: frame.color.range)
    for (index, bar) in bars.enumerated() {
      let (x, y) = (frame.size.width * (2 * index + 1) / 16 & ~1, frame.size.height - 20)
      let codes = (0..<3).map { component in
        let place = layout.place(of: component)
        let isChroma = component > 0 && layout.components != .rgb
        let (column, row) = isChroma ? (x >> layout.chromaShiftX, y >> layout.chromaShiftY) : (x, y)
        return frame.sample(plane: place.plane, x: place.first + column * place.step, y: row) >> layout.sampleShift
      }
      let rgb: SIMD3<Double>
      if layout.components == .rgb {
        rgb =
          SIMD3(scale.luma(fromCode: codes[2]), scale.luma(fromCode: codes[0]), scale.luma(fromCode: codes[1])) * 255
      } else {
        let signal = SIMD3(
          scale.luma(fromCode: codes[0]), scale.chroma(fromCode: codes[1]), scale.chroma(fromCode: codes[2]))
        rgb = YCbCrMatrix(frame.color.matrix)!.rgb(fromYCbCr: signal) * 255
      }
      let difference = rgb - bar
      #expect(
        max(difference.max(), -difference.min()) < 3, "\(code.text), bar \(index): \(rgb) for \(bar), \(frame.color)")
    }
  }
}
