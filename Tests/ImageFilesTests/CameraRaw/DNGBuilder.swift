import Foundation

/// DNG files of 16 bits without compression.
///
/// Source: DNG 1.6 (2021), chapter 4.
struct DNGBuilder {
  var width = 48
  var height = 32
  /// Colours of the filters by rows: 0 is red, 1 green, 2 blue; empty: pixels have all three.
  var filters = [0, 1, 1, 2]
  var black = 512
  var white = 16_383
  var orientation = 1
  /// Further fields, or others.
  var fields: [Int: TIFFStructure.Field] = [:]
  var isBigEndian = false
  /// The sample of a colour at (x, y).
  var sample: (_ color: Int, _ x: Int, _ y: Int) -> Int = { _, _, _ in 0 }

  /// D65 in this camera has components of about 0.48, 1 and 0.62.
  static let matrix: [Double] = [0.65, -0.15, -0.05, -0.4, 1.2, 0.2, -0.1, 0.2, 0.5]

  static func rationals(_ values: [Double]) -> TIFFStructure.Field {
    .signedRationals(values.map { (Int(($0 * 10_000).rounded()), 10_000) })
  }

  private var side: Int { Int(Double(filters.count).squareRoot()) }

  private var samples: [UInt8] {
    (0..<height).flatMap { y in
      (0..<width).flatMap { x -> [UInt8] in
        let colors = filters.isEmpty ? [0, 1, 2] : [filters[y % side * side + x % side]]
        return colors.flatMap { color -> [UInt8] in
          let value = sample(color, x, y)
          return isBigEndian
            ? [UInt8(value >> 8), UInt8(value & 255)] : [UInt8(value & 255), UInt8(value >> 8)]
        }
      }
    }
  }

  var bytes: [UInt8] {
    let perPixel = filters.isEmpty ? 3 : 1
    var all: [Int: TIFFStructure.Field] = [
      254: .longs([0]), 256: .longs([width]), 257: .longs([height]),
      258: .shorts(Array(repeating: 16, count: perPixel)), 259: .shorts([1]),
      262: .shorts([filters.isEmpty ? 34_892 : 32_803]), 271: .text("Maker"), 272: .text("Model 1"),
      274: .shorts([orientation]), 277: .shorts([perPixel]), 278: .longs([height]),
      279: .longs([2 * perPixel * width * height]), 273: .data(samples), 284: .shorts([1]),
      // DNGVersion, UniqueCameraModel, BlackLevel, WhiteLevel, ColorMatrix1, CalibrationIlluminant1: D65.
      50_706: .bytes([1, 4, 0, 0]), 50_708: .text("Maker Model 1"),
      50_717: .longs(Array(repeating: white, count: perPixel)),
      50_714: .longs(Array(repeating: black, count: perPixel)),
      50_721: Self.rationals(Self.matrix), 50_778: .shorts([21]),
    ]
    if !filters.isEmpty {
      all[33_421] = .shorts([side, side])
      all[33_422] = .bytes(filters.map { UInt8($0) })
    }
    return TIFFStructure(all.merging(fields) { $1 }, isBigEndian: isBigEndian).bytes
  }

  /// Writes it under a name that says nothing.
  func write(to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
}

extension DNGBuilder {
  /// The same samples as a camera's own file without compression: a thumbnail, and the mosaic in a directory below.
  ///
  /// Source: TIFF/EP (ISO 12234-2:2001), 4; Nikon's NEF.
  func ownFormat(maker: String, model: String) -> [UInt8] {
    let mosaic = TIFFStructure([
      254: .longs([0]), 256: .longs([width]), 257: .longs([height]), 258: .shorts([16]), 259: .shorts([1]),
      262: .shorts([32_803]), 273: .data(samples), 277: .shorts([1]), 278: .longs([height]),
      279: .longs([2 * width * height]), 284: .shorts([1]), 33_421: .shorts([2, 2]),
      33_422: .bytes(filters.map { UInt8($0) }),
    ])
    let first: [Int: TIFFStructure.Field] = [
      254: .longs([1]), 256: .longs([8]), 257: .longs([8]), 258: .shorts([8, 8, 8]), 259: .shorts([1]),
      262: .shorts([2]), 271: .text(maker), 272: .text(model), 274: .shorts([orientation]), 277: .shorts([3]),
      278: .longs([8]), 330: .directory(mosaic),
    ]
    return TIFFStructure(first.merging(fields) { $1 }, isBigEndian: isBigEndian).bytes
  }
}
