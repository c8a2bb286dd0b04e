internal import Sessions

/// Which frames of a clip or device are the pair.
public enum FlashFrameChoice: Sendable, Hashable, Codable {
  /// Those that a flash told apart best.
  case automatic
  /// These, by their numbers from 0.
  case numbered(ambient: Int, flash: Int)

  /// The frames that have to be read.
  var selection: FrameSelection {
    var selection = FrameSelection()
    if case .numbered(let ambient, let flash) = self {
      selection.range = FrameRange(first: 0, last: max(ambient, flash))
    }
    return selection
  }
}

/// What happens while a device is waited for.
package enum FlashFrameEvent: Sendable, Hashable {
  /// The device has a flash, which will be switched on.
  case drivesFlash
  /// It has none: somebody has to switch a lamp on or off within some seconds.
  case waitsForLamp(seconds: Double)
  /// The device may go on adapting its exposure or white balance.
  case adaptsItself
  /// The device has been metered: what the pair was taken with, and how the region of interest is exposed.
  case metered(FlashFrameMetering.Result)
}
