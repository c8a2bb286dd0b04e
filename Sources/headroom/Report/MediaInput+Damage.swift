internal import FFmpegIO

extension MediaInput {
  /// What is not used of how the file describes its colours, once the first frame has been read.
  var warnings: [String] {
    guard let name = statistics.unrecognizedProfile else { return [] }
    return [
      "The ICC profile\(name.isEmpty ? "" : " '\(name)'") of '\(info.url)' is none that is known, and is not used: "
        + "--input-primaries and --input-transfer say what it would."
    ]
  }

  /// What is missing or could not be decoded so far, a sentence each.
  var damage: [String] {
    let statistics = statistics
    var sentences: [String] = []
    if statistics.endsEarly {
      sentences.append("'\(info.url)' breaks off before its end: what could be read was kept (--keep-partial).")
    }
    if statistics.decodeErrors > 0 || statistics.damagedFrames > 0 {
      let packets = statistics.decodeErrors == 1 ? "1 packet" : "\(statistics.decodeErrors) packets"
      let frames = statistics.damagedFrames == 1 ? "1 frame is" : "\(statistics.damagedFrames) frames are"
      sentences.append(
        "'\(info.url)' is damaged: \(packets) could not be decoded, \(frames) damaged. Frames that refer to them may be "
          + "wrong, too.")
    }
    if statistics.ignoredToneMaps > 0 {
      let reason = statistics.ignoredReason.map { ": \($0)" } ?? ""
      sentences.append("Ignored: ST 2094-50 metadata of \(statistics.ignoredToneMaps) packets\(reason).")
    }
    return sentences
  }

  /// To be called when what was read is finished and in its place.
  /// - Throws: What ended the pictures before the end of the selected part.
  func checkEnding(of selection: FrameSelection) throws {
    if let ending, !selection.ends(before: ending) { throw ending.reason }
  }
}

extension FrameSelection {
  /// Seconds by which a time may miss that of a frame.
  private static let tolerance = 0.0005

  /// No frame from this one on is selected.
  fileprivate func ends(before ending: EarlyEnding) -> Bool {
    func frames(_ seconds: Double) -> Double { seconds * ending.framesPerSecond }
    let tolerance = frames(Self.tolerance)
    if let at { return (frames(at) + tolerance).rounded(.down) < Double(ending.index) }
    if let last = range?.last { return last < ending.index }
    guard let duration else { return false }
    let first = (frames(start ?? 0) - tolerance).rounded(.up)
    return Double(ending.index) - first >= frames(duration) - tolerance
  }
}
