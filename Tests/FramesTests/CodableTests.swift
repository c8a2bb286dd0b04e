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
    try expectSame(FrameTime(presentation: 1 << 60, duration: 1, timeBase: Rational(1001, 30_000)))
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

  /// Files may state any number: those that arithmetic on pictures does not expect are refused.
  @Test func impossibleNumbersAreRefused() {
    func isRefused<Value: Decodable>(_ type: Value.Type, _ json: String) -> Bool {
      (try? JSONDecoder().decode(type, from: Data(json.utf8))) == nil
    }
    for number in [Int.min, -1, 1 << 21, .max] {
      #expect(isRefused(Size.self, "{\"width\":\(number),\"height\":1}"), "\(number)")
    }
    for number in [Int.min, 1 << 21, .max] {
      #expect(isRefused(PictureArea.self, "{\"x\":\(number),\"y\":0,\"width\":1,\"height\":1}"), "\(number)")
      #expect(number == 1 << 21 || isRefused(Rational.self, "{\"numerator\":1,\"denominator\":\(number)}"), "\(number)")
    }
    func layout(_ depth: Int, _ packing: String = "planar", _ samples: String = "integer") -> String {
      "{\"components\":\"ycbcr420\",\"bitDepth\":\(depth),\"packing\":\"\(packing)\",\"samples\":\"\(samples)\"}"
    }
    #expect(!isRefused(PixelLayout.self, layout(10)))
    for depth in [Int.min, -1, 0, 1, 7, 17, .max] { #expect(isRefused(PixelLayout.self, layout(depth)), "\(depth)") }
    #expect(isRefused(PixelLayout.self, layout(8, "yuyv")) && isRefused(PixelLayout.self, layout(16, "planar", "half")))
  }
}
