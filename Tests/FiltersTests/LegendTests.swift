import ColorScience
import Frames
import Rendering
import Testing

import Filters

@Suite struct LegendTests {
  private func frame(_ size: Size, afterLegendsOf text: String) throws -> CodedFrame {
    let format = PixelFormat(size: size, layout: PixelLayout(.ycbcr420, bitDepth: 8), color: .bt709)
    let frame = CodedFrame(size: size, layout: format.layout, color: format.color)
    let session = try FilterSession(
      [try Filter(text)], .of(.bt2100PQ, size, isMapped: true),
      target: FrameRenderer.Endpoint(format: format, transfer: .bt1886(peak: 1)), coding: [], pool: WorkerPool(count: 1)
    )
    try session.finish(frame)
    return frame
  }

  private func isBlank(_ frame: CodedFrame) -> Bool {
    (0..<frame.size.height).allSatisfy { y in
      (0..<frame.size.width).allSatisfy { frame.sample(plane: 0, x: $0, y: y) == 0 }
    }
  }

  /// Each size of letters was drawn before it was seen not to fit: minutes for a picture that is a high column.
  @Test(arguments: ["false-color", "clip-warning"])
  func noLegendInAColumn(_ text: String) throws {
    #expect(isBlank(try frame(Size(width: 16, height: 65_534), afterLegendsOf: text)))
  }

  @Test func aLegendWhereItFits() throws {
    #expect(!isBlank(try frame(Size(width: 640, height: 360), afterLegendsOf: "false-color")))
  }
}
