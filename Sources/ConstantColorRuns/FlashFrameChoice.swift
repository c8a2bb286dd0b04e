internal import Sessions

/// Which frames of a clip or device form the pair.
public enum FlashFrameChoice: Sendable, Hashable, Codable {
  /// The two frames that the flash distinguishes best.
  case automatic
  /// Two frames by number, from 0.
  case numbered(ambient: Int, flash: Int)

  /// The frames to read.
  var selection: FrameSelection {
    var selection = FrameSelection()
    if case .numbered(let ambient, let flash) = self {
      selection.range = FrameRange(first: 0, last: max(ambient, flash))
    }
    return selection
  }
}

/// An event while waiting for a device.
package enum FlashFrameEvent: Sendable, Hashable {
  /// The device has a flash and will drive it.
  case drivesFlash
  /// The device has no flash: the user has to switch a lamp within some seconds.
  case waitsForLamp(seconds: Double)
  /// The device may keep adapting its exposure or white balance.
  case adaptsItself
  /// The device has been metered: the settings of the pair, and the exposure of the region of interest.
  case metered(FlashFrameMetering.Result)
}
