internal import Displays

extension DisplayFollowing {
  /// What a display may become at most: with the largest headroom, which HDR uses, and with the brightest SDR white.
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
  /// What a file states of the light for the display of its plan stays true.
  func capped(to initial: DisplayStatus) -> DisplayStatus {
    var status = self
    status.model.peak = min(status.model.peak, initial.model.peak)
    status.model.sdrWhite = min(status.model.sdrWhite, status.model.peak)
    status.model.minimumSDRWhite = min(status.model.minimumSDRWhite, status.model.sdrWhite)
    status.rampedHeadroom = nil
    return status
  }
}
