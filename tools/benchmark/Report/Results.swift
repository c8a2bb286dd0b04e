internal import Foundation
internal import Rendering

/// All measurements; units are in the names.
struct Report: Encodable {
  var machine = Host()
  var ffmpeg: String
  var headroom: String?
  var clip: String
  var rounds: Int
  /// Skipped measurements, with the reason.
  var skipped: [String] = []
  /// Load from other programs during each section.
  var otherPrograms: [OtherPrograms] = []
  var pixelStage: [PixelStageReport] = []
  var variantSize: String?
  var variants: [StageTime] = []
  var gamuts: [GamutTime] = []
  var filters: [FilterTime] = []
  var outputs: [OutputTime] = []
  var outputProcesses: [ProcessComparison] = []
  var scopes: [ScopeTime] = []
  var threads: [ThreadTime] = []
  var processes: ProcessReport?
  var pictures: [ProcessComparison] = []
  /// Test patterns, created and verified.
  var patterns: [ProcessComparison] = []

  init(_ setting: Setting) {
    ffmpeg = setting.ffmpeg.version
    headroom = setting.headroomVersion
    clip = URL(fileURLWithPath: setting.clip).lastPathComponent
    rounds = setting.rounds
  }

  /// Measures a section and the load from other programs.
  mutating func observe<Result>(_ section: String, _ measure: () throws -> Result) throws -> Result {
    StandardStreams.note("measuring: \(section)")
    let load = ForeignLoad()
    let result = try measure()
    otherPrograms.append(OtherPrograms(section: section, cores: load.cores))
    return result
  }
}

/// Average number of processors used by other programs during a section.
struct OtherPrograms: Encodable {
  let section: String
  let cores: Double
}

/// The pixel stage at one size.
struct PixelStageReport: Encodable {
  let size: String
  /// The number of different frames, which are looped.
  let frames: Int
  /// The number of frames per run of a chain.
  let chainFrames: Int
  var stages: [StageTime] = []
  var chains: [ChainTime] = []
  var ratios: [ChainRatio] = []
}

/// A per-frame task on one thread.
struct StageTime: Encodable {
  let stage: String
  let tier: String
  let cpuMsPerFrame: Summary
  /// In the fastest round.
  let cpuNsPerPixel: Double

  init(stage: String, tier: KernelTier, seconds: Summary, pixels: Int) {
    self.stage = stage
    self.tier = tier.rawValue
    cpuMsPerFrame = seconds * 1e3
    cpuNsPerPixel = seconds.least * 1e9 / Double(pixels)
  }
}

/// Counting frames for scopes.
struct ScopeTime: Encodable {
  let size: String
  /// The stage has the name of the scopes.
  let time: StageTime
  /// Relative to unpacking alone.
  let timesUnpacking: Summary
}

/// An ffmpeg filter chain, excluding the cost of reading frames.
struct ChainTime: Encodable {
  let chain: String
  let filters: String
  let ffmpeg: String
  let cpuMsPerFrame: Summary

  init(_ chain: FilterChain, seconds: Summary) {
    self.chain = chain.name
    filters = chain.filters
    ffmpeg = chain.ffmpeg.version
    cpuMsPerFrame = seconds * 1e3
  }
}

/// A chain's CPU time relative to the whole pixel stage.
struct ChainRatio: Encodable {
  let chain: String
  let tier: String
  let timesOurs: Summary
}

/// The whole pixel stage with the perceptual gamut map.
struct GamutTime: Encodable {
  let size: String
  let frames: String
  let tier: String
  let compressMsPerFrame: Summary
  let perceptualMsPerFrame: Summary
  /// Perceptual relative to compress, by round.
  let timesCompress: Summary
}

/// The whole pixel stage with a filter.
struct FilterTime: Encodable {
  let size: String
  let filter: String
  let tier: String
  /// Without the filter.
  let plainMsPerFrame: Summary
  let cpuMsPerFrame: Summary
  /// With the filter relative to without, by round.
  let timesPlain: Summary
}

/// Work shared by several outputs, compared with doing it separately.
struct OutputTime: Encodable {
  let size: String
  let work: String
  let apartMsPerFrame: Summary
  let togetherMsPerFrame: Summary
  /// Together relative to apart, by round.
  let timesApart: Summary
}

/// The whole pixel stage with N workers.
struct ThreadTime: Encodable {
  let size: String
  let tier: String
  let workers: Int
  let wallMsPerFrame: Summary
  /// Relative to one worker.
  let speedUp: Summary
}

/// Whole processes on a 3840x2160 clip.
struct ProcessReport: Encodable {
  let clipFrames: Int
  let clipMbitPerS: Double
  let comparisons: [ProcessComparison]
}

/// One task done by another program and by headroom.
struct ProcessComparison: Encodable {
  let task: String
  let referenceName: String
  let reference: ProcessUse
  let ours: ProcessUse
  /// `ours` relative to `reference`, by round.
  let wallTimesReference: Summary
  let cpuTimesReference: Summary
  let memoryTimesReference: Summary

  init(task: String, referenceName: String, reference: ProcessUse, ours: ProcessUse) {
    self.task = task
    self.referenceName = referenceName
    self.reference = reference
    self.ours = ours
    wallTimesReference = ours.wallS.ratio(to: reference.wallS)
    cpuTimesReference = ours.cpuS.ratio(to: reference.cpuS)
    memoryTimesReference = ours.peakMemoryMib.ratio(to: reference.peakMemoryMib)
  }
}

/// The cost of one command.
struct ProcessUse: Encodable {
  let command: String
  let wallS: Summary
  let cpuS: Summary
  let peakMemoryMib: Summary
}
