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
      sentences.append(
        "'\(info.url)' is damaged: \(statistics.decodeErrors) packets could not be decoded, "
          + "\(statistics.damagedFrames) frames are concealed.")
    }
    if statistics.ignoredToneMaps > 0 {
      let reason = statistics.ignoredReason.map { ": \($0)" } ?? ""
      sentences.append("Ignored: ST 2094-50 metadata of \(statistics.ignoredToneMaps) packets\(reason).")
    }
    return sentences
  }
}
