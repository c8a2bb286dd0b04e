internal import FFmpegIO

extension MediaReader {
  /// What could not be decoded so far, in a sentence; nil where all could.
  var damage: String? {
    let statistics = statistics
    guard statistics.decodeErrors > 0 || statistics.damagedFrames > 0 else { return nil }
    return "'\(info.url)' is damaged: \(statistics.decodeErrors) packets could not be decoded, "
      + "\(statistics.damagedFrames) frames are concealed."
  }
}
