import ColorScience
import Frames
import TestSupport
import Testing

import Rendering

@Suite struct LinearScalerTests {
  /// Factors from 1/20 to 8 in both directions, and sizes that fill no vector.
  static let sizes = [
    (Size(width: 1, height: 1), Size(width: 1, height: 1)), (Size(width: 1, height: 1), Size(width: 67, height: 8)),
    (Size(width: 67, height: 41), Size(width: 1, height: 1)), (Size(width: 2, height: 3), Size(width: 16, height: 24)),
    (Size(width: 61, height: 17), Size(width: 67, height: 19)),
    (Size(width: 320, height: 100), Size(width: 16, height: 5)),
    (Size(width: 333, height: 64), Size(width: 97, height: 64)),
    (Size(width: 97, height: 3), Size(width: 97, height: 23)),
    (Size(width: 47, height: 33), Size(width: 376, height: 5)),
    (Size(width: 3, height: 61), Size(width: 24, height: 4)),
    (Size(width: 96, height: 54), Size(width: 64, height: 36)),
  ]

  enum Content: CaseIterable { case light, signs, extremes }

  static func frame(_ size: Size, _ content: Content, seed: UInt64 = 1) -> LinearFrame {
    var generator = Xorshift(seed: seed)
    return filled(size) { _, _, _ in
      switch content {
      case .light: Float16.random(in: 0...50, using: &generator)
      case .signs: Float16.random(in: -1...1, using: &generator)
      case .extremes: [65504, -65504, 0, 6e-8, 1].randomElement(using: &generator) ?? 0
      }
    }
  }

  static func filled(_ size: Size, _ value: (LinearFrame.Component, Int, Int) -> Float16) -> LinearFrame {
    let frame = LinearFrame(size: size)
    // Through memory that a renderer's source and the frame share.
    let coded = frame.coded(color: .bt709)
    for (plane, component) in [LinearFrame.Component.green, .blue, .red].enumerated() {
      for y in 0..<size.height {
        for x in 0..<size.width {
          coded.setSample(Int(value(component, x, y).bitPattern), plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }

  static func scaled(
    _ frame: LinearFrame, to size: Size, _ tier: KernelTier = .detected, pool: WorkerPool = Comparison.pool
  ) -> LinearFrame {
    let result = LinearFrame(size: size)
    LinearScaler(from: frame.size, to: size, tier: tier, pool: pool).scale(frame, into: result)
    return result
  }

  static func values(_ frame: LinearFrame) -> [Float16] {
    LinearFrame.Component.allCases.flatMap { component in
      (0..<frame.size.height).flatMap { y in
        let row = frame.row(y, component)
        return row.indices.map { row[$0] }
      }
    }
  }

  /// What each sample of a line counts in a sample of a line of another length; `Double` and without any shortcut.
  static func weights(from length: Int, to count: Int, at index: Int) -> [Double] {
    let factor = Double(length) / Double(count)
    let center = (Double(index) + 0.5) * factor
    var result = [Double](repeating: 0, count: length)
    let reach = max(factor, 1)
    for sample in -length - 8..<2 * length + 8 {
      let x = abs(Double(sample) + 0.5 - center) / reach
      if x < 1 { result[min(max(sample, 0), length - 1)] += 2 * x * x * x - 3 * x * x + 1 }
    }
    let total = result.reduce(0, +)
    return result.map { $0 / total }
  }

  /// The exact value of each sample of the result, and the lowest and highest of those that it is made of.
  static func reference(
    _ frame: LinearFrame, to size: Size
  ) -> [(value: Double, range: ClosedRange<Float16>, largest: Double)] {
    let columns = (0..<size.width).map { weights(from: frame.size.width, to: size.width, at: $0) }
      .map { line in line.enumerated().filter { $0.element > 1e-12 } }
    return LinearFrame.Component.allCases.flatMap { component in
      (0..<size.height).flatMap { y in
        let rows = weights(from: frame.size.height, to: size.height, at: y).enumerated().filter { $0.element > 1e-12 }
        return (0..<size.width).map { x in
          var (sum, low, high) = (0.0, Float16.infinity, -Float16.infinity)
          for (j, vertical) in rows {
            let row = frame.row(j, component)
            for (i, horizontal) in columns[x] {
              sum += vertical * horizontal * Double(row[i])
              (low, high) = (min(low, row[i]), max(high, row[i]))
            }
          }
          return (sum, low...high, max(abs(Double(low)), abs(Double(high))))
        }
      }
    }
  }

  /// Within half float's rounding of the exact sum, and never beyond what it is made of.
  @Test(arguments: KernelTier.supported, Content.allCases)
  func isTheWeightedSum(_ tier: KernelTier, _ content: Content) {
    for (from, to) in Self.sizes {
      let frame = Self.frame(from, content)
      let result = Self.values(Self.scaled(frame, to: to, tier))
      let wrong = zip(result, Self.reference(frame, to: to)).filter { value, exact in
        let tolerance = 0.5001 * Double(value.ulp) + 0x1p-21 * exact.largest
        return !((Double(value) - exact.value).magnitude <= tolerance) || !exact.range.contains(value)
      }
      #expect(wrong.isEmpty, "\(from) to \(to): \(wrong.count), such as \(wrong.first.map { "\($0)" } ?? "")")
    }
  }

  @Test(arguments: KernelTier.supported)
  func uniformLightIsExact(_ tier: KernelTier) {
    let colors: [Float16] = [65504, -65504, 1, 0.18, -0.3, 6e-8, 6.1e-5, 0, 203, 48.72]
    for (from, to) in Self.sizes {
      for color in colors {
        let result = Self.scaled(
          Self.filled(from) { component, _, _ in component == .green ? color : -color }, to: to, tier)
        let (size, values) = (to.width * to.height, Self.values(result))
        #expect(values[size..<2 * size].allSatisfy { $0 == color }, "\(color), \(from) to \(to)")
        #expect(values[..<size].allSatisfy { $0 == -color } && values[(2 * size)...].allSatisfy { $0 == -color })
      }
    }
  }

  /// Each pixel of the source is seen, each in its component and on its side.
  @Test func everyPixelCounts() {
    let (from, to) = (Size(width: 60, height: 45), Size(width: 7, height: 4))
    for (x, y) in [(0, 0), (59, 0), (0, 44), (59, 44), (30, 22), (17, 9), (42, 31)] {
      let frame = Self.filled(from) { $0 == .blue && $1 == x && $2 == y ? 1000 : 0 }
      let result = Self.scaled(frame, to: to)
      let row = result.row(y * to.height / from.height, .blue)
      #expect(row[x * to.width / from.width] > 1, "\(x), \(y)")
      let others = Self.values(result).prefix(2 * to.width * to.height)
      #expect(others.allSatisfy { $0 == 0 })
    }
  }

  @Test(arguments: KernelTier.supported) func sameSizeIsACopy(_ tier: KernelTier) {
    for size in [Size(width: 1, height: 1), Size(width: 67, height: 41), Size(width: 96, height: 54)] {
      let frame = Self.frame(size, .extremes, seed: 2)
      let isSame = Self.values(Self.scaled(frame, to: size, tier)) == Self.values(frame)
      #expect(isSame, "\(size)")
    }
  }

  @Test func doesNotDependOnWorkers() {
    let frame = Self.frame(Size(width: 133, height: 101), .signs, seed: 3)
    for size in [Size(width: 70, height: 200), Size(width: 300, height: 31)] {
      let alone = Self.values(Self.scaled(frame, to: size, pool: WorkerPool(count: 1)))
      for count in [2, 3, 7] {
        let isSame = Self.values(Self.scaled(frame, to: size, pool: WorkerPool(count: count))) == alone
        #expect(isSame, "\(count) workers")
      }
    }
  }

  @Test func lightThatIsNotFiniteStaysInPlace() {
    let frame = Self.filled(Size(width: 64, height: 64)) { _, x, y in
      x == 20 && y == 20 ? .infinity : x == 40 && y == 40 ? .nan : 1
    }
    let values = Self.values(Self.scaled(frame, to: Size(width: 48, height: 48)))
    #expect(values.allSatisfy(\.isFinite) && values.count { $0 != 1 } <= 3 * 2 * 9)
  }
}

/// Frames of linear light as the source of a renderer.
@Suite struct LinearSourceTests {
  static let color = ColorDescription(primaries: .bt2020, transfer: .linear, matrix: .rgb, range: .full)

  static func source(_ size: Size) -> FrameRenderer.Endpoint {
    FrameRenderer.Endpoint(
      format: PixelFormat(size: size, layout: .linearRGB, color: color), transfer: .linear(unit: 1))
  }

  /// Through a scaler that changes nothing, the picture is the one that is rendered directly.
  @Test(arguments: KernelTier.supported) func scaledFramesAreRendered(_ tier: KernelTier) throws {
    let size = Size(width: 70, height: 46)
    let source = Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ)
    let target = Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt709)
    let frame = CodedFrame.random(source.format, seed: 31)
    let stages = [Signal.mapping(.bt2100PQ)]
    let direct = CodedFrame(target.format)
    try FrameRenderer(source: source, stages: stages, target: target, tier: tier, pool: Comparison.pool)
      .render(frame, into: direct)
    let light = try FrameRenderer(
      source: source, outputs: [.init(end: .linear)], tier: tier, pool: Comparison.pool
    ).linearFrame(frame)
    let scaled = LinearScalerTests.scaled(light, to: size, tier)
    let result = CodedFrame(target.format)
    try FrameRenderer(source: Self.source(size), stages: stages, target: target, tier: tier, pool: Comparison.pool)
      .render(scaled.coded(color: Self.color), into: result)
    #expect(CodeDifference(result, direct).largest == 0)
  }

  @Test func planesAreThoseOfTheFrame() {
    let time = FrameTime(presentation: 7, duration: 2, timeBase: Rational(1, 50))
    var frame: LinearFrame? = LinearScalerTests.filled(Size(width: 33, height: 5)) { component, x, y in
      Float16(100 * component.rawValue + 33 * y + x)
    }
    let coded = frame?.coded(color: Self.color, time: time)
    #expect(coded?.owner === frame && coded?.time == time && coded?.layout == .linearRGB)
    #expect(frame?.coded(color: Self.color).time == frame?.time)
    // The memory outlives the frame's own name.
    frame = nil
    for (plane, component) in [1, 2, 0].enumerated() {
      let sample = coded?.sample(plane: plane, x: 32, y: 4) ?? 0
      #expect(Float16(bitPattern: UInt16(sample)) == Float16(100 * component + 164))
    }
  }
}
