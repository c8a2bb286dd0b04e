internal import ColorScience
internal import Files
internal import Frames
internal import Patterns
internal import Rendering
internal import ToneMapping
internal import Verification

/// The expected pattern of an input, resolved before its frames are measured.
struct VerifyPlan {
  let request: VerifyRequest
  let chosen: ChosenPattern
  let source: SourcePlan
  /// The conversion before frames are measured; nil: measured as decoded.
  let conversion: (source: FrameRenderer.Endpoint, stages: [any Stage], target: FrameRenderer.Endpoint)?
  /// Signal of the measured frames.
  let signal: PatternSignal
  let expectation: PatternExpectation
  /// Expected light in the input's metadata, of the pattern as coded in the input and of its R'G'B'; nil: unknown.
  let light: (coded: PatternLight, rgb: PatternLight)?
  /// Bit depth of the input's samples; nil: they are linear.
  private let bitDepth: Int?

  /// - Parameters:
  ///   - first: The first frame.
  ///   - name: Name of the input.
  /// - Throws: `Refusal`, `PatternError`.
  init(_ request: VerifyRequest, first: CodedFrame, name: String) throws {
    self.request = request
    chosen = try ChosenPattern(request.pattern)
    bitDepth = first.layout.samples == .integer ? first.layout.bitDepth : nil
    source = try SourcePlan(
      frame: first, name: name, overrides: request.input.overrides, isStrict: request.input.isStrict, use: nil)
    conversion = try Self.conversion(of: first.described(as: source.color), source, asSRGB: request.kind == .sRGB)
    let first = first.described(as: source.color)
    let format = conversion?.target.format ?? first.format
    let kind: PatternSignal.Kind =
      switch format.color.transfer {
      case .pq: .hdr10
      case .hlg: .hlg
      // Pictures of SDR patterns have the same light in sRGB.
      case .sRGB: request.kind == .sRGB ? .sRGB : .sdr
      default: .of601(format.color) ?? .sdr
      }
    signal = PatternSignal(kind, range: format.color.range, bitDepth: format.layout.bitDepth)
    let kinds = chosen.pattern.kinds
    if let asked = request.kind, !kinds.contains(asked) {
      let names = kinds.map(\.rawValue).joined(separator: ", ")
      throw Refusal.invalid(
        "expected-kind-unavailable",
        "\(chosen.pattern.name) is not available as \(asked.rawValue), only as \(names).")
    }
    guard let rendition = request.rendition else {
      let drawn = Self.drawn(
        chosen, as: request.kind ?? (kinds.contains(kind) ? kind : kinds[0]), request, signal, in: first)
      expectation = PatternExpectation(drawn)
      light = kind == .hdr10 ? Self.light(of: chosen, as: drawn, request, format) : nil
      return
    }
    let mapping = rendition.mapping(for: kind)
    guard mapping.kind == OutputKind(kind) else {
      throw Refusal.invalid(
        "rendition-of-other-kind",
        "\(.rendition) says to=\(mapping.kind.rawValue), but the input is \(kind.title): if its tags are wrong, "
          + "override them with \(.inputTransfer).")
    }
    try mapping.validate()
    // A rendition starts from a pattern in its default range, with 10 bits for HDR and at least 8 for SDR.
    let patternKind = request.kind ?? kinds[0]
    let drawn = PatternSignal(
      patternKind, range: chosen.pattern.ranges[0],
      bitDepth: patternKind.isSDR ? max(8, chosen.pattern.minimumBitDepth) : 10)
    let made = PixelFormat(
      size: first.size, layout: PixelLayout(.ycbcr420, bitDepth: 10),
      color: ColorDescription(
        primaries: drawn.primaries, transfer: drawn.transfer, matrix: drawn.matrix, range: drawn.range,
        chromaLocation: .topLeft))
    let stated = Self.light(of: chosen, as: drawn, request, made).map {
      HDRMetadata(masteringDisplay: .pattern($0.coded), contentLight: $0.coded.contentLight)
    }
    expectation = try mapping.expectation(rendition.name, of: drawn, metadata: stated ?? HDRMetadata(), in: signal)
    light = nil
  }

  /// Returns the signal in which the pattern was drawn: in the range used to read the input, unless the pattern is only
  /// found in the other range.
  private static func drawn(
    _ chosen: ChosenPattern, as kind: PatternSignal.Kind, _ request: VerifyRequest, _ signal: PatternSignal,
    in frame: CodedFrame
  ) -> PatternSignal {
    let depth = max(signal.bitDepth, chosen.pattern.minimumBitDepth)
    let others = chosen.pattern.ranges.filter { $0 != signal.range }
    let ranges = (chosen.pattern.ranges.contains(signal.range) ? [signal.range] : []) + others
    let candidates = ranges.map { PatternSignal(kind, range: $0, bitDepth: depth) }
    let isUnmixed = frame.layout.samples == .integer && frame.layout.packing == .planar
    guard candidates.count > 1, isUnmixed else { return candidates[0] }
    return candidates.first { candidate in
      PatternFinder(
        pattern: chosen, canvasSize: request.canvasSize, scale: Double(request.scale),
        expectation: PatternExpectation(candidate)
      ).find(in: frame) != nil
    } ?? candidates[0]
  }

  /// Returns the light of an HDR10 pattern's pixels at its original size, coded like the input.
  private static func light(
    of chosen: ChosenPattern, as drawn: PatternSignal, _ request: VerifyRequest, _ picture: PixelFormat
  ) -> (coded: PatternLight, rgb: PatternLight)? {
    guard drawn.kind == .hdr10 else { return nil }
    let size = request.canvasSize ?? picture.size
    let canvas = chosen.canvas(
      size: TestPattern.allows(size) ? size : Size(width: 1920, height: 1080), scale: Double(request.scale),
      signal: drawn)
    var coded = picture
    (coded.size, coded.layout.packing, coded.color.range) = (canvas.size, .planar, drawn.range)
    let isPainted = YCbCrMatrix(coded.color.matrix) != nil && coded.layout.samples == .integer
    return (
      PatternLight(chosen.pattern, on: canvas, codedAs: isPainted ? coded : nil),
      PatternLight(chosen.pattern, on: canvas)
    )
  }

  /// Returns the maximum error of a patch in ΔE ITP. A rendition was rounded to code values twice.
  private static func defaultTolerance(_ expectation: PatternExpectation) -> Double {
    expectation.name == nil ? 2 : 2.5
  }

  /// Creates the verifier of the frames.
  func makeVerifier(name: String, carriesTags: Bool) -> Verifier {
    // The mean of a moving pattern depends on the generated frames; 0 means unknown.
    let isMoving = chosen.pattern.isMoving
    func known(_ light: PatternLight) -> ContentLight {
      ContentLight(maxCLL: light.contentLight.maxCLL, maxFALL: isMoving ? 0 : light.contentLight.maxFALL)
    }
    return Verifier(
      pattern: chosen, canvasSize: request.canvasSize, scale: Double(request.scale),
      expectation: expectation,
      input: Verifier.Input(
        name: name.printable, metadata: source.metadata, carriesTags: carriesTags, bitDepth: bitDepth),
      expectedMetadata: ExpectedMetadata(
        isRequired: carriesTags && expectation.name == nil,
        contentLight: light.map { known($0.coded) }, unsampledLight: light.map { known($0.rgb) },
        masteringDisplay: light.map { .pattern($0.coded) }),
      tolerance: Tolerance(deltaE: request.tolerance ?? Self.defaultTolerance(expectation)))
  }

  /// Returns the conversion that measures light, sRGB and P3 as the equivalent video.
  /// - Parameter asSRGB: Measures sRGB code values directly.
  private static func conversion(
    of frame: CodedFrame, _ source: SourcePlan, asSRGB: Bool
  ) throws -> (source: FrameRenderer.Endpoint, stages: [any Stage], target: FrameRenderer.Endpoint)? {
    let (color, content) = (source.color, source.interpretation)
    let isHDR = [.pq, .hlg, .linear].contains(color.transfer)
    let primaries: ColorPrimaries = isHDR ? .bt2020 : .bt709
    let isMeasurable =
      frame.layout.samples == .integer && frame.layout.packing == .planar
      && (frame.layout.components == .rgb || YCbCrMatrix(color.matrix) != nil)
      && ([.pq, .hlg, .bt709, .smpte170M, .bt2020TenBit, .bt2020TwelveBit].contains(color.transfer)
        || asSRGB && color.transfer == .sRGB)
    if isMeasurable { return nil }
    var transfer = content.transfer
    var target = ColorDescription(primaries: primaries, transfer: .bt709, matrix: .rgb, range: .full)
    switch color.transfer {
    case .hlg: target.transfer = .hlg
    case .pq, .linear:
      target.transfer = .pq
      transfer = .pq(unit: EDRMetadata.defaultOpticalOutputScale)
    default: transfer = .bt1886(peak: 1)
    }
    let stage = PrimariesConversion(from: content.primaries, to: primaries.space ?? .bt709)
    return (
      FrameRenderer.Endpoint(
        format: frame.format, transfer: content.transfer),
      stage.map { [$0] } ?? [],
      FrameRenderer.Endpoint(
        format: PixelFormat(size: frame.size, layout: PixelLayout(.rgb, bitDepth: 16), color: target),
        transfer: transfer)
    )
  }
}

extension PatternSignal.Kind {
  /// Returns the kind of video that is tagged as BT.601; nil: not BT.601.
  fileprivate static func of601(_ color: ColorDescription) -> PatternSignal.Kind? {
    let isMatrix = [.smpte170M, .bt470BG, .rgb].contains(color.matrix)
    return switch color.primaries {
    case .smpte170M where isMatrix: .bt601x525
    case .bt470BG where isMatrix: .bt601x625
    default: nil
    }
  }
}

extension MappingRequest {
  /// Returns the expectation after mapping a pattern's signal.
  /// - Parameters:
  ///   - metadata: The HDR metadata that the pattern stated.
  ///   - signal: Signal of the input.
  fileprivate func expectation(
    _ name: String, of pattern: PatternSignal, metadata: HDRMetadata, in signal: PatternSignal
  ) throws(Refusal) -> PatternExpectation {
    let color = ColorDescription(
      primaries: pattern.primaries, transfer: pattern.transfer, matrix: .rgb, range: pattern.range)
    let frame = CodedFrame(
      size: Size(width: 2, height: 2), layout: PixelLayout(.rgb, bitDepth: 10), color: color, metadata: metadata)
    let source = try SourcePlan(frame: frame, name: "the pattern", overrides: SourceOverrides(), use: nil)
    let target = try TargetPlan(source, self)
    let reference = SignalMapping(
      source: source.interpretation.transfer, stages: target.rendering.stages(for: nil), target: target.transfer,
      display: target.codedDisplay, reach: (source.reach, target.reach))
    return PatternExpectation(name, of: pattern, as: signal) { target.keepsCoding ? $0 : reference.map($0) }
  }
}
