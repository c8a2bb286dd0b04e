internal import ColorScience
internal import Frames
internal import Rendering
internal import ToneMapping

/// The whole pixel stage with the perceptual gamut map, compared with `compress`, on the sample and on fully saturated
/// frames.
struct GamutSection {
  let resolution: Resolution

  private struct Key: Hashable {
    let frames: String
    let gamut: GamutMapping.Method
    let tier: KernelTier
  }

  func measure(_ setting: Setting) throws -> [GamutTime] {
    let sample = try setting.file(resolution.size, frameCount: resolution.frameCount).frames(in: setting.scratch)
    let sources = [
      ("sample", sample), ("saturated", (0..<2).map { Self.saturated(resolution.size, seed: UInt64($0)) }),
    ]
    let methods: [GamutMapping.Method] = [.compress, .perceptual]
    let contestants = try KernelTier.supported.flatMap { tier in
      try sources.flatMap { name, frames in
        try methods.map { gamut in
          var renderCase = RenderCase.standard(resolution.size)
          renderCase.gamut = gamut
          let target = renderCase.emptyTarget()
          let renderer = try renderCase.renderer(tier: tier, pool: WorkerPool(count: 1))
          let loop = try FrameLoop(frames) { try renderer.render($0, into: target) }
          return Rounds<Key>.Contestant(Key(frames: name, gamut: gamut, tier: tier)) { try loop.measure(.threadCPU) }
        }
      }
    }
    let rounds = try Rounds(contestants, count: setting.rounds)
    return KernelTier.supported.flatMap { tier in
      sources.compactMap { name, _ in
        guard let before = rounds.summary(Key(frames: name, gamut: .compress, tier: tier)),
          let after = rounds.summary(Key(frames: name, gamut: .perceptual, tier: tier))
        else { return nil }
        return GamutTime(
          size: "\(resolution.size)", frames: name, tier: tier.rawValue, compressMsPerFrame: before * 1e3,
          perceptualMsPerFrame: after * 1e3, timesCompress: after.ratio(to: before))
      }
    }
  }

  /// Returns blocks of 2x2 pixels of BT.2020 colours with one component 0, at 5 to 400 cd/m².
  private static func saturated(_ size: Size, seed: UInt64) -> CodedFrame {
    var state = seed &+ 0x9e37_79b9_7f4a_7c15
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / 0x1p24
    }
    let frame = CodedFrame(
      size: size, layout: PixelLayout(.ycbcr420, bitDepth: 10), color: SampleFile.color)
    let codes = SampleScale(bitDepth: 10, range: .narrow)
    for y in 0..<size.height / 2 {
      for x in 0..<size.width / 2 {
        let (largest, middle, order) = (5 + 395 * random(), random(), Int(random() * 6))
        var rgb = SIMD3<Double>()
        rgb[order % 3] = PQ.inverseEOTF(largest)
        rgb[(order % 3 + 1 + order / 3) % 3] = PQ.inverseEOTF(largest * middle)
        guard let code = YCbCrMatrix(.bt2020NCL)?.ycbcr(fromRGB: rgb) else { continue }
        for dy in 0..<2 {
          for dx in 0..<2 { frame.setSample(codes.code(fromLuma: code.x), plane: 0, x: 2 * x + dx, y: 2 * y + dy) }
        }
        frame.setSample(codes.code(fromChroma: code.y), plane: 1, x: x, y: y)
        frame.setSample(codes.code(fromChroma: code.z), plane: 2, x: x, y: y)
      }
    }
    return frame
  }
}
