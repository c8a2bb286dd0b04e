internal import Sessions

/// Decides how to reduce the rendering load while it cannot keep up with a live source, and when to undo that.
///
/// First halves the width and height of pictures, then requests a lower frame rate from the device, unless its frames
/// are recorded. Each step comes after two seconds of dropped frames. It is undone after some seconds of low load; if
/// that was too early, the next attempt waits twice as long.
package struct RenderAdaptation: Hashable {
  /// The change to make.
  package enum Action: Hashable {
    case halveScale, restoreScale
    /// Selects the next lower or higher rate of the device.
    case lowerRate, raiseRate
  }

  /// Measurements since the last call.
  package struct Sample: Hashable {
    /// Elapsed seconds.
    package var seconds: Double
    /// Number of frames shown, and of frames dropped because rendering or the screen was too slow.
    package var shown: Int
    package var dropped: Int
    /// Seconds spent on rendering.
    package var rendering: Double
    /// Device frames are recorded: the device keeps its full rate, however slow the screen is.
    package var isRecording: Bool

    package init(seconds: Double, shown: Int, dropped: Int, rendering: Double, isRecording: Bool = false) {
      (self.seconds, self.shown, self.dropped, self.rendering) = (seconds, shown, dropped, rendering)
      self.isRecording = isRecording
    }
  }

  /// Whether the picture can be rendered smaller, and the number of lower device rates.
  private let canScale: Bool
  private let lowerRates: Int
  package private(set) var isScaleHalved = false
  package private(set) var rateSteps = 0
  private var overloaded = 0.0
  private var idle = 0.0
  private var patience = minimumPatience
  /// Seconds since the last step was undone; nil: none was undone.
  private var sinceUndone: Double?

  private static let overload = 2.0
  private static let minimumPatience = 5.0
  private static let maximumPatience = 80.0
  /// Percentage of dropped frames below which there is no overload, only a hiccup of the system.
  private static let tolerated = 3.0
  /// Share of rendering time below which a step is undone. Four times the pixels take at most four times as long.
  private static let (idleWhenHalved, idleWhenSlower) = (0.2, 0.4)

  package init(canScale: Bool, lowerRates: Int) { (self.canScale, self.lowerRates) = (canScale, lowerRates) }

  /// - Returns: The change to make; nil: none.
  package mutating func update(_ sample: Sample) -> Action? {
    if sample.isRecording, rateSteps > 0 {
      rateSteps = 0
      return .raiseRate
    }
    guard sample.seconds > 0 else { return nil }
    let total = sample.shown + sample.dropped
    let isOverloaded = total > 0 && Double(sample.dropped) * 100 > Double(total) * Self.tolerated
    let limit = rateSteps > 0 ? Self.idleWhenSlower : Self.idleWhenHalved
    let isIdle = total > 0 && sample.dropped == 0 && sample.rendering / sample.seconds < limit
    overloaded = isOverloaded ? overloaded + sample.seconds : 0
    idle = isIdle ? idle + sample.seconds : 0
    sinceUndone = sinceUndone.map { $0 + sample.seconds }
    if overloaded >= Self.overload { return reduce(sample.isRecording ? 0 : lowerRates) }
    return idle >= patience ? restore() : nil
  }

  /// Resets the rate after the device has been set up again at the mode's rate.
  package mutating func forgetRate() { rateSteps = 0 }

  private mutating func reduce(_ lowerRates: Int) -> Action? {
    overloaded = 0
    if let undone = sinceUndone, undone < patience {
      patience = min(patience * 2, Self.maximumPatience)
    }
    sinceUndone = nil
    if canScale, !isScaleHalved {
      isScaleHalved = true
      return .halveScale
    }
    guard rateSteps < lowerRates else { return nil }
    rateSteps += 1
    return .lowerRate
  }

  /// Undoes the last step.
  private mutating func restore() -> Action? {
    idle = 0
    guard rateSteps > 0 || isScaleHalved else { return nil }
    sinceUndone = 0
    if rateSteps > 0 {
      rateSteps -= 1
      return .raiseRate
    }
    isScaleHalved = false
    return .restoreScale
  }
}
