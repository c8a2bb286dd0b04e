import ColorScience
import Frames
import Patterns
import Verification

/// Verifications made by hand, for reports.
enum ReportSample {
  static let canvasSize = Size(width: 1920, height: 1080)

  /// Bars of PQ greys and colours, and a ramp.
  static let pattern = TestPattern("sample", "Greys and colours", source: "by hand") { canvas, _ in
    var drawing = PatternDrawing(canvas)
    let nits: [Double] = [0, 0.1, 1, 10, 100, 203, 1000, 4000]
    for (index, light) in nits.enumerated() {
      let area = PictureArea(x: 40 + 230 * index, y: 60, width: 190, height: 240)
      drawing.patch("\(light) cd/m²", group: "Greys", area, canvas.signal.gray(nits: light))
    }
    let colors: [(String, SIMD3<Double>)] = [
      ("red", SIMD3(1, 0, 0)), ("green", SIMD3(0, 1, 0)), ("blue", SIMD3(0, 0, 1)), ("cyan", SIMD3(0, 1, 1)),
      ("magenta", SIMD3(1, 0, 1)), ("yellow", SIMD3(1, 1, 0)),
    ]
    for (index, color) in colors.enumerated() {
      let area = PictureArea(x: 40 + 300 * index, y: 400, width: 260, height: 240)
      drawing.patch(color.0, group: "Colours", area, canvas.signal.signal(nits: color.1 * 200))
    }
    return drawing
  }

  static func input(_ name: String = "sample.mov", frames: Int = 10) -> Verification.Input {
    Verification.Input(
      name: name, size: canvasSize, layout: PixelLayout(.ycbcr420, bitDepth: 10), color: .bt2100PQ,
      metadata: HDRMetadata(contentLight: ContentLight(maxCLL: 4000, maxFALL: 400)), frames: frames)
  }

  /// - Parameters:
  ///   - gain: What measured light is multiplied by.
  ///   - failing: Names of patches that are off by a fifth, and a fault.
  static func verification(
    input: Verification.Input = input(), gain: Double = 1.002, failing: Set<String> = []
  ) -> Verification {
    let canvas = PatternCanvas(size: canvasSize, signal: PatternSignal(.hdr10))
    var result = Verification(pattern: pattern, canvas: canvas, input: input)
    result.placement = Placement(canvas: canvasSize, picture: canvasSize)
    result.measuredFrames = input.frames
    result.patches = pattern.drawing(on: canvas).patches.map {
      patch($0, canvas.signal, gain: failing.contains($0.name) ? 0.8 * gain : gain, passes: !failing.contains($0.name))
    }
    let points = (0...200).map { index in
      let position = Double(index) / 200
      return RampResult.Point(position: position, expected: position, measured: min(position, 0.92) + 0.0004)
    }
    let area = PictureArea(x: 40, y: 760, width: 1840, height: 200)
    result.ramps = [
      RampResult(
        name: "PQ ramp", area: area, points: points, meanDeltaE: 0.4, worstDeltaE: 1.1, levels: 870,
        expectedLevels: 877, passes: true)
    ]
    let detail = PatternDrawing.Detail("siting", kind: .chroma, area: PictureArea(x: 0, y: 0, width: 32, height: 32))
    result.details = [
      DetailResult(detail: detail, area: detail.area, shift: SIMD2(0.02, -0.01), contrast: nil, passes: true)
    ]
    result.frames = FrameResult(first: 0, last: 9)
    result.gamut = GamutResult(coverage: [.init(gamut: .bt709, share: 1), .init(gamut: .bt2020, share: 0.987)])
    result.black = 0.0001
    if !failing.isEmpty {
      result.faults = [Fault("patch.difference", "\(failing.count) patches are off. Look at the encoder's settings.")]
    }
    return result
  }

  static func patch(
    _ patch: PatternDrawing.Patch, _ signal: PatternSignal, gain: Double, passes: Bool
  ) -> PatchResult {
    let expected = signal.signal(codes: signal.codes(patch.signal))
    let nits = signal.nits(expected)
    let seen = signal.signal(nits: nits * gain)
    func codes(_ signals: SIMD3<Double>) -> SIMD3<Double> { signals * signal.scale.lumaScale + signal.scale.lumaOffset }
    let difference = ICtCp.deltaEITP(ICtCp.fromNits(nits), ICtCp.fromNits(nits * gain))
    return PatchResult(
      patch: patch, area: patch.area, expected: expected, expectedCodes: codes(expected), expectedNits: nits,
      measured: .init(
        signal: seen, codes: codes(seen), nits: nits * gain, deltaE: difference, worstDeltaE: difference * 1.1,
        noise: 0.3), passes: passes)
  }

  /// Nothing was found.
  static var missing: Verification {
    var result = Verification(
      pattern: pattern, canvas: PatternCanvas(size: canvasSize, signal: PatternSignal(.hdr10)), input: input())
    result.faults = [Fault("pattern.missing", "The pattern is not in the picture.")]
    return result
  }

  /// A name that would be markup, move a terminal's cursor, and turn the direction of writing.
  static let hostileName =
    "<script>alert(\"1\")</script>&amp;'\u{1B}[2J\u{202E}vom\u{0}\n" + String(repeating: "x", count: 3000)

  /// Every text hostile, every number none.
  static var hostile: Verification {
    var result = verification(input: input(hostileName), failing: ["red"])
    let nothing = SIMD3<Double>(repeating: .nan)
    for index in result.patches.indices {
      result.patches[index].patch.name = hostileName
      result.patches[index].patch.group = hostileName
      result.patches[index].expectedNits = index == 0 ? SIMD3(repeating: .infinity) : result.patches[index].expectedNits
      result.patches[index].measured = .init(
        signal: nothing, codes: nothing, nits: index == 1 ? SIMD3(repeating: 1e300) : nothing, deltaE: .infinity,
        worstDeltaE: .nan, noise: -.infinity)
    }
    result.ramps[0].name = hostileName
    result.ramps[0].points = [.init(position: .nan, expected: .infinity, measured: -.infinity)]
    result.ramps[0].meanDeltaE = .nan
    result.details[0].shift = SIMD2(.nan, .infinity)
    result.details[0].detail.name = hostileName
    result.details[0].contrast = .nan
    result.gamut = GamutResult(coverage: [.init(gamut: .bt709, share: .nan)])
    result.clipPoint = .infinity
    result.black = .nan
    result.tolerance.deltaE = .nan
    result.faults = [Fault(hostileName, hostileName)]
    result.notes = [hostileName]
    result.expectation = hostileName
    result.placement = Placement(
      canvas: canvasSize, origin: SIMD2(.nan, .infinity), scale: SIMD2(.nan, -1), picture: canvasSize)
    return result
  }
}
