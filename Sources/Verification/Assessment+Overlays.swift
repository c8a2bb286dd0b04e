internal import Patterns

/// What lies over patches, as a logo or a subtitle does.
extension Assessment {
  static let overlay = "overlay"
  /// A patch of which more than this is something else is covered.
  private static let maximumRejected = 0.05
  /// What is less is not mentioned.
  private static let minimumRejected = 0.01
  /// Where fewer samples are left, the edges of filters are a large part.
  private static let minimumSamples = 48

  func isCovered(_ tally: PatchTally) -> Bool {
    tally.rejected > Self.maximumRejected && tally.samples >= Self.minimumSamples
  }

  /// Says what of patches was left out of their means; covered ones that are off are so for this reason, too.
  func overlayFaults(_ verification: inout Verification) -> [Fault] {
    var covered: [Int] = []
    for (index, patch) in measurement.patches.enumerated() where patch.tally.rejected >= Self.minimumRejected {
      guard patch.tally.samples >= Self.minimumSamples else { continue }
      if isCovered(patch.tally) {
        covered.append(index)
      } else {
        verification.notes.append(
          "\(words(index)) is something else, and was left out of the mean.")
      }
    }
    guard let worst = covered.max(by: { rejected($0) < rejected($1) }) else { return [] }
    for index in covered where verification.patches[index].reason == "patches" {
      verification.patches[index].reason = "\(Self.overlay), patches"
    }
    return [
      Fault(
        Self.overlay,
        "Something lies over \(covered.count) patch\(covered.count == 1 ? "" : "es"): \(words(worst)) is something else."
      )
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
