import ColorScience
import Foundation
import Testing

import Frames

/// What plans carry of frames is the same when it is read back.
@Suite struct CodableTests {
  private func expectSame<Value: Codable & Equatable>(_ value: Value) throws {
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(Value.self, from: data) == value)
  }

  @Test func formats() throws {
    for components in PixelLayout.Components.allCases {
      for depth in [8, 10, 16] {
        let layout = PixelLayout(components, bitDepth: depth)
        try expectSame(PixelFormat(size: Size(width: 7, height: 5), layout: layout, color: .bt2100HLG))
      }
    }
    try expectSame(PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar))
    try expectSame(PixelLayout.linearRGB)
    try expectSame(FrameTime(presentation: .max, duration: 1, timeBase: Rational(1001, 30_000)))
    try expectSame(Orientation.clockwise)
    for order in FieldOrder.allCases { try expectSame(order) }
  }

  @Test func metadata() throws {
    let point = MasteringDisplay.Chromaticity(x: 1, y: 65_535)
    let display = MasteringDisplay(
      red: point, green: point, blue: point, white: point, maxLuminance: .max, minLuminance: 1)
    try expectSame(HDRMetadata())
    try expectSame(
      HDRMetadata(masteringDisplay: display, contentLight: ContentLight(maxCLL: 10_000, maxFALL: 1), linearUnit: 0.1))
  }

  /// Values of H.273 are its numbers.
  @Test func codePoints() throws {
    let data = try JSONEncoder().encode(ColorDescription.bt2100PQ)
    let values = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Int])
    #expect(values == ["primaries": 9, "transfer": 16, "matrix": 9, "range": 0, "chromaLocation": 2])
  }
}
