internal import Glibc

/// Finds the best pair of nearby frames in a stream that differ by a flash.
///
/// A flash adds light, removes none, and keeps the pattern of the scene; a cut replaces the pattern, and in a moving
/// scene or a fade, other frames differ as much. Frames are added one by one, in order; only the last few are kept.
public struct FlashPairSearch: Sendable {
  /// Maximum distance between the frames of a pair: those between may be partly lit by a rolling shutter.
  public static let reach = 3

  /// Frames before and after that show the usual difference between frames.
  static let context = reach + 2

  /// The best pair so far.
  public private(set) var best: FlashPair?
  private var merit = 0.0
  private var recent: [FrameSummary] = []
  /// Number of frames in `recent` already examined as flash frames.
  private var examined = 0

  /// Creates a search without frames.
  public init() {}

  /// Adds the next frame.
  ///
  /// Damaged frames are skipped.
  public mutating func add(_ summary: FrameSummary) {
    recent.append(summary)
    if recent.count - examined > Self.context { examine() }
    while examined > Self.context {
      recent.removeFirst()
      examined -= 1
    }
  }

  /// Examines the remaining frames and forgets them: the stream has ended, or its format changes.
  public mutating func interrupt() {
    while examined < recent.count { examine() }
    (recent, examined) = ([], 0)
  }

  /// Whether an added frame may still become part of the pair.
  public func mayChoose(_ index: Int) -> Bool {
    index == best?.ambient || index == best?.flash
      || recent.dropFirst(max(examined - Self.reach, 0)).contains { $0.index == index }
  }

  /// Compares the next candidate flash frame with its neighbours.
  private mutating func examine() {
    let neighbourhood = FlashNeighbourhood(frames: recent, center: examined)
    examined += 1
    guard let found = neighbourhood.best, found.merit > merit else { return }
    (best, merit) = (found.pair, found.merit)
  }
}

/// Two frames of a stream that differ by a flash, or by a lamp that was switched.
public struct FlashPair: Sendable, Hashable {
  /// What distinguishes the frames.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// Both frames were stated in the request.
    case stated
    /// The frame is brighter than its neighbours.
    case flash
    /// A lamp was switched on.
    case switchedOn
    /// A lamp was switched off.
    case switchedOff
  }

  /// Number of the frame without the flash.
  public var ambient: Int
  /// Number of the frame with the flash.
  public var flash: Int
  /// What distinguishes the frames.
  public var reason: Reason
  /// The share of the flash in the light of its frame, from 0 to 1; nil if the frames were stated.
  public var flashShare: Double?
  /// Light of the flash relative to the usual difference between neighbouring frames; nil: unknown.
  public var contrast: Double?

  /// Creates a pair from its values.
  public init(ambient: Int, flash: Int, reason: Reason, flashShare: Double? = nil, contrast: Double? = nil) {
    (self.ambient, self.flash, self.reason) = (ambient, flash, reason)
    (self.flashShare, self.contrast) = (flashShare, contrast)
  }
}

/// A candidate flash frame and its neighbours, one of which may be its ambient frame.
struct FlashNeighbourhood {
  let frames: [FrameSummary]
  /// Index of the candidate in `frames`.
  let center: Int

  /// Minimum flash light, relative to the light of the ambient frame.
  static let minimumGain = 0.05
  /// Minimum flash light, relative to the usual difference between frames.
  static let minimumContrast = 5.0
  /// Maximum light lost in some cells, as a share of the light gained in others: a flash takes no light away.
  static let maximumLoss = 0.08
  /// Minimum correlation of the frames' patterns; lower if the frames before and after the flash agree.
  static let minimumLikeness = (step: 0.35, flash: 0.15)
  /// Maximum share of clipped pixels.
  static let maximumClipped = 0.5
  /// An ambient frame darker than this, relative to the flash frame, has no pattern to compare.
  static let darkness = 0.01

  /// The best pair and its merit, from 0 to 1.
  var best: (pair: FlashPair, merit: Double)? {
    let flash = frames[center]
    guard flash.clippedShare <= Self.maximumClipped else { return nil }
    return frames.indices.lazy.filter { $0 != center }.compactMap(pair).max { $0.merit < $1.merit }
  }

  private func pair(ambient: Int) -> (pair: FlashPair, merit: Double)? {
    let (dark, lit) = (frames[ambient], frames[center])
    guard abs(dark.index - lit.index) <= FlashPairSearch.reach else { return nil }
    let light = AddedLight(from: dark, to: lit)
    guard light.gain >= Self.minimumGain * light.ambient, light.gain > 0, light.loss <= Self.maximumLoss * light.gain,
      !isLitInPart(against: dark)
    else { return nil }
    let variation = variation(apart: ambient)
    // Motion accumulates over frames further apart.
    let steps = Double(abs(ambient - center))
    let contrast = variation.map { light.gain / max($0 * steps, 1e-3 * light.gain) }
    if let contrast, contrast < Self.minimumContrast { return nil }
    let isFlash = returns(to: dark, from: ambient, gain: light.gain)
    guard isFlash || isStep(from: ambient, gain: light.gain) else { return nil }
    let likeness = isFlash ? Self.minimumLikeness.flash : Self.minimumLikeness.step
    let isDark = light.ambient < Self.darkness * light.flash
    // Films cut to and from black: only light that goes off again is a flash.
    guard isDark && isFlash || FlashPattern(dark).likeness(to: FlashPattern(lit)) >= likeness else { return nil }
    let share = light.gain / light.flash
    // Among otherwise equal frames, the nearest win.
    let nearness = 1 - 0.02 * (steps - 1)
    let reason: FlashPair.Reason = isFlash ? .flash : ambient < center ? .switchedOn : .switchedOff
    let pair = FlashPair(
      ambient: dark.index, flash: lit.index, reason: reason, flashShare: share, contrast: contrast)
    return (pair, share * (1 - lit.clippedShare) * (isFlash ? 1 : 0.8) * nearness * sharpness(of: dark))
  }

  /// Returns the sharpness of both frames relative to the sharpest neighbour, as 0.9...1: among otherwise equal frames,
  /// the sharper win.
  private func sharpness(of dark: FrameSummary) -> Double {
    let maximum = frames.map(\.sharpness).max() ?? 0
    return maximum > 0 ? 0.9 + 0.1 * min(dark.sharpness, frames[center].sharpness) / maximum : 1
  }

  /// Whether an adjacent frame is lit where this one is not: a rolling shutter caught the start or end of the flash.
  private func isLitInPart(against dark: FrameSummary) -> Bool {
    let own = AddedLight.rows(from: dark, to: frames[center])
    return [center - 1, center + 1].contains { neighbour in
      guard frames.indices.contains(neighbour), frames[neighbour].index != dark.index else { return false }
      let light = AddedLight(from: dark, to: frames[neighbour])
      guard light.loss <= Self.maximumLoss * light.gain else { return false }
      let rows = AddedLight.rows(from: dark, to: frames[neighbour])
      let tolerance = 0.2 * max(own.max() ?? 0, rows.max() ?? 0)
      return zip(own, rows).contains { $1 > 1.5 * max($0, 0) + tolerance }
    }
  }

  /// Returns the median difference between neighbouring frames, except those across the flash; nil if there are none.
  private func variation(apart ambient: Int) -> Double? {
    // The following frame is excluded too: a flash ends soon after it begins.
    let apart = min(ambient, center - 1)...max(ambient - 1, center)
    let differences = frames.indices.dropLast().filter { !apart.contains($0) }.map {
      AddedLight(from: frames[$0], to: frames[$0 + 1]).difference
    }
    return differences.isEmpty ? nil : differences.sorted()[(differences.count - 1) / 2]
  }

  /// Whether the light changes abruptly: the frames beyond both match them, unlike in a fade.
  private func isStep(from ambient: Int, gain: Double) -> Bool {
    let away = (center - ambient).signum()
    return [(ambient, ambient - away), (center, center + away)].allSatisfy { frame, beyond in
      !frames.indices.contains(beyond) || AddedLight(from: frames[frame], to: frames[beyond]).difference < 0.2 * gain
    }
  }

  /// Whether a frame on the other side of this one matches the ambient one.
  private func returns(to dark: FrameSummary, from ambient: Int, gain: Double) -> Bool {
    let reach = FlashPairSearch.reach
    let others = ambient < center ? frames[(center + 1)...].prefix(reach) : frames[..<center].suffix(reach)
    return others.contains { AddedLight(from: dark, to: $0).difference < 0.25 * gain }
  }
}

/// The pattern of a frame: steps in the logarithm of light between neighbouring cells, determined by the surfaces in
/// the scene, whatever the light.
struct FlashPattern {
  private let steps: [Double]

  init(_ frame: FrameSummary) {
    let sums = frame.sums.map { Double(max($0, 0)) }
    // Avoids the logarithm of black cells.
    let floor = sums.reduce(0, +) / Double(sums.count) * 0.02 + .leastNormalMagnitude
    let logarithms = sums.map { log($0 + floor) }
    let columns = FrameSummary.columns
    steps = logarithms.indices.flatMap { cell in
      var steps: [Double] = []
      if cell % columns + 1 < columns { steps.append(logarithms[cell + 1] - logarithms[cell]) }
      if cell + columns < logarithms.count { steps.append(logarithms[cell + columns] - logarithms[cell]) }
      return steps
    }
  }

  /// Returns the correlation of two patterns, from -1 to 1; 1 if neither has a pattern.
  func likeness(to other: FlashPattern) -> Double {
    func product(_ first: FlashPattern, _ second: FlashPattern) -> Double {
      zip(first.steps, second.steps).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let (own, others) = (product(self, self), product(other, other))
    // Steps below one per cent are an even wall.
    let even = 1e-4 * Double(steps.count)
    if own < even && others < even { return 1 }
    return product(self, other) / max((own * others).squareRoot(), .leastNormalMagnitude)
  }
}

/// The light that one frame adds to another, in sums of R, G and B over the mean cell.
struct AddedLight {
  /// Light of the first frame.
  var ambient = 0.0
  /// Light of the second frame.
  var flash = 0.0
  /// Light gained in the second frame, over the cells that gain.
  var gain = 0.0
  /// Light lost in the second frame, over the other cells.
  var loss = 0.0
  /// The mean of the absolute difference.
  var difference: Double { gain + loss }

  init(from dark: FrameSummary, to lit: FrameSummary) {
    let count = Double(dark.light.count)
    for (before, after) in zip(dark.light, lit.light) {
      let (first, second) = (Double(before.sum()), Double(after.sum()))
      ambient += first / count
      flash += second / count
      if second > first { gain += (second - first) / count } else { loss += (first - second) / count }
    }
  }

  /// Returns the light gained by each row of the grid, relative to the sum of both frames' light in it: -1...1.
  static func rows(from dark: FrameSummary, to lit: FrameSummary) -> [Double] {
    func light(_ frame: FrameSummary, _ row: Int) -> Float {
      frame.light[row * FrameSummary.columns..<(row + 1) * FrameSummary.columns].reduce(0) { $0 + $1.sum() }
    }
    return (0..<FrameSummary.rows).map { row in
      let (first, second) = (light(dark, row), light(lit, row))
      return Double((second - first) / max(first + second, .leastNormalMagnitude))
    }
  }
}
