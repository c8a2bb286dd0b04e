internal import Displays

extension DisplayFollowing {
  /// Returns the extremes of a display: with the largest headroom, which HDR uses, and with the brightest SDR white.
  func extremes(of initial: DisplayStatus) -> [DisplayStatus] {
    switch source {
    case .events(let events): return [initial] + events.map { $0.status.capped(to: initial) }
    case .live(let source):
      let model = initial.model
      var brightest = model
      if case .file = source {
        (brightest.sdrWhite, brightest.minimumSDRWhite) = (model.peak, model.peak)
      }
      return [DisplayStatus(model, brightness: model.minimumSDRWhite / model.sdrWhite), DisplayStatus(brightest)]
    }
  }
}

extension DisplayStatus {
  /// Limits the display, so that the light metadata stated for the plan's display stays valid.
  func capped(to initial: DisplayStatus) -> DisplayStatus {
    var status = self
    status.model.peak = min(status.model.peak, initial.model.peak)
    status.model.sdrWhite = min(status.model.sdrWhite, status.model.peak)
    status.model.minimumSDRWhite = min(status.model.minimumSDRWhite, status.model.sdrWhite)
    status.rampedHeadroom = nil
    return status
  }
}
