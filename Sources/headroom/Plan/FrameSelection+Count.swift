internal import FFmpegIO
internal import Frames

extension FrameSelection {
  /// Seconds that are selected; nil where that is all, or is not known.
  func length(rate: Double?) -> Double? {
    if let duration { return duration }
    guard let range, let last = range.last, let rate, rate > 0 else { return nil }
    return Double(last - range.first + 1) / rate
  }

  /// Frames that will come, as far as the container tells.
  func expectedFrames(of reader: any MediaInput) -> Int? {
    let stream = reader.info.streams.first { $0.index == reader.video.index }
    let rate = reader.video.frameRate?.value
    let seconds = stream?.seconds ?? reader.info.duration
    guard
      var total = stream?.frameCount
        ?? rate.flatMap({ rate in seconds.map { Int(exactly: ($0 * rate).rounded()) ?? 0 } })
    else { return nil }
    if let range { total = min(range.last.map { $0 + 1 } ?? total, total) - range.first }
    if let rate, let start { total -= Int(start * rate) }
    if let rate, let duration { total = min(total, Int((duration * rate).rounded(.up))) }
    if at != nil { return 1 }
    return total > 0 ? (total + every - 1) / every : nil
  }
}
