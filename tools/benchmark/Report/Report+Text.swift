internal import Foundation

extension Report {
  /// The report as text: a table per section.
  var text: String {
    ([heading, disturbance] + skipped.map { "Skipped: \($0)" } + pixelStage.map(\.text) + [
      variantText, gamutText, filterText, outputText, outputProcessText, scopeText, threadText, processText,
      pictureText,
      patternText,
    ])
    .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var heading: String {
    """
    \(machine.cpuModel), \(machine.logicalCores) cores; kernels \(machine.kernelTiers.joined(separator: ", "))
    \(headroom.map { $0 + "; " } ?? "")ffmpeg \(ffmpeg); frames from \(clip)
    Times and memory are the least of \(rounds) interleaved rounds (whole processes: \(min(rounds, ProcessSection.maximumRounds))), \
    CPU time is user and system.
    Ratios are taken round by round; their median is printed.
    """
  }

  /// A note about load from other programs; empty if the machine was idle.
  private var disturbance: String {
    let disturbed = otherPrograms.filter { $0.cores > 0.05 }
    guard !disturbed.isEmpty else { return "" }
    let words = disturbed.map { "\(decimal($0.cores, 2)) cores (\($0.section))" }.joined(separator: ", ")
    return "Other programs ran, which makes wall times and the gain of workers worse: they took \(words)."
  }

  private var variantText: String {
    guard let variantSize else { return "" }
    var table = Table(leading: 2, ["render", "tier", "ms/frame", "ns/pixel"])
    for time in variants { table.add([time.stage, time.tier, time.best, time.perPixel]) }
    return "Formats, \(variantSize), one thread, CPU time\n" + table.text
  }

  private var gamutText: String {
    guard !gamuts.isEmpty else { return "" }
    var table = Table(leading: 3, ["size", "frames", "tier", "ms/frame", "compress", "ratio"])
    for time in gamuts {
      table.add([
        time.size, time.frames, time.tier, decimal(time.perceptualMsPerFrame.least, 2),
        decimal(time.compressMsPerFrame.least, 2), decimal(time.timesCompress.median, 3),
      ])
    }
    return "Gamut maps, whole pixel stage, one thread, CPU time\n" + table.text
  }

  private var filterText: String {
    guard !filters.isEmpty else { return "" }
    var table = Table(leading: 3, ["size", "filter", "tier", "ms/frame", "without", "ratio"])
    for time in filters {
      table.add([
        time.size, time.filter, time.tier, decimal(time.cpuMsPerFrame.least, 2),
        decimal(time.plainMsPerFrame.least, 2), decimal(time.timesPlain.median, 3),
      ])
    }
    return "Filters, whole pixel stage, one thread, CPU time\n" + table.text
  }

  private var outputText: String {
    guard !outputs.isEmpty else { return "" }
    var table = Table(leading: 2, ["size", "work", "ms/frame", "apart", "ratio"])
    for time in outputs {
      table.add([
        time.size, time.work, decimal(time.togetherMsPerFrame.least, 2), decimal(time.apartMsPerFrame.least, 2),
        decimal(time.timesApart.median, 3),
      ])
    }
    return "Several outputs of one unpacking, one thread, CPU time\n" + table.text
  }

  private var outputProcessText: String {
    guard !outputProcesses.isEmpty else { return "" }
    return "Two renditions of the clip, all cores\n" + Self.table(outputProcesses)
  }

  private var scopeText: String {
    guard !scopes.isEmpty else { return "" }
    var table = Table(leading: 3, ["size", "tier", "scopes", "ms/frame", "ns/pixel", "/ unpacking"])
    for scope in scopes {
      table.add([
        scope.size, scope.time.tier, scope.time.stage, scope.time.best, scope.time.perPixel,
        decimal(scope.timesUnpacking.median, 2) + "x",
      ])
    }
    return "Counting for scopes, unpacking included, one thread, CPU time\n" + table.text
  }

  private var threadText: String {
    guard !threads.isEmpty else { return "" }
    var table = Table(leading: 2, ["size", "tier", "workers", "ms/frame", "speed-up"])
    for time in threads {
      table.add([
        time.size, time.tier, "\(time.workers)", decimal(time.wallMsPerFrame.least, 2),
        decimal(time.speedUp.median, 2),
      ])
    }
    return "Workers, whole pixel stage, wall time\n" + table.text
  }

  private var processText: String {
    guard let processes else { return "" }
    return """
      Whole processes, all cores: \(processes.clipFrames) frames of 3840x2160 at 60/s, HEVC Main 10 PQ, \
      \(decimal(processes.clipMbitPerS, 0)) Mbit/s
      \(Self.table(processes.comparisons))
      """
  }

  private var pictureText: String {
    guard !pictures.isEmpty else { return "" }
    return "Pictures and raw buffers, 1920x1080, HEVC Main 10 PQ, all cores\n" + Self.table(pictures)
  }

  private var patternText: String {
    guard !patterns.isEmpty else { return "" }
    return "Test patterns, 3840x2160, all cores\n" + Self.table(patterns)
  }

  private static func table(_ comparisons: [ProcessComparison]) -> String {
    var table = Table(leading: 2, ["task", "program", "wall s", "CPU s", "peak MiB"])
    for comparison in comparisons {
      for (name, use) in [(comparison.referenceName, comparison.reference), ("headroom", comparison.ours)] {
        table.add([
          comparison.task, name, decimal(use.wallS.least, 2), decimal(use.cpuS.least, 2),
          decimal(use.peakMemoryMib.least, 0),
        ])
      }
      table.add([
        "", "headroom / the other", decimal(comparison.wallTimesReference.median, 2),
        decimal(comparison.cpuTimesReference.median, 2), decimal(comparison.memoryTimesReference.median, 2),
      ])
    }
    return table.text
  }
}

extension PixelStageReport {
  var text: String {
    var stageTable = Table(leading: 2, ["tier", "stage", "ms/frame", "ns/pixel"])
    for time in stages { stageTable.add([time.tier, time.stage, time.best, time.perPixel]) }
    let text = "Pixel stage, \(size), HDR10 to SDR, 8 bit 4:2:0, one thread, CPU time\n" + stageTable.text
    guard !chains.isEmpty else { return text }
    let tiers = ratios.filter { $0.chain == chains[0].chain }.map(\.tier)
    var chainTable = Table(leading: 1, ["FFmpeg filters, same frames", "ms/frame"] + tiers.map { "/ \($0)" })
    for chain in chains {
      let times = ratios.filter { $0.chain == chain.chain }.map { decimal($0.timesOurs.median, 2) + "x" }
      chainTable.add([chain.chain, decimal(chain.cpuMsPerFrame.least, 2)] + times)
    }
    return text + "\n" + chainTable.text
  }
}

extension StageTime {
  fileprivate var best: String { decimal(cpuMsPerFrame.least, 2) }
  fileprivate var perPixel: String { decimal(cpuNsPerPixel, 2) }
}

/// Formats a number with a fixed number of decimals.
func decimal(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }
