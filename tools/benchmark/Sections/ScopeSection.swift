internal import Frames
internal import Lettering
internal import Rendering
internal import Scopes
internal import ToneMapping

/// Counting frames for scopes on one thread, including unpacking, compared with unpacking alone; the last counts are
/// also drawn.
struct ScopeSection {
  let resolution: Resolution

  private struct Case {
    let name: String
    var kinds: [ScopeKind]
    var rowStep = 1
    var isDrawn = false
  }

  private static let four: [ScopeKind] = [.waveform, .parade, .vectorscope, .histogram]
  private static let scopes: [Case] = [
    Case(name: "none, unpacking alone", kinds: []),
    Case(name: "waveform", kinds: [.waveform]),
    Case(name: "waveform, parade, histogram", kinds: [.waveform, .parade, .histogram]),
    Case(name: "vectorscope", kinds: [.vectorscope]),
    Case(name: "chromaticity", kinds: [.chromaticity]),
    Case(name: "all but chromaticity", kinds: four),
    Case(name: "all", kinds: ScopeKind.allCases),
    Case(name: "all but chromaticity, drawn", kinds: four, isDrawn: true),
    Case(name: "the same, live (135 rows)", kinds: four, rowStep: 0, isDrawn: true),
  ]

  private struct Key: Hashable {
    let scopes: Int
    let tier: KernelTier
  }

  /// Returns a function that draws counts at 1280x720.
  private static func drawing(_ kinds: [ScopeKind], _ content: ContentInterpretation) throws -> (ScopeCounts) -> Void {
    let size = Size(width: 1280, height: 720)
    let painter = ScopePainter(
      layout: try ScopeLayout(kinds: kinds, size: size, scale: 1), plane: .ictcp, primaries: content.primaries,
      marks: ScopeMarks(peak: 1000), typeface: try Typeface.default())
    let format = ScopePainter.format(size)
    let picture = CodedFrame(size: size, layout: format.layout, color: format.color)
    return { painter.paint($0, into: picture) }
  }

  func measure(_ setting: Setting) throws -> [ScopeTime] {
    let standard = RenderCase.standard(resolution.size)
    let frames = try setting.file(resolution.size, frameCount: resolution.frameCount).frames(in: setting.scratch)
    let contestants = try KernelTier.supported.flatMap { tier in
      try Self.scopes.enumerated().map { index, scopes in
        let step = scopes.rowStep == 0 ? ScopeSettings.liveRowStep(height: resolution.size.height) : scopes.rowStep
        let meter = try FrameScopeAnalyzer(
          format: standard.source, content: standard.content(),
          settings: ScopeSettings(kinds: Set(scopes.kinds), rowStep: step), tier: tier, pool: WorkerPool(count: 1))
        let draw = try scopes.isDrawn ? Self.drawing(scopes.kinds, try standard.content()) : { _ in }
        var counts = ScopeCounts(size: resolution.size, columns: 0)
        let loop = try FrameLoop(frames) {
          try meter.count($0, into: &counts)
          draw(counts)
        }
        return Rounds<Key>.Contestant(Key(scopes: index, tier: tier)) { try loop.measure(.threadCPU) }
      }
    }
    let rounds = try Rounds(contestants, count: setting.rounds)
    let pixels = resolution.size.width * resolution.size.height
    return KernelTier.supported.flatMap { tier in
      Self.scopes.enumerated().compactMap { index, scopes in
        guard let seconds = rounds.summary(Key(scopes: index, tier: tier)),
          let unpacking = rounds.summary(Key(scopes: 0, tier: tier))
        else { return nil }
        return ScopeTime(
          size: "\(resolution.size)", time: StageTime(stage: scopes.name, tier: tier, seconds: seconds, pixels: pixels),
          timesUnpacking: seconds.ratio(to: unpacking))
      }
    }
  }
}
