/// A candidate flash frame and its neighbours, one of which may be its ambient frame.
struct FlashNeighbourhood {
  private let frames: [FrameSummary]
  /// Index of the candidate in `frames`.
  private let center: Int

  /// Minimum flash light, relative to the light of the ambient frame.
  static let leastGain = 0.05
  /// Minimum flash light, relative to the usual difference between frames.
  static let leastContrast = 5.0
  /// Maximum light lost in some cells, as a share of the light gained in others: a flash takes no light away.
  static let mostLoss = 0.08
  /// Minimum correlation of the frames' patterns; lower if the frames before and after the flash agree.
  static let leastLikeness = (step: 0.35, flash: 0.15)
  /// Maximum share of clipped pixels.
  static let mostClipped = 0.5
  /// An ambient frame darker than this, relative to the flash frame, has no pattern to compare.
  static let darkness = 0.01

  init(_ frames: [FrameSummary], center: Int) { (self.frames, self.center) = (frames, center) }

  /// The best pair and its merit, from 0 to 1.
  var best: (pair: FlashPair, merit: Double)? {
    let flash = frames[center]
    guard flash.clippedShare <= Self.mostClipped else { return nil }
    return frames.indices.lazy.filter { $0 != center }.compactMap(pair).max { $0.merit < $1.merit }
  }

  private func pair(ambient: Int) -> (pair: FlashPair, merit: Double)? {
    let (dark, lit) = (frames[ambient], frames[center])
    guard abs(dark.index - lit.index) <= FlashPairSearch.reach else { return nil }
    let light = AddedLight(from: dark, to: lit)
    guard light.gain >= Self.leastGain * light.ambient, light.gain > 0, light.loss <= Self.mostLoss * light.gain,
      !isLitInPart(against: dark)
    else { return nil }
    let variation = variation(apart: ambient)
    // Motion accumulates over frames further apart.
    let steps = Double(abs(ambient - center))
    let contrast = variation.map { light.gain / max($0 * steps, 1e-3 * light.gain) }
    if let contrast, contrast < Self.leastContrast { return nil }
    let isFlash = returns(to: dark, from: ambient, gain: light.gain)
    guard isFlash || isStep(from: ambient, gain: light.gain) else { return nil }
    let likeness = isFlash ? Self.leastLikeness.flash : Self.leastLikeness.step
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
    let most = frames.map(\.sharpness).max() ?? 0
    return most > 0 ? 0.9 + 0.1 * min(dark.sharpness, frames[center].sharpness) / most : 1
  }

  /// Whether an adjacent frame is lit where this one is not: a rolling shutter caught the start or end of the flash.
  private func isLitInPart(against dark: FrameSummary) -> Bool {
    let own = AddedLight.rows(from: dark, to: frames[center])
    return [center - 1, center + 1].contains { neighbour in
      guard frames.indices.contains(neighbour), frames[neighbour].index != dark.index else { return false }
      let light = AddedLight(from: dark, to: frames[neighbour])
      guard light.loss <= Self.mostLoss * light.gain else { return false }
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
