import ColorScience
import Frames
import Rendering
import ToneMapping

import Filters

/// A frame of linear light, and what stages make of it.
struct Light {
  let frame: CodedFrame

  /// - Parameter color: Linear components in band units.
  init(_ size: Size, _ color: (_ x: Int, _ y: Int) -> SIMD3<Double>) {
    let frame = CodedFrame(
      size: size, layout: .linearRGB,
      color: ColorDescription(primaries: .bt2020, transfer: .linear, matrix: .rgb, range: .full))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let rgb = color(x, y)
        for (plane, value) in [rgb.y, rgb.z, rgb.x].enumerated() {
          frame.setSample(Int(Float16(value).bitPattern), plane: plane, x: x, y: y)
        }
      }
    }
    self.frame = frame
  }

  /// Awkward colours: of all brightness, around the edges of gamuts, some that are no numbers.
  static func scrambled(_ size: Size, scale: Double = 1) -> Light {
    Light(size) { x, y in
      let seed = y * 4099 + x
      let level = scale * 30 * unit(seed, 1) * unit(seed, 2) * unit(seed, 3)
      let color = SIMD3(unit(seed, 4), unit(seed, 5), unit(seed, 6)) * 1.4 - 0.15
      return color * level
    }
  }

  static func unit(_ index: Int, _ salt: Int) -> Double {
    var h = UInt32(truncatingIfNeeded: index &* 7919 &+ salt &* 104_729 &+ 1) &* 0x9E37_79B1
    h = (h ^ h >> 15) &* 0x85EB_CA77
    return Double(h ^ h >> 13) / Double(UInt32.max)
  }

  /// The colour of a pixel as it is in the frame.
  func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
    let bits = (0..<3).map { UInt16(frame.sample(plane: $0, x: x, y: y)) }
    return SIMD3(
      Double(Float16(bitPattern: bits[2])), Double(Float16(bitPattern: bits[0])), Double(Float16(bitPattern: bits[1])))
  }

  func after(_ stages: [any Stage], tier: KernelTier, workers: Int = 1) throws -> LinearFrame {
    let source = FrameRenderer.Endpoint(format: frame.format, transfer: .linear(unit: 1))
    return try FrameRenderer(
      source: source, outputs: [.init(stages: stages, end: .linear)], tier: tier, pool: WorkerPool(count: workers)
    )
    .linearFrame(frame)
  }
}

extension LinearFrame {
  func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
    let rgb = LinearFrame.Component.allCases.map { Double(row(y, $0)[x]) }
    return SIMD3(rgb[0], rgb[1], rgb[2])
  }

  /// Bits of a pixel.
  func bits(_ x: Int, _ y: Int) -> [UInt16] { LinearFrame.Component.allCases.map { row(y, $0)[x].bitPattern } }
}

extension FilterContext {
  static let sdrDisplay = Display(sdrWhite: 100, peak: 100, primaries: .bt709)

  /// - Parameter isMapped: To SDR, by the system's curve.
  static func of(
    _ color: ColorDescription, _ size: Size, isMapped: Bool = false, workers: Int = 1
  ) throws -> FilterContext {
    let content = try ContentInterpretation(color: color)
    let mapping = DisplayMapping.Settings(
      metadata: content.metadata, primaries: content.primaries, display: sdrDisplay)
    return FilterContext(
      content: content, mapping: isMapped ? mapping : nil, sdrWhite: 100, size: size, workers: workers)
  }
}
