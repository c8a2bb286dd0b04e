internal import Patterns

extension Assessment {
  static let flicker = "flicker"
  /// ΔE ITP by which a frame must exceed the mean to count as flicker.
  private static let maximumFlicker = 3.0
  /// Means of fewer samples are too uncertain.
  private static let minimumSamples = 24

  /// Whether the mean of a patch is correct, or nearly, but a single frame is not.
  func flickers(_ tally: PatchTally, _ deltaE: Double) -> Bool {
    guard tally.frames > 1, tally.samples >= Self.minimumSamples, tally.worstDeltaE > tolerance.deltaE else {
      return false
    }
    return deltaE <= tolerance.deltaE || tally.worstDeltaE > deltaE + max(Self.maximumFlicker, deltaE / 2)
  }

  func frameFaults(_ verification: inout Verification, _ colors: ColorFaults) -> [Fault] {
    var faults: [Fault] = []
    if let frames = verification.frames { faults += counterFaults(frames) }
    faults += markFaults(colors)
    let flickering = measurement.patches.indices.filter { index in
      verification.patches[index].measured.map { flickers(measurement.patches[index].tally, $0.deltaE) } ?? false
    }
    if let worst = flickering.map({ measurement.patches[$0] }).max(by: { $0.tally.worstDeltaE < $1.tally.worstDeltaE })
    {
      faults.add(
        Self.flicker,
        "\(flickering.count) patches change from frame to frame: '\(worst.patch.name)' is off by ΔE ITP "
          + "\(FaultFigure.number(worst.tally.worstDeltaE)) in frame \(worst.tally.worstFrame).")
    }
    if measurement.otherFormat > 0 {
      faults.add(
        "frames.other", "\(measurement.otherFormat) frames have a different size or format and were not measured.")
    }
    if let first = measurement.absent.first {
      faults.add(
        "frames.other",
        "\(measurement.absentCount) frames among those of the pattern show something else, first frame \(first).")
    }
    return faults
  }

  /// Moving marks are not where they should be.
  private func markFaults(_ colors: ColorFaults) -> [Fault] {
    var faults: [Fault] = []
    if let worst = measurement.marks.torn.max(by: { $0.share < $1.share }) {
      faults.add(
        "frames.torn",
        "\(measurement.marks.torn.count) frames show a part of another frame: '\(worst.mark)' of frame \(worst.frame) "
          + "does not match its number.")
    }
    // If colours are wrong, so are the marks.
    if colors.faults.isEmpty, let worst = measurement.marks.blended.max(by: { $0.share < $1.share }) {
      faults.add(
        "frames.blended",
        "\(measurement.marks.blended.count) frames are blended with others: '\(worst.mark)' of frame "
          + "\(worst.frame) is \(FaultFigure.percent(min(worst.share, 1))) that of another.")
    }
    return faults
  }

  private func counterFaults(_ frames: FrameResult) -> [Fault] {
    var faults: [Fault] = []
    func places(_ indices: [Int]) -> String {
      indices.prefix(5).map(String.init).joined(separator: ", ") + (indices.count > 5 ? ", ..." : "")
    }
    if !frames.repeated.isEmpty {
      faults.add(
        "frames.repeated",
        "\(frames.repeated.count) frames repeat the one before (counted from 0: \(places(frames.repeated))).")
    }
    if !frames.dropped.isEmpty {
      let count = frames.dropped.reduce(0) { $0 + $1.count }
      faults.add(
        "frames.dropped", "\(count) frames are missing (after frames \(places(frames.dropped.map(\.after)))).")
    }
    if !frames.reordered.isEmpty {
      faults.add(
        "frames.reordered",
        "\(frames.reordered.count) frames come after later ones (\(places(frames.reordered))): their order is wrong.")
    }
    if frames.unreadable > 0 {
      faults.add("frames.unreadable", "The numbers of \(frames.unreadable) frames cannot be read.")
    }
    return faults
  }
}
