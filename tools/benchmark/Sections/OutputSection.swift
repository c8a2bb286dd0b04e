internal import FFmpegIO
internal import Filters
internal import Frames
internal import Measurement
internal import Media
internal import Rendering
internal import Scopes
internal import StreamPipeline
internal import ToneMapping

/// Several outputs from one unpacking, compared with separate work, on one thread.
struct OutputSection {
  let resolution: Resolution

  private enum Work: Hashable, CaseIterable {
    /// Renditions for SDR and HDR10 at 600 cd/m², each from a separate unpacking, or both from one.
    case apart, together
    /// The same scopes and statistics with a rendition: drawn by a filter, or counted in the shared trunk.
    case filtered, counted
  }

  /// SDR, and HDR10 at another peak.
  static func cases(_ size: Size) -> [RenderCase] { [.standard(size), .hdr10(size)] }

  func measure(_ setting: Setting) throws -> [OutputTime] {
    let frames = try setting.file(resolution.size, frameCount: resolution.frameCount).frames(in: setting.scratch)
    let pool = WorkerPool(count: 1)
    let contestants = try Work.allCases.map { work in
      let loop = try FrameLoop(frames, body(work, pool))
      return Rounds<Work>.Contestant(work) { try loop.measure(.threadCPU) }
    }
    let rounds = try Rounds(contestants, count: setting.rounds)
    let pairs: [(String, Work, Work)] = [
      ("two renditions", .apart, .together), ("scopes and statistics", .filtered, .counted),
    ]
    return pairs.compactMap { name, apart, together in
      guard let before = rounds.summary(apart), let after = rounds.summary(together) else { return nil }
      return OutputTime(
        size: "\(resolution.size)", work: name, apartMsPerFrame: before * 1e3, togetherMsPerFrame: after * 1e3,
        timesApart: after.ratio(to: before))
    }
  }

  private func body(_ work: Work, _ pool: WorkerPool) throws -> (CodedFrame) throws -> Void {
    let cases = Self.cases(resolution.size)
    switch work {
    case .apart:
      let renderers = try cases.map { (try $0.renderer(tier: .detected, pool: pool), $0.emptyTarget()) }
      return { frame in for (renderer, target) in renderers { try renderer.render(frame, into: target) } }
    case .together:
      let renderer = try RenderCase.renderer(cases, pool: pool)
      let targets = cases.map { FrameRenderer.Destination.coded($0.emptyTarget()) }
      return { frame in try renderer.render(frame, into: targets) }
    case .filtered:
      let gamut = try gamut(cases[0])
      let filters = [Filter.scopes(Self.panel)]
      let (renderer, session) = try cases[0].filtering(filters, counters: [gamut], tier: .detected, pool: pool)
      let target = cases[0].emptyTarget()
      return { frame in
        try renderer.render(frame, into: target)
        try session.finish(target)
        _ = gamut.takeStatistics()
      }
    case .counted:
      let gamut = try gamut(cases[0])
      let scopes = ScopeAnalyzer(
        size: resolution.size, content: try cases[0].content(),
        settings: ScopeSettings(
          kinds: Set(Self.panel.kinds), columns: try Self.panel.layout(resolution.size).columns), workers: 1)
      let renderer = try RenderCase.renderer([cases[0]], trunk: [gamut, scopes], pool: pool)
      let target = FrameRenderer.Destination.coded(cases[0].emptyTarget())
      var counts = ScopeCounts(size: resolution.size, columns: 0)
      return { frame in
        try renderer.render(frame, into: [target])
        _ = gamut.takeStatistics()
        scopes.takeCounts(into: &counts)
      }
    }
  }

  /// Scopes that count every row.
  private static let panel = {
    var panel = ScopePanel()
    panel.rowStep = 1
    return panel
  }()

  private func gamut(_ renderCase: RenderCase) throws -> GamutAnalyzer {
    GamutAnalyzer(
      width: resolution.size.width, content: try renderCase.content(), sdrWhite: 100, workers: 1)
  }
}

/// Both renditions of a clip from one decoding and unpacking, discarded: a whole process to measure.
struct BothRenditions {
  let clip: String

  private final class Nowhere: FrameSink {
    func write(_ frame: CodedFrame) {}
    func pass(_ data: any PassingData) {}
  }

  func run() throws {
    let reader = try MediaReader(url: clip)
    guard let first = try reader.peekFrame() else { return }
    let cases = OutputSection.cases(first.size)
    let renderer = try RenderCase.renderer(cases, pool: WorkerPool())
    let pools = cases.map { FramePool($0.target) }
    let pipeline = StreamPipeline(
      source: reader, outputs: cases.map { StreamPipeline.Output(name: $0.name, sink: Nowhere()) })
    _ = try pipeline.run { frame, _ in
      let results = pools.map { $0.frame(time: frame.time) }
      try renderer.render(frame.described(as: SampleFile.color), into: results.map { .coded($0) })
      return results.map { .frame($0) }
    }
  }
}
