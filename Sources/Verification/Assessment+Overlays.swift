internal import Patterns

/// Overlays over patches, such as a logo or a subtitle.
extension Assessment {
  static let overlay = "overlay"
  /// Fraction of outliers above which a patch is covered.
  private static let maximumRejected = 0.05
  /// Smaller fractions are not reported.
  private static let minimumRejected = 0.01
  /// With fewer samples, filtered edges are a large part.
  private static let minimumSamples = 48

  func isCovered(_ tally: PatchTally) -> Bool {
    tally.rejected > Self.maximumRejected && tally.samples >= Self.minimumSamples
  }

  /// Reports outliers excluded from patch means, and attributes failures of covered patches to them.
  func overlayFaults(_ verification: inout Verification) -> [Fault] {
    var covered: [Int] = []
    for (index, patch) in measurement.patches.enumerated() where patch.tally.rejected >= Self.minimumRejected {
      guard patch.tally.samples >= Self.minimumSamples else { continue }
      if isCovered(patch.tally) {
        covered.append(index)
      } else {
        verification.notes.append(
          "\(words(index)) is covered, and was excluded from the mean.")
      }
    }
    guard let worst = covered.max(by: { rejected($0) < rejected($1) }) else { return [] }
    for index in covered where verification.patches[index].reason == "patches" {
      verification.patches[index].reason = "\(Self.overlay), patches"
    }
    return [
      Fault(
        Self.overlay,
        "Something covers \(covered.count) patch\(covered.count == 1 ? "" : "es"): \(words(worst)) at worst.")
    ]
  }

  private func rejected(_ index: Int) -> Double { measurement.patches[index].tally.rejected }

  /// "13 % of 'dark skin' (frame 0)".
  private func words(_ index: Int) -> String {
    let patch = measurement.patches[index]
    let frame = measurement.frames > 1 ? " (frame \(patch.tally.rejectedFrame))" : ""
    return "\(FaultFigure.percent(patch.tally.rejected)) of '\(patch.patch.name)'\(frame)"
  }
}
