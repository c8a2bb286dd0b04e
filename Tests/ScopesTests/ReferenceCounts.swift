import ColorScience
import Frames
import Rendering
import Scopes
import ToneMapping

/// What scopes count, in `Double`, one pixel at a time and with no kernel.
struct ReferenceCounts {
  var (luminance, red, green, blue): ([Int], [Int], [Int], [Int])
  var vectors = [Int](repeating: 0, count: 512 * 512)
  var chromaticities = [Int](repeating: 0, count: 512 * 512)
  /// u', v' of all that have them.
  var colors: [SIMD2<Double>] = []

  /// - Parameters:
  ///   - light: Rows of the picture's light as bands hold it.
  ///   - columns: Of waveform and parade.
  init(_ light: [[SIMD3<Float16>]], _ content: ContentInterpretation, _ plane: VectorPlane, columns: Int) {
    let empty = [Int](repeating: 0, count: columns * 1024)
    (luminance, red, green, blue) = (empty, empty, empty, empty)
    for row in light {
      for (x, rgb) in row.enumerated() { add(rgb, content, plane, x * columns / row.count) }
    }
  }

  private mutating func add(
    _ source: SIMD3<Float16>, _ content: ContentInterpretation, _ plane: VectorPlane, _ column: Int
  ) {
    let rgb = Self.shown(source, content)
    // The luminance is a half float in units of 100 cd/m².
    let y = rounded((content.primaries.luminance * rgb).sum() / 100) * 100
    luminance[column * 1024 + level(y)] += 1
    red[column * 1024 + level(rgb.x)] += 1
    green[column * 1024 + level(rgb.y)] += 1
    blue[column * 1024 + level(rgb.z)] += 1
    let vector = Self.vector(rgb, content.primaries, plane)
    vectors[bin(vector.y + 0.5, 512) * 512 + bin(vector.x + 0.5, 512)] += 1
    let xyz = content.primaries.rgbToXYZ * rgb
    let sum = xyz.x + 15 * xyz.y + 3 * xyz.z
    guard xyz.y >= 0.1, sum < .infinity else { return }
    let color = SIMD2(4 * xyz.x, 9 * xyz.y) / sum
    chromaticities[bin(color.y, 800) * 512 + bin(color.x, 800)] += 1
    // As they are added up: limited to what their integers hold.
    colors.append(SIMD2(min(max(color.x, 0), 65535.0 / 65536), min(max(color.y, 0), 65535.0 / 65536)))
  }

  /// In cd/m², of half floats in units of 100 cd/m².
  private static func shown(_ source: SIMD3<Float16>, _ content: ContentInterpretation) -> SIMD3<Double> {
    let rgb = SIMD3(Double(source.x), Double(source.y), Double(source.z))
    guard content.metadata?.kind == .hlg else { return rgb * 100 }
    let shown = HLG.ootf(rgb, peak: 1000, gamma: 1.2) / 100
    return SIMD3(rounded(shown.x), rounded(shown.y), rounded(shown.z)) * 100
  }

  private static func vector(_ rgb: SIMD3<Double>, _ primaries: RGBSpace, _ plane: VectorPlane) -> SIMD2<Double> {
    switch plane {
    case .ictcp:
      let bt2020 = RGBSpace.conversion(from: primaries, to: .bt2020) * rgb
      let rows = [SIMD3(1688.0, 2146, 262), SIMD3(683, 2951, 462), SIMD3(99, 309, 3688)]
      let s = rows.map { PQ.inverseEOTF(rounded(($0 / 4096 * bt2020).sum() / 100) * 100) }
      let (l, m, s3) = (s[0] - s[1], 0.0, s[2] - s[1])
      return SIMD2(6610 * l - 13613 * m + 7003 * s3, 17933 * l - 17390 * m - 543 * s3) / 4096
    case .ycbcr:
      let s = SIMD3(PQ.inverseEOTF(rgb.x), PQ.inverseEOTF(rgb.y), PQ.inverseEOTF(rgb.z))
      let matrix = primaries == .bt2020 ? YCbCrMatrix.bt2020 : .bt709
      // Less than green: grey is exactly zero.
      let ycbcr = matrix.ycbcr(fromRGB: s - SIMD3(repeating: s.y))
      return SIMD2(ycbcr.y, ycbcr.z)
    }
  }

  private func level(_ nits: Double) -> Int { Int(PQ.inverseEOTF(nits) * 1023 + 0.5) }

  /// What is not a number is in the first.
  private func bin(_ value: Double, _ scale: Double) -> Int {
    let scaled = (value * scale).rounded(.down)
    return scaled > 0 ? Int(min(scaled, 511)) : 0
  }
}

private func rounded(_ value: Double) -> Double { Double(Float16(value)) }

/// How many pixels two counts have in different bins.
func difference<Count: BinaryInteger>(_ counts: [Count], _ expected: [Int]) -> Int {
  guard counts.count == expected.count else { return .max }
  return zip(counts, expected).reduce(0) { $0 + abs(Int($1.0) - $1.1) } / 2
}
