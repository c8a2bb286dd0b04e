internal import Rendering

/// The whole pixel stage compared with the stock chain at 1920x1080: detects a slow kernel in a few seconds.
enum QuickRun {
  /// Minimum CPU time of the stock chain relative to the best tier.
  static let minimumRatio = 3.0

  static func report(_ setting: Setting) throws -> Report {
    if let missing = setting.missingStockFilter { throw BenchmarkFailure(missing) }
    let section = PixelStageSection(resolution: .fullHD, splitsStages: false, chains: [.stock(setting.ffmpeg)])
    var report = Report(setting)
    report.pixelStage = [try report.observe("pixel stage") { try section.measure(setting) }]
    return report
  }

  static func check(_ report: Report) throws {
    let tier = KernelTier.detected
    guard tier != .baseline else {
      StandardStreams.note("no bar to meet: this processor has the baseline kernels alone.")
      return
    }
    let ratio = report.pixelStage.first?.ratios.first { $0.tier == tier.rawValue }?.timesOurs.median ?? 0
    guard ratio >= minimumRatio else {
      throw BenchmarkFailure(
        "The pixel stage in \(tier) is only \(decimal(ratio, 2)) times as fast as the stock chain, and must be "
          + "\(decimal(minimumRatio, 0)) times: a kernel became slow. Run tools/bench --only stages to see which.")
    }
  }
}
