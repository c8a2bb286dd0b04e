/// Measures the requested sections in sequence.
struct FullRun {
  private let setting: Setting
  private let sections: Set<Section>

  init(_ setting: Setting, _ sections: Set<Section>) {
    self.setting = setting
    self.sections = sections
  }

  func report() throws -> Report {
    var report = Report(setting)
    // First of all: a child starts with this process's memory as its peak, which grows with the frames.
    if !sections.isDisjoint(with: [.process, .pictures, .patterns, .outputs]) {
      if let headroom = setting.headroom {
        try measureProcesses(headroom, &report)
      } else {
        report.skipped.append("whole processes, for lack of a headroom program: name it with --headroom.")
      }
    }
    let chains = try sections.contains(.stock) ? chains(&report.skipped) : []
    if sections.contains(.stages) || sections.contains(.stock) {
      for resolution in Resolution.all {
        let section = PixelStageSection(
          resolution: resolution, splitsStages: sections.contains(.stages), chains: chains)
        let result = try report.observe("pixel stage, \(resolution.size)") { try section.measure(setting) }
        report.pixelStage.append(result)
      }
    }
    if sections.contains(.variants) {
      report.variantSize = "\(Resolution.fullHD.size)"
      report.variants = try report.observe("formats") { try VariantSection(resolution: .fullHD).measure(setting) }
    }
    if sections.contains(.gamuts) {
      report.gamuts = try report.observe("gamut maps") { try GamutSection(resolution: .fullHD).measure(setting) }
    }
    if sections.contains(.filters) {
      report.filters = try report.observe("filters") {
        try Resolution.all.flatMap { try FilterSection(resolution: $0).measure(setting) }
      }
    }
    if sections.contains(.outputs) {
      report.outputs = try report.observe("outputs") {
        try Resolution.all.flatMap { try OutputSection(resolution: $0).measure(setting) }
      }
    }
    if sections.contains(.scopes) {
      report.scopes = try report.observe("scopes") {
        try Resolution.all.flatMap { try ScopeSection(resolution: $0).measure(setting) }
      }
    }
    if sections.contains(.threads) {
      report.threads = try report.observe("workers") {
        try Resolution.all.flatMap { try ThreadSection(resolution: $0).measure(setting) }
      }
    }
    return report
  }

  private func measureProcesses(_ headroom: String, _ report: inout Report) throws {
    if sections.contains(.process) {
      report.processes = try report.observe("whole processes") {
        try ProcessSection(headroom: headroom).measure(setting)
      }
    }
    if sections.contains(.outputs) {
      report.outputProcesses = try report.observe("outputs of a process") {
        try ProcessPair.compare([bothRenditions(headroom)], rounds: setting.rounds, in: setting.scratch)
      }
    }
    if sections.contains(.pictures) {
      report.pictures = try report.observe("pictures") { try PictureSection(headroom: headroom).measure(setting) }
    }
    if sections.contains(.patterns) {
      report.patterns = try report.observe("patterns") { try PatternSection(headroom: headroom).measure(setting) }
    }
  }

  /// Returns two runs of the program, paired with one process that does both.
  private func bothRenditions(_ headroom: String) -> ProcessPair {
    let run = "'\(headroom)' transcode '\(setting.clip)' -f null -q"
    return ProcessPair(
      task: "SDR and HDR10 of 600 cd/m²", referenceName: "two runs",
      reference: MeasuredProcess(program: "sh", arguments: ["-c", "\(run) && \(run) --to hdr10 --peak 600"]),
      ours: MeasuredProcess(program: CommandLine.arguments[0], arguments: ["--both", setting.clip]))
  }

  private func chains(_ skipped: inout [String]) throws -> [FilterChain] {
    var chains: [FilterChain] = []
    if let missing = setting.missingStockFilter {
      skipped.append("the stock chain: \(missing)")
    } else {
      chains = [.stock(setting.ffmpeg), .documented(setting.ffmpeg)]
    }
    chains.append(try .lut3d(setting.ffmpeg, in: setting.scratch))
    if let other = setting.tonemapxFFmpeg {
      chains.append(.tonemapx(other))
    } else {
      skipped.append("tonemapx: name an ffmpeg that has it with the environment variable TONEMAPX_FFMPEG.")
    }
    return chains
  }
}
