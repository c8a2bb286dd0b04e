import ColorScience
import Frames

/// Frames of linear light whose samples are any half floats that are numbers.
enum HalfFrames {
  /// Negative, subnormal, zero of both signs, smallest and largest, in an order that looks like noise.
  static func anyBits(
    _ size: Size, primaries: ColorPrimaries = .bt2020, linearUnit: Double? = 1, seed: UInt64 = 1
  ) -> CodedFrame {
    var state = seed
    return frame(size, primaries: primaries, linearUnit: linearUnit) { _, _, _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let bits = UInt16(truncatingIfNeeded: state >> 40)
      return bits & 0x7C00 == 0x7C00 ? bits & 0x83FF : bits
    }
  }

  /// A picture as cameras make them: slopes with a little noise, from -0.1 to 50.
  static func slopes(_ size: Size, linearUnit: Double? = 100) -> CodedFrame {
    var state: UInt32 = 1
    return frame(size, primaries: .bt2020, linearUnit: linearUnit) { plane, x, y in
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = Double(state >> 16) / 65_536 * 0.02
      let slope = Double(x * (plane + 1) + y) / Double(3 * size.width + size.height)
      return Float16(-0.1 + 50 * slope * slope * slope + noise).bitPattern
    }
  }

  static func frame(
    _ size: Size, primaries: ColorPrimaries, linearUnit: Double?, _ bits: (Int, Int, Int) -> UInt16
  ) -> CodedFrame {
    let color = ColorDescription(primaries: primaries, transfer: .linear, matrix: .rgb, range: .full)
    let frame = CodedFrame(
      size: size, layout: .linearRGB, color: color, metadata: HDRMetadata(linearUnit: linearUnit))
    for plane in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width { frame.setSample(Int(bits(plane, x, y)), plane: plane, x: x, y: y) }
      }
    }
    return frame
  }
}

extension CodedFrame {
  /// The stored samples of a plane, row by row.
  func samples(_ plane: Int) -> [Int] {
    let extent = layout.planeSize(plane, of: size)
    return (0..<extent.height).flatMap { y in (0..<extent.width).map { sample(plane: plane, x: $0, y: y) } }
  }

  /// The light of a plane of half floats, row by row.
  func light(_ plane: Int) -> [Double] { samples(plane).map { Double(Float16(bitPattern: UInt16($0))) } }
}

/// The first place where two sequences differ and what is there, "end" where one ends before; nil where they are equal.
///
/// The testing library would look for the smallest change between long ones, which takes minutes.
func difference<Element: Equatable>(_ found: some Sequence<Element>, _ expected: some Sequence<Element>) -> String? {
  var (left, right) = (found.makeIterator(), expected.makeIterator())
  var place = 0
  while true {
    let (a, b) = (left.next(), right.next())
    guard a == b else {
      return "\(place): \(a.map { "\($0)" } ?? "end") for \(b.map { "\($0)" } ?? "end")"
    }
    if a == nil { return nil }
    place += 1
  }
}
