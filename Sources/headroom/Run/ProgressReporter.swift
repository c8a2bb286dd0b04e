internal import Foundation
internal import Frames
internal import StreamPipeline
internal import Threads

/// Tells how far a run is, twice a second.
final class ProgressReporter: @unchecked Sendable {
  // @unchecked: `hasEnded` is read and written with `condition` locked; everything else is immutable.
  private let pipeline: StreamPipeline
  /// Bytes of the output so far; nil where there is no size to tell.
  private let size: (@Sendable () -> Int)?
  private let kind: MessageOptions.Progress
  /// Frames that will come, as far as the container tells.
  private let total: Int?
  private let frameRate: Double?
  private let start = ContinuousClock.now
  private let isReporting: Bool
  private let threads = ThreadGroup()
  private let condition = NSCondition()
  private var hasEnded = false

  private static let interval = 0.5

  init(
    pipeline: StreamPipeline, size: (@Sendable () -> Int)? = nil, kind: MessageOptions.Progress, total: Int?,
    frameRate: Double?
  ) {
    self.pipeline = pipeline
    self.size = size
    self.kind = kind
    self.total = total
    self.frameRate = frameRate
    isReporting = kind == .json || kind == .line && Console.isInteractive
  }

  func begin() {
    guard isReporting else { return }
    // Without a thread there is still the last report.
    try? threads.start { [self] in
      while waitForNext() { report(isLast: false) }
    }
  }

  /// - Returns: false at the end.
  private func waitForNext() -> Bool {
    condition.withLock {
      let next = Date(timeIntervalSinceNow: Self.interval)
      while !hasEnded, condition.wait(until: next) {}
      return !hasEnded
    }
  }

  func end() {
    guard isReporting else { return }
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
    threads.wait()
    report(isLast: true)
    if kind == .line { Console.plain("") }
  }

  /// One line on what was done.
  var summary: String {
    let now = measure()
    let text = String(format: "%d frames in %.1f s, %.1f fps", now.frames, now.elapsed, now.rate)
    return text + (size.map { ", " + words($0()) } ?? "")
  }

  private func measure() -> (frames: Int, elapsed: Double, rate: Double) {
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let frames = pipeline.progress.frames
    return (frames, elapsed, Double(frames) / max(elapsed, 1e-6))
  }

  private func report(isLast: Bool) {
    let now = measure()
    let speed = frameRate.map { now.rate / $0 }
    let left = total.map { Double(max($0 - now.frames, 0)) / max(now.rate, 1e-6) }
    if kind == .json {
      var fields = ["\"frames\":\(now.frames)", "\"fps\":\(number(now.rate))"]
      if let size { fields.append("\"size\":\(size())") }
      if let total { fields.append("\"total_frames\":\(total)") }
      if let speed { fields.append("\"speed\":\(number(speed))") }
      if let left, now.frames > 0 { fields.append("\"eta_seconds\":\(number(left))") }
      fields.append("\"progress\":\"\(isLast ? "end" : "continue")\"")
      Console.plain("{" + fields.joined(separator: ",") + "}")
      return
    }
    var line = "frame \(now.frames)" + (total.map { "/\($0)" } ?? "") + String(format: "  %.1f fps", now.rate)
    if let speed { line += String(format: "  %.2fx", speed) }
    if let left, now.frames > 0, !isLast { line += "  ETA \(clock(left))" }
    Console.progress(line + (size.map { "  " + words($0()) } ?? ""))
  }

  private func number(_ value: Double) -> String { String(format: "%.3f", value) }

  private func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(), 359_999))
    return String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
  }

  private func words(_ bytes: Int) -> String {
    bytes < 1 << 20
      ? String(format: "%.1f KiB", Double(bytes) / 1024) : String(format: "%.1f MiB", Double(bytes) / 1_048_576)
  }
}
