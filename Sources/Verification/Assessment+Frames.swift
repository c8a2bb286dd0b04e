internal import Patterns

extension Assessment {
  /// A frame that is further off than the mean by more than this, in ΔE ITP, flickers.
  private static let mostFlicker = 3.0
  /// Means of fewer samples are too uncertain for that.
  private static let leastSamples = 64

  func frameFaults(_ verification: Verification) -> [Fault] {
    var faults: [Fault] = []
    if let frames = verification.frames { faults += counterFaults(frames) }
    let flickering = measurement.patches.enumerated().compactMap { index, patch -> (String, Double, Int)? in
      guard patch.tally.frames > 1, patch.tally.samples >= Self.leastSamples,
        let measured = verification.patches[index].measured,
        patch.tally.worstDeltaE > tolerance.deltaE,
        patch.tally.worstDeltaE > measured.deltaE + max(Self.mostFlicker, measured.deltaE / 2)
      else { return nil }
      return (patch.patch.name, patch.tally.worstDeltaE, patch.tally.worstFrame)
    }
    if let worst = flickering.max(by: { $0.1 < $1.1 }) {
      faults.append(
        Fault(
          "flicker",
          "\(flickering.count) patches change from frame to frame: '\(worst.0)' is off by ΔE ITP "
            + "\((10 * worst.1).rounded() / 10) in frame \(worst.2)."))
    }
    if let first = measurement.absent.first {
      faults.append(
        Fault(
          "frames.other",
          "\(measurement.absentCount) frames among those of the pattern show something else, first frame \(first)."))
    }
    return faults
  }

  private func counterFaults(_ frames: FrameResult) -> [Fault] {
    var faults: [Fault] = []
    func places(_ indices: [Int]) -> String {
      indices.prefix(5).map(String.init).joined(separator: ", ") + (indices.count > 5 ? ", ..." : "")
    }
    if !frames.repeated.isEmpty {
      faults.append(
        Fault(
          "frames.repeated",
          "\(frames.repeated.count) frames repeat the one before (counted from 0: \(places(frames.repeated)))."))
    }
    if !frames.dropped.isEmpty {
      let count = frames.dropped.reduce(0) { $0 + $1.count }
      faults.append(
        Fault(
          "frames.dropped", "\(count) frames are missing (after frames \(places(frames.dropped.map(\.after))))."))
    }
    if !frames.reordered.isEmpty {
      faults.append(
        Fault(
          "frames.reordered",
          "\(frames.reordered.count) frames come after later ones (\(places(frames.reordered))): their order is wrong.")
      )
    }
    if frames.unreadable > 0 {
      faults.append(
        Fault("frames.unreadable", "The number of \(frames.unreadable) frames cannot be read."))
    }
    return faults
  }
}
